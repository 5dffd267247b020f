/* Stores series that were read from text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../store/support.h"
#include "import/series.h"
#include "store/timeline.h"

static struct dj_series_file read_series(const char *text)
{
    static const struct dj_series_defaults none;
    struct dj_series_file file;
    struct dj_error err = {0};
    expect_ok(dj_import_read_series(text, strlen(text), &none, &file, &err), err);
    return file;
}

static int put(struct dj_store *history, const char *text,
               struct dj_store_series_counts *stored, struct dj_error *err)
{
    struct dj_series_file file = read_series(text);
    *err = (struct dj_error){0};
    int code =
        dj_store_insert_series(history, "com.example", &file, "x.csv", stored, err);
    dj_store_series_finish(&file);
    return code;
}

struct listed {
    int series, points;
    double sum;
    char last_commit[64];
};

static int list_series(void *user, const struct dj_stored_series *series)
{
    struct listed *listed = user;
    cr_assert_str_eq(series->project, "com.example");
    listed->series++;
    return 0;
}

static int list_point(void *user, const struct dj_series_point *point)
{
    struct listed *listed = user;
    listed->points++;
    listed->sum = listed->sum * 10 + point->value;
    snprintf(listed->last_commit, sizeof(listed->last_commit), "%s",
             point->commit != NULL ? point->commit : "");
    return 0;
}

static struct listed list(struct dj_store *history)
{
    const struct dj_timeline_filter any = {0};
    struct listed listed = {0};
    struct dj_error err = {0};
    expect_ok(dj_store_read_series(history, &any, list_series, &listed, &err), err);
    expect_ok(dj_store_read_points(history, 1, list_point, &listed, &err), err);
    return listed;
}

Test(series_store, series_are_stored_once)
{
    static const char text[] = "time,commit,value,unit\n"
                               "1600000000,a,1,ms\n1600000001,b,2,ms\n";
    static const char more[] =
        "time,commit,value,unit\n"
        "1600000001,b,2,ms\n1600000002,'; DROP TABLE points; --,3,ms\n";
    char *path = test_path("history.db");
    struct dj_store *history = open_store(path);
    struct dj_store_series_counts stored;
    struct dj_error err;
    expect_ok(put(history, text, &stored, &err), err);
    cr_assert_eq(stored.series, 1);
    cr_assert_eq(stored.points, 2);
    expect_ok(put(history, text, &stored, &err), err);
    cr_assert_eq(stored.series, 0);
    cr_assert_eq(stored.points, 0);
    cr_assert_eq(stored.known_points, 2);
    expect_ok(put(history, more, &stored, &err), err);
    cr_assert_eq(stored.points, 1);
    struct listed listed = list(history);
    cr_assert_eq(listed.series, 1);
    cr_assert_eq(listed.points, 3);
    cr_assert_eq(listed.sum, 123);
    cr_assert_str_eq(listed.last_commit, "'; DROP TABLE points; --");
    dj_store_close(history);
    free(path);
}

/* If a file contradicts the store, nothing of it is stored. */
Test(series_store, contradicting_series_store_nothing)
{
    static const char text[] = "time,metric,value,unit\n1600000000,p,1,ms\n";
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"time,metric,value,unit\n1600000001,a,1,ms\n1600000001,p,1,s\n",
         "series 'p' of the store has another unit"},
        {"metric,value,unit\nb,1,ms\np,1,ms\n", "series 'p' of the store has times"},
        {"metric,value\nc,1\nplain,1\nplain,3\n", "other values at the same positions"},
    };
    char *path = test_path("history.db");
    struct dj_store *history = open_store(path);
    struct dj_store_series_counts stored;
    struct dj_error err;
    expect_ok(put(history, text, &stored, &err), err);
    expect_ok(put(history, "metric,value\nplain,1\nplain,2\n", &stored, &err), err);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cr_assert_eq(put(history, cases[i].text, &stored, &err), DJ_E_INVALID);
        cr_assert_not_null(strstr(err.message, cases[i].message), "%s", err.message);
        cr_assert_eq(stored.points, 0);
        cr_assert_eq(list(history).series, 2, "%zu", i);
    }
    expect_ok(put(history, "metric,value\nplain,1\nplain,2\nplain,3\n", &stored, &err),
              err);
    cr_assert_eq(stored.points, 1, "a file without times may grow");
    dj_store_close(history);
    free(path);
}
