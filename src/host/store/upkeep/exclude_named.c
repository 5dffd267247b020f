#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "store/loaded_batch.h"
#include "store/upkeep.h"

/* A batch, or all attempts of one of its runs. */
struct target {
    int64_t batch;  /* Key of the batch. */
    int64_t number; /* Number of the run, or 0 for the whole batch. */
    int64_t *runs;  /* Keys of the runs. The struct owns the array. */
    size_t run_count;
};

/* Parses "BATCH" or "BATCH#7". If a batch has the name "BATCH#7", it has precedence over
 * the run. */
static int parse_target(struct dj_store *history, const char *word, struct target *target,
                        struct dj_error *err)
{
    const char *hash = strrchr(word, '#');
    bool numbered = hash != NULL && hash[1] != '\0' && strlen(hash) < 12 &&
                    hash[1 + strspn(hash + 1, "0123456789")] == '\0';
    int code = dj_store_find_batch(history, word, &target->batch, err);
    if (code != DJ_E_NO_DATA || !numbered) {
        return code;
    }
    char *name = dj_xcopy(word, (size_t)(hash - word));
    target->number = strtoll(hash + 1, NULL, 10);
    code = dj_store_find_batch(history, name, &target->batch, err);
    free(name);
    return code;
}

static int add_run(void *user, const struct dj_run_row *run)
{
    struct target *target = user;
    if (run->number == target->number && !run->warmup) {
        DJ_XPUSH(target->runs, target->run_count, run->key);
    }
    return 0;
}

static int exclude_target(struct dj_store *history, const struct target *target,
                          const char *reason, struct dj_error *err)
{
    int code = 0;
    if (target->number == 0) {
        return dj_store_exclude_batch(history, target->batch, reason, err);
    }
    for (size_t i = 0; i < target->run_count && code == 0; i++) {
        code = dj_store_exclude_run(history, target->runs[i], reason, err);
    }
    return code;
}

int dj_store_exclude_named(struct dj_store *history, const char *name,
                           const char *operand, const char *reason, int64_t *number,
                           struct dj_error *err)
{
    struct target target = {0};
    int code = parse_target(history, name, &target, err);
    if (code == 0 && target.number > 0) {
        code = dj_store_read_runs(history, target.batch, add_run, &target, err);
    }
    if (code == 0 && target.number > 0 && target.run_count == 0) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "'%s': the batch has no run %" PRId64 " that is measured",
                            operand, target.number);
    }
    code = code == 0 ? exclude_target(history, &target, reason, err) : code;
    *number = target.number;
    free(target.runs);
    return code;
}
