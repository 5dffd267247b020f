#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/sql/statement.h"
#include "store/timeline.h"
#include "store/upkeep.h"
#include "support.h"

/* ---- batches and runs ---- */

struct seen {
    int batches, runs;
    int64_t keys[8], run_of[16];
    double values[16][2];
};

static int see_batch(void *user, const struct dj_timeline_batch *batch)
{
    struct seen *seen = user;
    cr_assert_str_eq(batch->project, "com.example");
    cr_assert_str_eq(batch->version, "1.0");
    cr_assert_str_eq(batch->serial, "serial-1");
    cr_assert_eq(strlen(batch->device), 64);
    seen->keys[seen->batches++] = batch->key;
    return 0;
}

static int see_run(void *user, int64_t batch, const double *values)
{
    struct seen *seen = user;
    seen->run_of[seen->runs] = batch;
    memcpy(seen->values[seen->runs++], values, 2 * sizeof(double));
    return 0;
}

static const enum dj_metric metrics[] = {DJ_METRIC_FRAMES, DJ_METRIC_FRAME_TIME_P95};

static struct seen read_timeline(struct dj_store *store,
                                 const struct dj_timeline_filter *filter)
{
    struct seen seen = {0};
    struct dj_error err = {0};
    expect_ok(dj_store_read_timeline_batches(store, filter, see_batch, &seen, &err), err);
    expect_ok(
        dj_store_read_timeline_runs(store, filter, metrics, 2, see_run, &seen, &err),
        err);
    return seen;
}

Test(timeline, valid_runs_come_in_order)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    struct dj_timeline_filter filter = {0};
    int64_t first = add_batch(store, "scroll", 2);
    int64_t second = add_batch(store, "scroll", 3);
    int64_t out = add_batch(store, "fling", 2);
    add_run(store, second, 9, DJ_RUN_NO_FRAMES);
    struct seen seen = read_timeline(store, &filter);
    cr_assert_eq(seen.batches, 3);
    cr_assert_eq(seen.keys[0], first);
    cr_assert_eq(seen.keys[1], second);
    cr_assert_eq(seen.runs, 7);
    cr_assert_eq(seen.values[0][0], 51);
    cr_assert_gt(seen.values[0][1], 8e6);
    filter.flow = "scroll";
    cr_assert_eq(read_timeline(store, &filter).runs, 5);
    filter.project = "com.example";
    filter.serial = "serial-1";
    filter.since_unix_ms = 1;
    cr_assert_eq(read_timeline(store, &filter).runs, 5);
    char keys[64];
    snprintf(keys, sizeof(keys), "%lld,%lld,999", (long long)out, (long long)second);
    filter.keys = keys;
    seen = read_timeline(store, &filter);
    cr_assert_eq(seen.batches, 2, "keys override other members");
    cr_assert_eq(seen.keys[0], second);
    cr_assert_eq(seen.runs, 5);
    filter.keys = "";
    cr_assert_eq(read_timeline(store, &filter).batches, 0);
    filter.keys = NULL;
    filter.serial = "'; DROP TABLE runs; --";
    cr_assert_eq(read_timeline(store, &filter).batches, 0);
    filter = (struct dj_timeline_filter){0};
    expect_ok(dj_store_exclude_batch(store, out, "hot", &err), err);
    cr_assert_eq(read_timeline(store, &filter).batches, 2);
    cr_assert_eq(read_timeline(store, &filter).runs, 5);
    struct dj_histogram histogram;
    expect_ok(dj_store_read_batch_histogram(store, second, DJ_HISTOGRAM_FRAME_TIME,
                                            &histogram, &err),
              err);
    uint64_t frames = 0;
    for (size_t i = 0; i < histogram.count; i++) {
        frames += histogram.buckets[i].count;
    }
    cr_assert_eq(frames, 51 + 52 + 53);
    dj_exponential_finish(&histogram);
    dj_store_close(store);
    free(path);
}

/* Except for a query of all batches, no query scans a table. The time of a query then
 * depends on the size of its result, even in a store of 100 000 runs. */
