#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/store_job.h"
#include "compare/operand.h"
#include "memory/memory.h"
#include "store/upkeep.h"

/* What an operand means: a batch, or all attempts of one of its runs. */
struct target {
    int64_t batch;  /* key */
    int64_t number; /* of the run; 0: the batch itself */
    int64_t *runs;  /* keys; owned */
    size_t run_count;
};

/* "BATCH#7". A batch whose name itself ends so is meant first. */
static int parse_target(struct dj_history *history, const char *word,
                        struct target *target, struct dj_error *err)
{
    word = dj_operand_batch(word);
    const char *hash = strrchr(word, '#');
    bool numbered = hash != NULL && hash[1] != '\0' && strlen(hash) < 12 &&
                    hash[1 + strspn(hash + 1, "0123456789")] == '\0';
    int code = dj_history_resolve(history, word, &target->batch, err);
    if (code != DJ_E_NO_DATA || !numbered) {
        return code;
    }
    char *name = dj_xcopy(word, (size_t)(hash - word));
    target->number = strtoll(hash + 1, NULL, 10);
    code = dj_history_resolve(history, name, &target->batch, err);
    free(name);
    return code;
}

static int take_run(void *user, const struct dj_run_row *run)
{
    struct target *target = user;
    if (run->number == target->number && !run->warmup) {
        DJ_XPUSH(target->runs, target->run_count, run->key);
    }
    return 0;
}

static int apply(struct dj_history *history, const struct target *target,
                 const char *reason, struct dj_error *err)
{
    int code = 0;
    if (target->number == 0) {
        return dj_history_exclude_batch(history, target->batch, reason, err);
    }
    for (size_t i = 0; i < target->run_count && code == 0; i++) {
        code = dj_history_exclude_run(history, target->runs[i], reason, err);
    }
    return code;
}

static void tell(struct dj_store_job *job, const char *word, const struct target *target,
                 const char *reason)
{
    struct dj_text *text = &job->text;
    if (job->values->json) {
        dj_json_open_object(text, NULL);
        dj_json_put_string(text, "what", word);
        dj_json_put_known(text, "run", target->number > 0 ? target->number : -1);
        dj_json_close(text, "}");
        return;
    }
    dj_text_escaped_name(text, word);
    dj_text_format(text, ": the %s ", target->number > 0 ? "run" : "batch");
    dj_text_put_any_name(text, reason != NULL ? "is left out: " : "counts again",
                         reason != NULL ? reason : "", "\n");
}

static int change_one(struct dj_store_job *job, const char *word, const char *reason)
{
    struct dj_history *history = job->history;
    struct target target = {0};
    int code = parse_target(history, word, &target, &job->err);
    if (code == 0 && target.number > 0) {
        code = dj_history_each_run(history, target.batch, take_run, &target, &job->err);
    }
    if (code == 0 && target.number > 0 && target.run_count == 0) {
        code = dj_error_set(&job->err, DJ_E_NO_DATA,
                            "'%s': the batch has no run %" PRId64 " that is measured",
                            word, target.number);
    }
    code = code == 0 ? apply(history, &target, reason, &job->err) : code;
    if (code == 0) {
        tell(job, word, &target, reason);
    }
    free(target.runs);
    return code;
}

static int change_all(struct dj_store_job *job, const char *did, const char *reason)
{
    if (job->operands < 1) {
        return dj_error_set(&job->err, DJ_E_USAGE,
                            "%s: expected batches (BATCH) or runs of them (BATCH#NUMBER)",
                            did);
    }
    int code = dj_store_open(job, DJ_HISTORY_WRITE);
    if (code != 0) {
        return code;
    }
    dj_store_begin_json(job, did, NULL);
    if (job->values->json) {
        dj_json_put_string(&job->text, "reason", reason);
        dj_json_open_array(&job->text, "changed");
    }
    for (int i = 0; i < job->operands && code == 0; i++) {
        code = change_one(job, job->operand[i], reason);
    }
    dj_store_close_array(job);
    dj_store_end_json(job);
    return code;
}

int dj_store_exclude(struct dj_store_job *job)
{
    const char *reason = job->values->reason;
    if (reason == NULL || reason[strspn(reason, " \t\n")] == '\0') {
        return dj_error_set(
            &job->err, DJ_E_USAGE,
            "exclude: expected --reason WHY, which stays with the runs. A figure is no "
            "reason: choosing runs by their result makes every comparison wrong");
    }
    return change_all(job, "exclude", reason);
}

int dj_store_include(struct dj_store_job *job)
{
    if (job->values->reason != NULL) {
        return dj_error_set(
            &job->err, DJ_E_USAGE,
            "include: takes no --reason; it takes the one of exclude away");
    }
    return change_all(job, "include", NULL);
}
