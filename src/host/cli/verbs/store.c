#include <stdlib.h>
#include <string.h>

#include "cli/store/job.h"
#include "cli/verbs.h"
#include "compare/operand.h"
#include "memory/memory.h"
#include "store/upkeep.h"

#define AT(member) offsetof(struct dj_store_options, member)
static const struct dj_option options[] = {
    {"older-than", 0, DJ_OPTION_STRING, AT(older_than), "AGE",
     "prune: batches begun longer ago, such as 90d or 12h"},
    {"reason", 0, DJ_OPTION_STRING, AT(reason), "WHY",
     "exclude: why, such as 'somebody used the phone'"},
    {"keep", 0, DJ_OPTION_COUNT, AT(keep), "N",
     "prune: leave the newest N of each project and device"},
    {"recordings", 0, DJ_OPTION_FLAG, AT(recordings), NULL,
     "prune: recordings of dejank record that have ended, instead of batches"},
    {"name", 0, DJ_OPTION_STRING, AT(name), "PKG",
     "prune: with --recordings, only those of this name"},
    {"temporary", 0, DJ_OPTION_FLAG, AT(temporary), NULL,
     "prune: with --recordings, only those left by dejank run"},
    {"yes", 0, DJ_OPTION_FLAG, AT(yes), NULL,
     "prune: delete them; else they are only named"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "as JSON, schema dejank.store/1"},
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
        return dj_error_set(
            &job->err, DJ_E_USAGE,
            "export: expected the file to write, and the batches (none: all)");
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
        return dj_error_set(&job->err, DJ_E_USAGE, "load: expected files");
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
    bool takes_words;
} jobs[] = {
    {"check", check_store, false},
    {"exclude", dj_store_exclude, true},
    {"export", export, true},
    {"include", dj_store_include, true},
    {"load", load, true},
    {"prune", dj_store_job_prune, false},
    {"recompute", recompute, false},
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

static int run(void *given, int count, char **operands)
{
    struct dj_store_options *values = given;
    struct dj_store_job job = {.values = values, .page = {.json = values->json}};
    int which = count > 0 ? find_job(operands[0]) : -1;
    if (which >= 0 && !jobs[which].takes_words && count > 1) {
        return dj_cli_print_usage_error(
            "'%s': %s takes nothing but options (dejank store --help)", operands[1],
            jobs[which].name);
    }
    if (which < 0) {
        return dj_cli_print_usage_error("expected check, export, load, prune, recompute, "
                                        "exclude or include (see dejank store --help)");
    }
    job.operands = count - 1;
    job.operand = operands + 1;
    int code = jobs[which].run(&job);
    dj_store_close(job.history);
    if (code != 0 && job.values->json) {
        dj_text_clear(&job.page.text); /* the document is incomplete */
    }
    int result = dj_cli_finish_output(code, &job.page.text, &job.err);
    return result == DJ_EXIT_OK ? job.exit : result;
}

const struct dj_verb dj_verb_store = {
    .name = "store",
    .synopsis = "check|export OUT.db [BATCH…]|load FILE…|exclude|include "
                "BATCH[#RUN]…|prune|recompute [--store PATH|URL]",
    .summary = "keep the store: check it, hand batches over, leave runs out, compute "
               "figures anew, prune",
    .details =
        "  check                 the file, every piece of evidence, and that each figure "
        "is that of its evidence\n"
        "  export OUT.db BATCH…  batches (none named: all) as one file, which may not be "
        "there yet\n"
        "  load FILE…            puts the batches of such files, or of other stores, in; "
        "twice is once\n"
        "  exclude BATCH[#RUN]…  leaves batches, or runs of them (all attempts of that "
        "number), out of what counts,\n"
        "                        with --reason WHY; nothing is deleted, and run --resume "
        "makes such a run anew\n"
        "  include BATCH[#RUN]…  they count again\n"
        "  prune                 names batches that --older-than and --keep let go "
        "(both, where both are given);\n"
        "                        with --yes deletes them and all that is only theirs\n"
        "  prune --recordings    lists the recordings of dejank record that have ended, "
        "or those that --older-than,\n"
        "                        --keep and --name select; with --yes deletes them\n"
        "  recompute             computes every figure anew from the evidence\n"
        "Exit code 4 where a store is damaged, is none, or cannot be written; what was "
        "there stays as it was.",
    DJ_OPTIONS(options, struct dj_store_options),
    .run = run,
};
