#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "history/sql.h"
#include "history/timeline.h"
#include "memory/memory.h"

/* {"5":3,"6":10}: what write_counts() wrote, read without a database's help, which takes
 * longer than all the rest of reading a batch. */
static bool read_bucket(const char *word, const json_t *number,
                        struct dj_histogram_bucket *bucket)
{
    char *end;
    errno = 0;
    long long key = strtoll(word, &end, 10);
    json_int_t count = json_integer_value(number);
    *bucket = (struct dj_histogram_bucket){(int32_t)key, (uint64_t)count};
    return end != word && *end == '\0' && errno == 0 && key >= INT32_MIN &&
           key <= INT32_MAX && count > 0;
}

static int read_counts(const struct dj_history *history, const char *counts,
                       struct dj_histogram *histogram, struct dj_error *err)
{
    json_t *root = json_loads(counts, JSON_REJECT_DUPLICATES, NULL), *number;
    const char *word;
    bool well = json_is_object(root);
    json_object_foreach(root, word, number)
    {
        struct dj_histogram_bucket bucket;
        well = well && read_bucket(word, number, &bucket) &&
               (histogram->count == 0 ||
                bucket.key > histogram->buckets[histogram->count - 1].key);
        if (well) {
            DJ_XPUSH(histogram->buckets, histogram->count, bucket);
        }
    }
    json_decref(root);
    return well ? 0
                : dj_error_set(err, DJ_E_INVALID,
                               "%s: a histogram is no object of counts by rising key",
                               dj_history_path(history));
}

/* $1 is the kind, $2 the batch. */
#define HISTOGRAMS                                                                       \
    "SELECT r.id, h.counts FROM runs r JOIN windows w ON w.run_id = r.id"                \
    " AND w.ordinal = 0 JOIN histograms h ON h.window_id = w.id AND h.kind = ?"          \
    " WHERE r.batch_id = ?"
#define COUNTING " AND r.warmup = 0 AND r.outcome = 'ok' AND r.excluded IS NULL"
#define IN_ORDER " ORDER BY r.order_index, r.id"

static int each_histogram(struct dj_history *history, const char *sql, int64_t batch,
                          enum dj_histogram_kind kind,
                          int (*take)(void *user, int64_t run,
                                      struct dj_histogram *histogram),
                          void *user, struct dj_error *err)
{
    struct dj_statement *statement;
    int code = dj_sql_prepare(history, &statement, err, sql, "ti",
                              dj_histogram_kind_name(kind), batch);
    while (dj_sql_next_row(statement, &code, err)) {
        struct dj_histogram histogram = {0};
        code = read_counts(history, dj_sql_word(statement, 1), &histogram, err);
        code = code == 0 ? take(user, dj_sql_int64(statement, 0), &histogram) : code;
        dj_histogram_finish(&histogram);
    }
    return code;
}

int dj_history_each_run_histogram(struct dj_history *history, int64_t batch,
                                  enum dj_histogram_kind kind,
                                  int (*take)(void *user, int64_t run,
                                              struct dj_histogram *histogram),
                                  void *user, struct dj_error *err)
{
    return each_histogram(history, HISTOGRAMS IN_ORDER, batch, kind, take, user, err);
}

static int add(void *user, int64_t run, struct dj_histogram *histogram)
{
    (void)run;
    dj_xcheck(dj_histogram_merge(user, histogram));
    return 0;
}

int dj_history_batch_histogram(struct dj_history *history, int64_t batch,
                               enum dj_histogram_kind kind,
                               struct dj_histogram *histogram, struct dj_error *err)
{
    *histogram = (struct dj_histogram){0};
    return each_histogram(history, HISTOGRAMS COUNTING IN_ORDER, batch, kind, add,
                          histogram, err);
}
