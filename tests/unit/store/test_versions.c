/* Tests stores of an older version: a reader leaves them unchanged, and a writer migrates
 * them. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/browse.h"
#include "store/sql/schema.h"
#include "store/upkeep.h"
#include "support.h"

static const char rows[] =
    "INSERT INTO projects VALUES (1, 'com.example');"
    "INSERT INTO builds VALUES (1, 1, '1.0', 'abc', NULL);"
    "INSERT INTO devices VALUES (1, 'serial-1', 'adb', 'Pixel', '14', 'identity');"
    "INSERT INTO batches (id, uid, project_id, build_id, device_id, name, kind, dejank,"
    " began_unix_ms) VALUES (1, 'aaaaaaaaaaaaaaaa', 1, 1, 1, 'scroll', 'run', '0.1', 7)";

/* Creates a store with this version of the schema. */
static void make_old(const char *path, int version)
{
    sqlite3 *db;
    char pragmas[96];
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    for (int i = 0; i < version; i++) {
        cr_assert_eq(sqlite3_exec(db, dj_schema_steps[i], NULL, NULL, NULL), SQLITE_OK);
    }
    cr_assert_eq(sqlite3_exec(db, rows, NULL, NULL, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    snprintf(pragmas, sizeof(pragmas),
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             DJ_SCHEMA_APPLICATION, version);
    cr_assert_eq(sqlite3_exec(db, pragmas, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static int64_t query_number(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    int64_t answer = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return answer;
}

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    sqlite3_close(db);
}

static const char new_tables[] = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
                                 " AND name IN ('series', 'points', 'blessings')";

static int count_batch(void *user, const struct dj_batch_row *batch)
{
    cr_assert_str_eq(batch->name, "scroll");
    *(int *)user += 1;
    return 0;
}

static void expect_one_batch(struct dj_store *store)
{
    const struct dj_batch_filter any = {0};
    struct dj_error err = {0};
    int batches = 0;
    expect_ok(dj_store_read_batches(store, &any, count_batch, &batches, &err), err);
    cr_assert_eq(batches, 1);
}

Test(versions, reader_leaves_version_1_unchanged)
{
    char *path = test_path("history.db");
    struct dj_store *store;
    struct dj_error err = {0};
    make_old(path, 1);
    expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
    expect_one_batch(store);
    dj_store_close(store);
    cr_assert_eq(query_number(path, "PRAGMA user_version"), 1);
    cr_assert_eq(query_number(path, new_tables), 0);
    free(path);
}

Test(versions, writer_migrates_version_1)
{
    static const enum dj_store_mode modes[] = {DJ_STORE_WRITE, DJ_STORE_CREATE};
    for (size_t i = 0; i < 2; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%zu.db", i);
        char *path = test_path(name);
        struct dj_store *store;
        struct dj_error err = {0};
        make_old(path, 1);
        expect_ok(dj_store_open(path, modes[i], &store, &err), err);
        expect_one_batch(store);
        add_batch(store, "scroll", 1);
        dj_store_close(store);
        cr_assert_eq(query_number(path, "PRAGMA user_version"), DJ_SCHEMA_VERSION);
        cr_assert_eq(query_number(path, new_tables), 3);
        cr_assert_eq(query_number(path, "SELECT count(*) FROM batches"), 2);
        expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
        dj_store_close(store);
        free(path);
    }
}

/* The steps and the tables of a version give the same schema. */
Test(versions, steps_equal_the_tables_of_a_version)
{
    for (int version = 1; version <= DJ_SCHEMA_VERSION; version++) {
        struct dj_text tables = {0};
        char name[16];
        snprintf(name, sizeof(name), "%d.db", version);
        char *path = test_path(name);
        sqlite3 *db;
        make_old(path, version);
        dj_schema_append_tables(&tables, version);
        cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
        cr_assert_eq(sqlite3_exec(db,
                                  "ATTACH ':memory:' AS steps; CREATE TABLE "
                                  "steps.parts AS SELECT name, sql FROM sqlite_schema",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
        sqlite3 *model;
        sqlite3_stmt *part;
        cr_assert_eq(sqlite3_open(":memory:", &model), SQLITE_OK);
        cr_assert_eq(sqlite3_exec(model, dj_text_get(&tables), NULL, NULL, NULL),
                     SQLITE_OK);
        cr_assert_eq(sqlite3_prepare_v2(model, "SELECT name, sql FROM sqlite_schema", -1,
                                        &part, NULL),
                     SQLITE_OK);
        while (sqlite3_step(part) == SQLITE_ROW) {
            sqlite3_stmt *same;
            cr_assert_eq(sqlite3_prepare_v2(db,
                                            "SELECT count(*) FROM steps.parts WHERE"
                                            " name = ? AND sql IS ?",
                                            -1, &same, NULL),
                         SQLITE_OK);
            sqlite3_bind_value(same, 1, sqlite3_column_value(part, 0));
            sqlite3_bind_value(same, 2, sqlite3_column_value(part, 1));
            cr_assert_eq(sqlite3_step(same), SQLITE_ROW);
            cr_expect_eq(sqlite3_column_int(same, 0), 1, "%d: %s", version,
                         (const char *)sqlite3_column_text(part, 0));
            sqlite3_finalize(same);
        }
        sqlite3_finalize(part);
        sqlite3_close(model);
        sqlite3_close(db);
        dj_text_finish(&tables);
        free(path);
    }
}

/* If a migration step fails, the store is unchanged. */
Test(versions, failed_migration_changes_nothing)
{
    char *path = test_path("history.db");
    struct dj_store *store;
    struct dj_error err = {0};
    sqlite3 *db;
    make_old(path, 1);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "CREATE VIEW blessings AS SELECT 1", NULL, NULL, NULL),
                 SQLITE_OK);
    sqlite3_close(db);
    cr_assert_neq(dj_store_open(path, DJ_STORE_WRITE, &store, &err), 0);
    cr_assert_not_null(strstr(err.message, "bring it up to date"), "%s", err.message);
    cr_assert_eq(query_number(path, "PRAGMA user_version"), 1);
    cr_assert_eq(
        query_number(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'series'"),
        0);
    free(path);
}

Test(versions, version_1_can_be_loaded)
{
    char *path = test_path("history.db");
    char *old = test_path("old.db");
    struct dj_store_copy_counts moved;
    struct dj_error err = {0};
    make_old(old, 1);
    struct dj_store *store = open_store(path);
    expect_ok(dj_store_load(store, old, &moved, &err), err);
    cr_assert_eq(moved.batches, 1);
    expect_one_batch(store);
    dj_store_close(store);
    cr_assert_eq(query_number(old, "PRAGMA user_version"), 1);
    free(path);
    free(old);
}

static const char measured[] =
    "INSERT INTO runs (id, uid, batch_id, number, attempt, warmup, order_index, outcome,"
    " figures_version) VALUES (1, 'rrrrrrrrrrrrrrrr', 1, 1, 1, 0, 0, 'ok', 2);"
    "INSERT INTO windows (id, run_id, ordinal, name) VALUES (1, 1, 0, '');"
    "INSERT INTO metrics (window_id, frames, frame_time_p95_ns) VALUES (1, 90, 5e6)";

static int expect_old_metrics(void *user, const struct dj_run_row *run)
{
    const double *value = run->metrics.value;
    cr_assert_eq(value[DJ_METRIC_FRAMES], 90);
    cr_assert_eq(value[DJ_METRIC_FRAME_TIME_P95], 5e6);
    for (size_t i = DJ_METRIC_FIRST_OF_MAP_2; i < DJ_METRIC_COUNT; i++) {
        cr_assert(isnan(value[i]), "%s", dj_metrics_name((enum dj_metric)i));
    }
    *(int *)user += 1;
    return 0;
}

static void expect_old_run(struct dj_store *store)
{
    struct dj_error err = {0};
    int runs = 0;
    expect_ok(dj_store_read_runs(store, 1, expect_old_metrics, &runs, &err), err);
    cr_assert_eq(runs, 1);
}

/* Metrics that an older store lacks are unknown: if it is read, loaded or migrated. */
static void expect_newer_metrics_unknown(int version)
{
    char *path = test_path("history.db");
    char *old = test_path("old.db");
    struct dj_store *store;
    struct dj_store_copy_counts moved;
    struct dj_error err = {0};
    make_old(old, version);
    change(old, measured);
    expect_ok(dj_store_open(old, DJ_STORE_READ, &store, &err), err);
    expect_old_run(store);
    dj_store_close(store);
    store = open_store(path);
    expect_ok(dj_store_load(store, old, &moved, &err), err);
    expect_old_run(store);
    dj_store_close(store);
    cr_assert_eq(query_number(old, "PRAGMA user_version"), version);
    expect_ok(dj_store_open(old, DJ_STORE_WRITE, &store, &err), err);
    expect_old_run(store);
    dj_store_close(store);
    cr_assert_eq(query_number(old, "PRAGMA user_version"), DJ_SCHEMA_VERSION);
    free(path);
    free(old);
}

Test(versions, newer_metrics_of_version_2_are_unknown)
{
    expect_newer_metrics_unknown(2);
}

Test(versions, newer_metrics_of_version_3_are_unknown)
{
    expect_newer_metrics_unknown(3);
}

static const char figures[] =
    "INSERT INTO series VALUES (1, 'hash', 1, 'p95', 'ms', 'less', NULL, 'A', '1', NULL);"
    "INSERT INTO points VALUES (1, 1, 0, 5, '1.0', NULL, 16.5, 'x.csv'),"
    " (2, 1, 0, 6, '1.1', NULL, 17.5, 'x.csv');"
    "INSERT INTO blessings VALUES (1, 'bbbbbbbbbbbbbbbb', 1, 'p95', NULL, 'up', 6, NULL,"
    " '1.1', 'me', 'more shadows', 9, NULL)";

/* If a whole store is loaded, its series and blessings are loaded, too. Loading it twice
 * changes nothing. */
Test(versions, loading_a_whole_store_copies_series_and_blessings)
{
    char *path = test_path("history.db");
    char *other = test_path("other.db");
    struct dj_store *store;
    struct dj_store_copy_counts moved;
    struct dj_error err = {0};
    make_old(path, DJ_SCHEMA_VERSION);
    change(path, figures);
    expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
    expect_ok(dj_store_export(store, other, NULL, 0, &moved, &err), err);
    dj_store_close(store);
    cr_assert_eq(query_number(other, "SELECT count(*) FROM points"), 2);
    cr_assert_eq(
        query_number(other, "SELECT count(*) FROM blessings WHERE withdrawn IS NULL"), 1);
    change(path, "UPDATE blessings SET withdrawn = 'a mistake'");
    store = open_store(other);
    for (int i = 0; i < 2; i++) {
        expect_ok(dj_store_load(store, path, &moved, &err), err);
    }
    dj_store_close(store);
    cr_assert_eq(query_number(other, "SELECT count(*) FROM series"), 1);
    cr_assert_eq(query_number(other, "SELECT count(*) FROM points"), 2);
    cr_assert_eq(
        query_number(other, "SELECT count(*) FROM blessings WHERE withdrawn IS NOT NULL"),
        1);
    free(path);
    free(other);
}