Test(timeline, every_step_uses_an_index)
{
    static const struct dj_timeline_filter filters[] = {
        {0},
        {.project = "p"},
        {.project = "p", .flow = "f"},
        {.serial = "s"},
        {.since_unix_ms = 5},
        {.project = "p", .flow = "f", .serial = "s", .since_unix_ms = 5},
        {.keys = "1,2"}};
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        struct dj_text sql = {0};
        sqlite3_stmt *statement;
        int steps = 0;
        dj_text_add(&sql, "EXPLAIN QUERY PLAN ");
        dj_store_format_timeline_sql(store, &sql, &filters[i], metrics, 2);
        cr_assert_eq(sqlite3_prepare_v2(db, dj_text_get(&sql), -1, &statement, NULL),
                     SQLITE_OK, "%s: %s", dj_text_get(&sql), sqlite3_errmsg(db));
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const char *step = (const char *)sqlite3_column_text(statement, 3);
            bool whole = i == 0 && steps == 0 && strncmp(step, "SCAN", 4) == 0;
            bool words = strncmp(step, "SCALAR", 6) == 0 ||
                         strncmp(step, "LIST", 4) == 0 ||
                         strncmp(step, "SCAN named VIRTUAL", 18) == 0;
            cr_assert(whole || words || strstr(step, "SEARCH") != NULL, "%zu: %s", i,
                      step);
            steps++;
        }
        cr_assert_geq(steps, 4, "%zu", i);
        sqlite3_finalize(statement);
        dj_text_finish(&sql);
    }
    sqlite3_close(db);
    dj_store_close(store);
    free(path);
}

static int note_commit(void *user, const char *commit)
{
    dj_text_format(user, "%s ", commit);
    return 0;
}

Test(timeline, commits_between_two_times_come_newest_first)
{
    static const struct {
        const char *commit;
        int64_t at;
    } made[] = {{"old", 99},    {"first", 101}, {NULL, 102},
                {"first", 103}, {"last", 104},  {"new", 105}};
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    struct dj_text found = {0};
    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
        const struct dj_store_batch batch = {
            .project = "app",
            .build = {.version = "1", .commit = made[i].commit},
            .name = "scroll",
            .kind = "run",
            .device = {.serial = "s", .kind = "adb"}};
        char id[DJ_STORE_ID_BYTES];
        char sql[96];
        int64_t key;
        expect_ok(dj_store_begin_batch(store, &batch, id, &key, &err), err);
        snprintf(sql, sizeof(sql),
                 "UPDATE batches SET began_unix_ms = %lld WHERE id = %lld",
                 (long long)made[i].at, (long long)key);
        expect_ok(dj_sql_run(store, &err, sql, ""), err);
    }
    expect_ok(
        dj_store_read_commits_between(store, "app", 99, 105, note_commit, &found, &err),
        err);
    cr_assert_str_eq(dj_text_get(&found), "last first first ");
    expect_ok(
        dj_store_read_commits_between(store, "other", 0, 999, note_commit, &found, &err),
        err);
    cr_assert_str_eq(dj_text_get(&found), "last first first ");
    dj_text_finish(&found);
    dj_store_close(store);
    free(path);
}

static int pass_batch(void *user, const struct dj_batch_row *batch)
{
    (void)user;
    (void)batch;
    return 0;
}

static int count_batch(void *user, const struct dj_batch_row *batch)
{
    (void)batch;
    *(int *)user += 1;
    return 0;
}

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* Returns whether the query plan for the filter contains the step. */
static bool explains(struct dj_store *store, const struct dj_batch_filter *filter,
                     const char *step)
{
    struct dj_text plans = {0};
    struct dj_error err = {0};
    dj_store_explain(store, &plans);
    expect_ok(dj_store_read_batches(store, filter, pass_batch, NULL, &err), err);
    size_t length = plans.length;
    cr_assert_gt(length, 0);
    expect_ok(dj_store_read_batches(store, filter, pass_batch, NULL, &err), err);
    cr_assert_eq(plans.length, length, "each statement is appended once");
    dj_store_explain(store, NULL);
    bool found = strstr(dj_text_get(&plans), step) != NULL;
    cr_assert(found, "%s: %s", step, dj_text_get(&plans));
    dj_text_finish(&plans);
    return found;
}

Test(timeline, batch_query_uses_the_index_of_its_filter)
{
    static const struct {
        struct dj_batch_filter filter;
        const char *step;
    } cases[] = {
        {{0}, "SCAN b USING INDEX batches_began\n"},
        {{.key = 1}, "SEARCH b USING INTEGER PRIMARY KEY (rowid=?)\n"},
        {{.project = "p"}, "SEARCH b USING INDEX batches_project (project_id=?)\n"},
        {{.name = "f"}, "SEARCH b USING INDEX batches_name (name=?)\n"},
        {{.serial = "s"}, "SEARCH b USING INDEX batches_device (device_id=?)\n"},
        {{.group = "g"}, "SEARCH b USING INDEX batches_group (group_uid=?)\n"},
    };
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cr_assert(explains(store, &cases[i].filter, cases[i].step));
    }
    dj_store_close(store);
    free(path);
}

/* Checks each member of a filter, alone and with the others, with batches that match it
 * and batches that do not. */
