#include <errno.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "store/sql/statement.h"
#include "store/timeline.h"

/* Reads one number of a text such as {"5":3,"6":10} (see write_counts()). The histograms
 * are parsed here, because the JSON functions of the database take longer than all other
 * work of reading a batch. */
static bool read_number(const char **at, long long *number)
{
    char *end;
    errno = 0;
    *number = strtoll(*at, &end, 10);
    bool read = end != *at && errno == 0;
    *at = end;
    return read;
}

static bool read_sign(const char **at, char sign)
{
    while (**at == ' ' || **at == '\n') {
        (*at)++;
    }
    bool is = **at == sign;
    *at += is;
    return is;
}

static bool read_bucket(const char **at, struct dj_histogram_bucket *bucket)
{
    long long key;
    long long count;
    bool read = read_sign(at, '"') && read_number(at, &key) && read_sign(at, '"') &&
                read_sign(at, ':') && read_number(at, &count);
    if (!read || key < INT32_MIN || key > INT32_MAX || count <= 0) {
        return false;
    }
    *bucket = (struct dj_histogram_bucket){(int32_t)key, (uint64_t)count};
    return true;
}

static int read_counts(const struct dj_store *store, const char *counts,
                       struct dj_histogram *histogram, struct dj_error *err)
{
    const char *at = counts;
    bool well = read_sign(&at, '{');
    while (well && !read_sign(&at, '}')) {
        struct dj_histogram_bucket bucket;
        size_t count = histogram->count;
        well = (count == 0 || read_sign(&at, ',')) && read_bucket(&at, &bucket) &&
               (count == 0 || bucket.key > histogram->buckets[count - 1].key);
        if (well) {
            DJ_XPUSH(histogram->buckets, histogram->count, bucket);
        }
    }
    return well && *at == '\0'
               ? 0
               : dj_error_set(
                     err, DJ_E_INVALID,
                     "%s: a histogram is not an object of counts with rising keys",
                     dj_store_path(store));
}

/* The first parameter is the kind, the second the batch. */
#define HISTOGRAMS                                                                       \
    "SELECT r.id, h.counts FROM runs r JOIN windows w ON w.run_id = r.id"                \
    " AND w.ordinal = 0 JOIN histograms h ON h.window_id = w.id AND h.kind = ?"          \
    " WHERE r.batch_id = ?"
#define COUNTING " AND r.warmup = 0 AND r.outcome = 'ok' AND r.excluded IS NULL"
#define IN_ORDER " ORDER BY r.order_index, r.id"

static int read_histograms(struct dj_store *store, const char *sql, int64_t batch,
                           enum dj_histogram_kind kind,
                           int (*callback)(void *user, int64_t run,
                                           struct dj_histogram *histogram),
                           void *user, struct dj_error *err)
{
    struct dj_statement *statement;
    int code = dj_sql_prepare(store, &statement, err, sql, "ti",
                              dj_metrics_histogram_kind_name(kind), batch);
    while (dj_sql_next_row(statement, &code, err)) {
        struct dj_histogram histogram = {0};
        code = read_counts(store, dj_sql_word(statement, 1), &histogram, err);
        code = code == 0 ? callback(user, dj_sql_int64(statement, 0), &histogram) : code;
        dj_exponential_finish(&histogram);
    }
    return code;
}

int dj_store_read_run_histograms(struct dj_store *store, int64_t batch,
                                 enum dj_histogram_kind kind,
                                 int (*callback)(void *user, int64_t run,
                                                 struct dj_histogram *histogram),
                                 void *user, struct dj_error *err)
{
    return read_histograms(store, HISTOGRAMS IN_ORDER, batch, kind, callback, user, err);
}

static int add_histogram(void *user, int64_t run, struct dj_histogram *histogram)
{
    (void)run;
    dj_xcheck(dj_exponential_merge(user, histogram));
    return 0;
}

int dj_store_read_batch_histogram(struct dj_store *store, int64_t batch,
                                  enum dj_histogram_kind kind,
                                  struct dj_histogram *histogram, struct dj_error *err)
{
    *histogram = (struct dj_histogram){0};
    return read_histograms(store, HISTOGRAMS COUNTING IN_ORDER, batch, kind,
                           add_histogram, histogram, err);
}
