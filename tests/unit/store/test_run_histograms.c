#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

struct sum {
    struct dj_histogram whole;
    int64_t runs[8];
    size_t count;
};

static int add_histogram(void *user, int64_t run, struct dj_histogram *histogram)
{
    struct sum *sum = user;
    cr_assert_lt(sum->count, 8);
    sum->runs[sum->count++] = run;
    return dj_exponential_merge(&sum->whole, histogram) ? 0 : DJ_E_NO_MEMORY;
}

static int read_all(const char *path, int64_t batch, struct sum *sum,
                    struct dj_error *err)
{
    struct dj_store *store = NULL;
    expect_ok(dj_store_open(path, DJ_STORE_READ, &store, err), *err);
    int code = dj_store_read_run_histograms(store, batch, DJ_HISTOGRAM_FRAME_TIME,
                                            add_histogram, sum, err);
    dj_store_close(store);
    return code;
}

static int read_whole_run(void *user, const struct dj_window_row *window)
{
    int64_t *key = user;
    *key = window->ordinal == 0 ? window->key : *key;
    return 0;
}

/* Reads the same histograms one by one with the JSON functions of the database. */
static struct dj_histogram read_each(const char *path, const struct sum *sum)
{
    struct dj_histogram all = {0};
    struct dj_store *store = NULL;
    struct dj_error err = {0};
    expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
    for (size_t i = 0; i < sum->count; i++) {
        struct dj_histogram one;
        int64_t window = 0;
        expect_ok(
            dj_store_read_windows(store, sum->runs[i], read_whole_run, &window, &err),
            err);
        expect_ok(
            dj_store_read_histogram(store, window, DJ_HISTOGRAM_FRAME_TIME, &one, &err),
            err);
        cr_assert(dj_exponential_merge(&all, &one));
        dj_exponential_finish(&one);
    }
    dj_store_close(store);
    return all;
}

static void set_counts(const char *path, const char *counts)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db,
                                    "UPDATE histograms SET counts = ? WHERE kind = "
                                    "'frame-time-ns'",
                                    -1, &statement, NULL),
                 SQLITE_OK);
    sqlite3_bind_text(statement, 1, counts, -1, SQLITE_STATIC);
    cr_assert_eq(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

Test(run_histograms, each_run_has_its_histogram_in_order)
{
    char *path = test_path("a.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    struct sum sum = {0};
    int64_t batch = add_batch(store, "one", 3);
    add_batch(store, "other", 2);
    dj_store_close(store);
    expect_ok(read_all(path, batch, &sum, &err), err);
    cr_assert_eq(sum.count, 3);
    struct dj_histogram each = read_each(path, &sum);
    cr_assert_gt(each.count, 0);
    cr_assert_eq(sum.whole.count, each.count);
    for (size_t i = 0; i < each.count; i++) {
        cr_assert_eq(sum.whole.buckets[i].key, each.buckets[i].key);
        cr_assert_eq(sum.whole.buckets[i].count, each.buckets[i].count);
    }
    dj_exponential_finish(&each);
    dj_exponential_finish(&sum.whole);
    sum = (struct sum){0};
    expect_ok(read_all(path, 99, &sum, &err), err);
    cr_assert_eq(sum.count, 0);
    free(path);
}

Test(run_histograms, only_whole_numbers_are_read)
{
    static const struct {
        const char *counts;
        bool well;
    } cases[] = {
        {"{\"5\":3,\"6\":10}", true},
        {"{}", true},
        {"{\"-2147483648\":1}", true},
        {"{ \"5\": 3, \"6\": 1 }", true},
        {"", false},
        {"[]", false},
        {"{\"5\":3", false},
        {"{\"5\":3,}", false},
        {"{\"5\":0}", false},
        {"{\"5\":-1}", false},
        {"{\"6\":1,\"5\":1}", false},
        {"{\"5\":1,\"5\":1}", false},
        {"{\"5\":1}x", false},
        {"{\"9999999999\":1}", false},
        {"{\"a\":1}", false},
        {"{5:1}", false},
        {"{\"5\":99999999999999999999}", false},
    };
    char *path = test_path("b.db");
    struct dj_store *store = open_store(path);
    int64_t batch = add_batch(store, "one", 1);
    dj_store_close(store);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sum sum = {0};
        struct dj_error err = {0};
        set_counts(path, cases[i].counts);
        int code = read_all(path, batch, &sum, &err);
        cr_assert_eq(code, cases[i].well ? 0 : DJ_E_INVALID, "%s: %s", cases[i].counts,
                     err.message);
        cr_assert(cases[i].well || strstr(err.message, "histogram") != NULL);
        dj_exponential_finish(&sum.whole);
    }
    free(path);
}
