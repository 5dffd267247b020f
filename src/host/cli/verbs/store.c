#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/store/job.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "compare/operand.h"
#include "memory/memory.h"
#include "plan/suggest.h"
#include "store/upkeep.h"

#define AT(member) offsetof(struct dj_store_options, member)
static const struct dj_option options[] = {
    {"older-than", 0, DJ_OPTION_STRING, AT(older_than), "AGE",
     "prune: select batches older than AGE, such as 90d or 12h"},
    {"keep", 0, DJ_OPTION_COUNT, AT(keep), "N",
     "prune: keep the newest N batches of each project and device"},
    {"recordings", 0, DJ_OPTION_FLAG, AT(recordings), NULL,
     "prune: select ended recordings of dejank record instead of batches"},
    {"name", 0, DJ_OPTION_STRING, AT(name), "NAME",
     "prune --recordings: select only recordings with this name"},
    {"temporary", 0, DJ_OPTION_FLAG, AT(temporary), NULL,
     "prune --recordings: select only recordings that 'dejank run' left behind"},
    {"yes", 0, DJ_OPTION_FLAG, AT(yes), NULL,
     "prune: delete the selected data (default: only list it)"},
    {"reason", 0, DJ_OPTION_STRING, AT(reason), "TEXT",
     "exclude: the reason, such as 'the phone was in use' (required)"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (schema dejank.store/1)"},
    DJ_STORE_OPTION(struct dj_store_options, store),
};

static int check_store(struct dj_store_job *job)
{
    struct dj_store_check_result checked;
    int code = dj_store_job_open(job, DJ_STORE_READ);
    if (code != 0) {
        return code;
    }
    dj_report_store_begin(&job->page, "check", "problems");
    code = dj_store_check(job->history, dj_report_store_problem, &job->page, &checked,
                          &job->err);
    dj_report_store_check(&job->page, &checked);
    job->exit = checked.problems > 0 ? DJ_EXIT_DATA : DJ_EXIT_OK;
    return code;
}

static int export_batches(struct dj_store_job *job, int64_t *keys)
{
    struct dj_store_copy_counts moved;
    for (int i = 1; i < job->operands; i++) {
        int code = dj_store_find_batch(job->history,
                                       dj_compare_operand_batch_name(job->operand[i]),
                                       &keys[i - 1], &job->err);
        if (code != 0) {
            return code;
        }
    }
    int code = dj_store_export(job->history, job->operand[0], keys,
                               (size_t)job->operands - 1, &moved, &job->err);
    if (code == 0) {
        dj_report_store_begin(&job->page, "export", "files");
        dj_report_store_moved(&job->page, "wrote", job->operand[0], &moved);
        dj_report_store_close_array(&job->page);
        dj_report_store_end(&job->page);
    }
    return code;
}

static int export(struct dj_store_job *job)
{
    if (job->operands < 1) {
        return dj_error_set(&job->err, DJ_E_USAGE, "export: missing operand FILE.db");
    }
    int code = dj_store_job_open(job, DJ_STORE_READ);
    if (code == 0) {
        int64_t *keys = dj_xcalloc((size_t)job->operands, sizeof(*keys));
        code = export_batches(job, keys);
        free(keys);
    }
    return code;
}

static int load(struct dj_store_job *job)
{
    if (job->operands < 1) {
        return dj_error_set(&job->err, DJ_E_USAGE, "load: missing operand FILE.db");
    }
    int code = dj_store_job_open(job, DJ_STORE_CREATE);
    if (code != 0) {
        return code;
    }
    dj_report_store_begin(&job->page, "load", "files");
    for (int i = 0; i < job->operands && code == 0; i++) {
        struct dj_store_copy_counts moved;
        code = dj_store_load(job->history, job->operand[i], &moved, &job->err);
        if (code == 0) {
            dj_report_store_moved(&job->page, "loaded", job->operand[i], &moved);
        }
    }
    dj_report_store_close_array(&job->page);
    dj_report_store_end(&job->page);
    return code;
}

static int recompute(struct dj_store_job *job)
{
    struct dj_store_recompute_result done;
    int code = dj_store_job_open(job, DJ_STORE_WRITE);
    if (code != 0) {
        return code;
    }
    code = dj_store_recompute(job->history, &done, &job->err);
    dj_report_store_recomputed(&job->page, &done);
    return code;
}

static const struct {
    const char *name;
    int (*run)(struct dj_store_job *job);
    bool accepts_operands;
    const char *progress;
} jobs[] = {
    {"check", check_store, false, "checking the store"},
    {"exclude", dj_store_exclude, true, "changing the store"},
    {"export", export, true, "exporting batches"},
    {"include", dj_store_include, true, "changing the store"},
    {"load", load, true, "loading batches"},
    {"prune", dj_store_job_prune, false, "pruning the store"},
    {"recompute", recompute, false, "computing the figures again"},
};
enum { JOBS = COUNT_OF(jobs) };

static int find_job(const char *name)
{
    for (int i = 0; i < JOBS; i++) {
        if (strcmp(jobs[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int reject_job(const char *name)
{
    struct dj_suggestion suggestion = {.word = dj_str_of(name)};
    for (int i = 0; i < JOBS; i++) {
        struct dj_str candidate = dj_str_of(jobs[i].name);
        dj_plan_suggestion_add(&suggestion, candidate, candidate);
    }
    dj_cli_print_message("expected check, exclude, export, include, load, prune or "
                         "recompute, found '%s'",
                         name);
    if (suggestion.best.length > 0) {
        dj_cli_print_hint("did you mean '%s'?", suggestion.best.at);
    }
    return DJ_EXIT_USAGE;
}

static int run(void *given, int count, char **operands)
{
    struct dj_store_options *values = given;
    struct dj_store_job job = {.values = values,
                               .page = {.json = values->json, .store = values->store}};
    int which = find_job(operands[0]);
    if (which >= 0 && !jobs[which].accepts_operands && count > 1) {
        return dj_cli_print_usage_error("%s: unexpected operand '%s'", jobs[which].name,
                                        operands[1]);
    }
    if (which < 0) {
        return reject_job(operands[0]);
    }
    job.operands = count - 1;
    job.operand = operands + 1;
    struct dj_progress_job progress;
    dj_progress_begin_job(&progress, jobs[which].progress);
    int code = jobs[which].run(&job);
    dj_store_close(job.history);
    dj_progress_end_job(&progress);
    if (code != 0 && job.values->json) {
        /* The job failed, so the JSON is incomplete and is not printed. */
        dj_text_clear(&job.page.text);
    }
    dj_cli_append_document(&job.page.text, &job.page.document, true);
    dj_report_store_finish(&job.page);
    int result = dj_cli_finish_output(code, &job.page.text, &job.err);
    return result == DJ_EXIT_OK ? job.exit : result;
}

static const struct dj_example examples[] = {
    {"Write a batch to a file, for another machine",
     "dejank store export runs.db scroll"},
    {"Exclude a run that was disturbed",
     "dejank store exclude 'scroll#7' --reason 'the phone was in use'"},
    {"List batches older than 90 days, and delete them",
     "dejank store prune --older-than 90d --yes"},
};

const struct dj_verb dj_verb_store = {
    .name = "store",
    .synopsis = "check\n"
                "export FILE.db [BATCH…]\n"
                "load FILE.db…\n"
                "exclude BATCH[#RUN]… --reason TEXT\n"
                "include BATCH[#RUN]…\n"
                "prune [--older-than AGE] [--keep N] [--yes]\n"
                "prune --recordings [--older-than AGE] [--keep N] [--name NAME] "
                "[--temporary] [--yes]\n"
                "recompute",
    .summary = "check the store; copy, exclude or delete batches",
    .description =
        "The first operand selects what to do:\n"
        "check\tcheck that the database and the figures agree with the stored dumps\n"
        "export\twrite batches (default: all) to a new file\n"
        "load\tcopy batches from exported files or other stores; only new ones are "
        "copied\n"
        "exclude\texclude batches or runs from all figures, without deleting them; "
        "'dejank run --resume' measures excluded runs again\n"
        "include\tinclude excluded batches or runs again\n"
        "prune\tlist the batches that match --older-than and --keep; with --yes, delete "
        "them\n"
        "recompute\tcompute all figures again from the stored dumps\n",
    .exit_codes =
        "4\tthe store is damaged, is not a store, or cannot be written. dejank then "
        "changed nothing, but load and recompute keep the part that was complete\n",
    DJ_EXAMPLES(examples),
    .operands = {"check|exclude|export|include|load|prune|recompute", 1,
                 DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct dj_store_options),
    .run = run,
};
