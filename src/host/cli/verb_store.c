#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/store_job.h"
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

/* ---- check ---- */

static void tell_problem(void *user, const char *sentence)
{
    struct dj_store_job *job = user;
    if (job->values->json) {
        dj_json_string(&job->text, sentence);
    } else {
        dj_text_escaped(&job->text, sentence, strlen(sentence));
        dj_text_string(&job->text, "\n");
    }
}

static void end_check(struct dj_store_job *job, const struct dj_history_checked *checked)
{
    struct dj_text *text = &job->text;
    if (job->values->json) {
        dj_store_close_array(job);
        dj_json_put_int(text, "problem_count", checked->problems);
        dj_json_put_int(text, "batches", checked->batches);
        dj_json_put_int(text, "runs", checked->runs);
        dj_json_put_int(text, "windows", checked->windows);
        dj_json_put_int(text, "evidence", checked->evidence);
        dj_json_put_int(text, "older_figures", checked->older_figures);
        dj_store_end_json(job);
        return;
    }
    dj_store_put_count(text, "", checked->batches, "batch", "batches");
    dj_store_put_count(text, ", ", checked->runs, "run", "runs");
    dj_store_put_count(text, ", ", checked->evidence, "piece", "pieces");
    dj_store_put_count(text, " of evidence: ", checked->problems, "problem", "problems");
    dj_text_string(text, "\n");
    if (checked->problems > DJ_HISTORY_PROBLEMS) {
        dj_text_format(text, "(the first %d of them are told)\n", DJ_HISTORY_PROBLEMS);
    }
    if (checked->older_figures > 0) {
        dj_store_put_count(text, "figures of ", checked->older_figures, "run", "runs");
        dj_text_string(text, " were computed by an earlier version: dejank store "
                             "recompute\n");
    }
}

static int check(struct dj_store_job *job)
{
    struct dj_history_checked checked;
    int code = dj_store_open(job, DJ_HISTORY_READ);
    if (code != 0) {
        return code;
    }
    dj_store_begin_json(job, "check", "problems");
    code = dj_history_check(job->history, tell_problem, job, &checked, &job->err);
    end_check(job, &checked);
    job->exit = checked.problems > 0 ? DJ_EXIT_DATA : DJ_EXIT_OK;
    return code;
}

/* ---- export, load ---- */

static void tell_moved(struct dj_store_job *job, const char *what, const char *path,
                       const struct dj_history_moved *moved)
{
    struct dj_text *text = &job->text;
    if (job->values->json) {
        dj_json_open_object(text, NULL);
        dj_json_put_string(text, "file", path);
        dj_json_put_int(text, "batches", moved->batches);
        dj_json_put_int(text, "runs", moved->runs);
        dj_json_put_int(text, "known_runs", moved->known_runs);
        dj_json_put_int(text, "renumbered_runs", moved->renumbered_runs);
        dj_json_put_int(text, "evidence", moved->evidence);
        dj_json_put_int(text, "evidence_bytes", moved->evidence_bytes);
        dj_json_close(text, "}");
        return;
    }
    dj_text_put_any_name(text, "", path, ": ");
    dj_text_string(text, what);
    dj_store_put_count(text, " ", moved->batches, "batch", "batches");
    dj_store_put_count(text, ", ", moved->runs, "run", "runs");
    if (moved->known_runs > 0) {
        dj_store_put_count(text, "; ", moved->known_runs, "run was", "runs were");
        dj_text_string(text, " there already");
    }
    if (moved->renumbered_runs > 0) {
        dj_text_format(text, "; %" PRId64 " became further attempts",
                       moved->renumbered_runs);
    }
    dj_text_string(text, "\n");
}

static int export_batches(struct dj_store_job *job, int64_t *keys)
{
    struct dj_history_moved moved;
    for (int i = 1; i < job->operands; i++) {
        int code = dj_history_resolve(job->history, dj_operand_batch(job->operand[i]),
                                      &keys[i - 1], &job->err);
        if (code != 0) {
            return code;
        }
    }
    int code = dj_history_export(job->history, job->operand[0], keys,
                                 (size_t)job->operands - 1, &moved, &job->err);
    if (code == 0) {
        dj_store_begin_json(job, "export", "files");
        tell_moved(job, "wrote", job->operand[0], &moved);
        dj_store_close_array(job);
        dj_store_end_json(job);
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
    int code = dj_store_open(job, DJ_HISTORY_READ);
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
    int code = dj_store_open(job, DJ_HISTORY_CREATE);
    if (code != 0) {
        return code;
    }
    dj_store_begin_json(job, "load", "files");
    for (int i = 0; i < job->operands && code == 0; i++) {
        struct dj_history_moved moved;
        code = dj_history_load(job->history, job->operand[i], &moved, &job->err);
        if (code == 0) {
            tell_moved(job, "loaded", job->operand[i], &moved);
        }
    }
    dj_store_close_array(job);
    dj_store_end_json(job);
    return code;
}

/* ---- recompute ---- */

static int recompute(struct dj_store_job *job)
{
    struct dj_history_recomputed done;
    int code = dj_store_open(job, DJ_HISTORY_WRITE);
    if (code != 0) {
        return code;
    }
    code = dj_history_recompute(job->history, &done, &job->err);
    dj_store_begin_json(job, "recompute", NULL);
    if (job->values->json) {
        dj_json_put_int(&job->text, "runs", done.runs);
        dj_json_put_int(&job->text, "changed", done.changed);
    } else {
        dj_store_put_count(&job->text, "computed the figures of ", done.runs, "run",
                           "runs");
        dj_text_format(&job->text, " anew: %" PRId64 " changed\n", done.changed);
    }
    dj_store_end_json(job);
    return code;
}

/* ---- the verb ---- */

static const struct {
    const char *name;
    int (*run)(struct dj_store_job *job);
    bool takes_words;
} jobs[] = {
    {"check", check, false},
    {"exclude", dj_store_exclude, true},
    {"export", export, true},
    {"include", dj_store_include, true},
    {"load", load, true},
    {"prune", dj_store_prune, false},
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
    struct dj_store_job job = {.values = values};
    int which = count > 0 ? find_job(operands[0]) : -1;
    if (which >= 0 && !jobs[which].takes_words && count > 1) {
        return dj_refuse("'%s': %s takes nothing but options (dejank store --help)",
                         operands[1], jobs[which].name);
    }
    if (which < 0) {
        return dj_refuse("expected check, export, load, prune, recompute, "
                         "exclude or include (see dejank store --help)");
    }
    job.operands = count - 1;
    job.operand = operands + 1;
    int code = jobs[which].run(&job);
    dj_history_close(job.history);
    if (code != 0 && job.values->json) {
        dj_text_clear(&job.text); /* half an object is none */
    }
    int result = dj_output_end(code, &job.text, &job.err);
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