Test(timeline, filters_select_matching_batches)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    int64_t first = add_batch(store, "scroll", 1);
    int64_t second = add_batch(store, "fling", 1);
    const struct {
        struct dj_batch_filter filter;
        int batches;
    } cases[] = {
        {{0}, 2},
        {{.most = 1}, 1},
        {{.key = first}, 1},
        {{.key = second + 1}, 0},
        {{.key = first, .name = "fling"}, 0},
        {{.project = "com.example"}, 2},
        {{.project = "com"}, 0},
        {{.name = "fling", .serial = "serial-1", .project = "com.example"}, 1},
        {{.serial = "serial"}, 0},
        {{.group = "none"}, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int batches = 0;
        struct dj_error err = {0};
        expect_ok(
            dj_store_read_batches(store, &cases[i].filter, count_batch, &batches, &err),
            err);
        cr_assert_eq(batches, cases[i].batches, "%zu: %d", i, batches);
    }
    dj_store_close(store);
    free(path);
}

/* ---- the batches before ---- */

static struct seen read_past(struct dj_store *store, int64_t least, int64_t most)
{
    const struct dj_past_filter filter = {.project = "com.example",
                                          .flow = "scroll",
                                          .device_key = 1,
                                          .before_unix_ms = INT64_MAX,
                                          .least_runs = least,
                                          .most = most};
    struct seen seen = {0};
    struct dj_error err = {0};
    expect_ok(dj_store_read_past_runs(store, &filter, metrics, 2, see_run, &seen, &err),
              err);
    return seen;
}

Test(timeline, past_batches_come_newest_first)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    int64_t oldest = add_batch(store, "scroll", 2);
    int64_t small = add_batch(store, "scroll", 1);
    int64_t out = add_batch(store, "scroll", 3);
    int64_t newest = add_batch(store, "scroll", 3);
    add_batch(store, "fling", 3);
    add_run(store, small, 2, DJ_RUN_NO_FRAMES);
    expect_ok(dj_store_exclude_batch(store, out, "hot", &err), err);
    struct seen seen = read_past(store, 2, 20);
    cr_assert_eq(seen.runs, 5);
    cr_assert_eq(seen.run_of[0], newest);
    cr_assert_eq(seen.run_of[2], newest);
    cr_assert_eq(seen.run_of[3], oldest);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(seen.values[i][0], 51 + i, "in the order of measurement");
    }
    cr_assert_eq(read_past(store, 1, 20).runs, 6);
    cr_assert_eq(read_past(store, 2, 1).runs, 3);
    change(path, "DELETE FROM metrics WHERE window_id IN (SELECT w.id FROM windows w JOIN"
                 " runs r ON r.id = w.run_id WHERE r.batch_id = 1)");
    seen = read_past(store, 2, 20);
    cr_assert_eq(seen.runs, 5, "a run without figures has unknown values");
    cr_assert(isnan(seen.values[3][0]));
    dj_store_close(store);
    free(path);
}

/* ---- accepted shifts ---- */

struct blessed {
    int count, withdrawn;
    char why[64];
};

static int see_blessing(void *user, const struct dj_blessing *blessing)
{
    struct blessed *blessed = user;
    blessed->count++;
    blessed->withdrawn += blessing->withdrawn != NULL;
    snprintf(blessed->why, sizeof(blessed->why), "%s", blessing->why);
    cr_assert(blessing->up);
    cr_assert_eq(blessing->from_unix_ms, 0, "0 is a valid time");
    cr_assert_eq(blessing->from_ordinal, -1);
    cr_assert_gt(blessing->made_unix_ms, 0);
    return 0;
}

Test(timeline, blessings_can_be_withdrawn)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    char id[DJ_STORE_ID_BYTES];
    struct blessed blessed = {0};
    struct dj_blessing blessing = {.project = "com.example",
                                   .metric = "p95",
                                   .up = true,
                                   .from_unix_ms = 0,
                                   .from_point = "1.1",
                                   .who = "me",
                                   .why = "'; DROP TABLE blessings; --"};
    cr_assert_eq(dj_store_add_blessing(store, &blessing, id, &err), DJ_E_NO_DATA);
    add_batch(store, "scroll", 0);
    expect_ok(dj_store_add_blessing(store, &blessing, id, &err), err);
    expect_ok(dj_store_read_blessings(store, NULL, see_blessing, &blessed, &err), err);
    cr_assert_eq(blessed.count, 1);
    cr_assert_str_eq(blessed.why, blessing.why);
    cr_assert_eq(dj_store_withdraw_blessing(store, "zz", "no", &err), DJ_E_NO_DATA);
    id[6] = '\0';
    expect_ok(dj_store_withdraw_blessing(store, id, "a mistake", &err), err);
    cr_assert_eq(dj_store_withdraw_blessing(store, id, "again", &err), DJ_E_NO_DATA);
    blessed = (struct blessed){0};
    expect_ok(dj_store_read_blessings(store, "com.example", see_blessing, &blessed, &err),
              err);
    cr_assert_eq(blessed.withdrawn, 1);
    cr_assert_eq(blessed.count, 1);
    dj_store_close(store);
    free(path);
}
