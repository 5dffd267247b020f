#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/upkeep.h"
#include "support.h"

static void print_problem(void *user, const char *sentence)
{
    size_t length = strlen(user);
    snprintf((char *)user + length, 4096 - length, "%s\n", sentence);
}

static void expect_sound(struct dj_store *store)
{
    char problem[4096] = "";
    struct dj_store_check_result checked;
    struct dj_error err = {0};
    expect_ok(dj_store_check(store, print_problem, problem, &checked, &err), err);
    cr_assert_eq(checked.problems, 0, "%s", problem);
}

/* Changes the store as another program could. */
static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    char *message = NULL;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &message), SQLITE_OK, "%s", message);
    sqlite3_close(db);
}

static int64_t count(const char *path, const char *what)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    char sql[200];
    snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", what);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    int64_t counted = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return counted;
}

Test(upkeep, new_store_has_no_problems)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    expect_sound(store);
    add_batch(store, "one", 3);
    expect_sound(store);
    dj_store_close(store);
    free(path);
}

Test(upkeep, check_finds_changed_data)
{
    static const struct {
        const char *sql;
        const char *problem;
    } cases[] = {
        {"UPDATE metrics SET frame_time_p95_ns = frame_time_p95_ns + 1 WHERE window_id = "
         "2",
         "/2.1 differ from those of its evidence"},
        {"UPDATE metrics SET frame_time_p95_ns = NULL WHERE window_id = 2",
         "differ from those of its evidence"},
        {"DELETE FROM metrics WHERE window_id = 1", "differ from those of its evidence"},
        {"UPDATE histograms SET counts = '{\"1\":1}' WHERE kind = 'hwui'",
         "differ from those of its evidence"},
        {"DELETE FROM histograms WHERE kind = 'frame-time-ns'",
         "differ from those of its evidence"},
        {"UPDATE histograms SET counts = 'no json'", "malformed JSON"},
        {"UPDATE blobs SET data = zeroblob(100)", "is damaged"},
        {"UPDATE blobs SET size = 7", "is damaged"},
        {"UPDATE blobs SET encoding = 'lzma'", "is damaged"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM blobs WHERE id = 1", "does not exist"},
        {"DELETE FROM windows", "no window for the whole run"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *path = test_path("history.db");
        char problem[4096] = "";
        struct dj_store_check_result checked;
        struct dj_error err = {0};
        struct dj_store *store = open_store(path);
        add_batch(store, "one", 3);
        dj_store_close(store);
        change(path, cases[i].sql);
        expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
        expect_ok(dj_store_check(store, print_problem, problem, &checked, &err), err);
        cr_assert_gt(checked.problems, 0, "%s", cases[i].sql);
        cr_assert_not_null(strstr(problem, cases[i].problem), "%s: %s", cases[i].sql,
                           problem);
        dj_store_close(store);
        unlink(path);
        free(path);
    }
}

Test(upkeep, recompute_replaces_all_figures)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_store_recompute_result done;
    struct dj_error err = {0};
    add_batch(store, "one", 3);
    expect_ok(dj_store_recompute(store, &done, &err), err);
    cr_assert_eq(done.runs, 3);
    cr_assert_eq(done.changed, 0);
    change(path, "UPDATE metrics SET janky_pct = 0, frame_rate_hz = NULL;"
                 "DELETE FROM histograms; UPDATE runs SET figures_version = 0");
    struct dj_store_check_result checked;
    char problem[4096] = "";
    expect_ok(dj_store_check(store, print_problem, problem, &checked, &err), err);
    cr_assert_eq(checked.older_figures, 3, "figures of another version are not compared");
    cr_assert_eq(checked.problems, 0);
    expect_ok(dj_store_recompute(store, &done, &err), err);
    cr_assert_eq(done.changed, 3);
    expect_sound(store);
    expect_ok(dj_store_check(store, print_problem, problem, &checked, &err), err);
    cr_assert_eq(checked.older_figures, 0);
    dj_store_close(store);
    free(path);
}

/* ---- exclusion ---- */

static int keep_counts(void *user, const struct dj_batch_row *batch)
{
    *(struct dj_run_counts *)user = batch->runs;
    return 0;
}

static struct dj_run_counts counts_of(struct dj_store *store, int64_t batch)
{
    struct dj_run_counts counts = {0};
    struct dj_error err = {0};
    const struct dj_batch_filter filter = {.key = batch};
    expect_ok(dj_store_read_batches(store, &filter, keep_counts, &counts, &err), err);
    return counts;
}

Test(upkeep, exclusion_keeps_the_rows_with_a_reason)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    int64_t batch = add_batch(store, "one", 3);
    int64_t run = add_run(store, batch, 4, DJ_RUN_SCREEN_OFF);
    expect_ok(dj_store_exclude_run(store, run, "by hand", &err), err);
    struct dj_run_counts counts = counts_of(store, batch);
    cr_assert_eq(counts.clean, 3);
    cr_assert_eq(counts.failed, 0);
    cr_assert_eq(counts.excluded, 1);
    expect_ok(dj_store_exclude_batch(store, batch, "half of it is hot", &err), err);
    counts = counts_of(store, batch);
    cr_assert_eq(counts.clean, 0);
    cr_assert_eq(counts.excluded, 4);
    expect_ok(dj_store_exclude_batch(store, batch, NULL, &err), err);
    expect_ok(dj_store_exclude_run(store, run, NULL, &err), err);
    counts = counts_of(store, batch);
    cr_assert_eq(counts.clean, 3);
    cr_assert_eq(counts.failed, 1);
    cr_assert_eq(dj_store_exclude_run(store, 99, "x", &err), DJ_E_NO_DATA);
    dj_store_close(store);
    free(path);
}

/* ---- handing over ---- */

Test(upkeep, export_writes_one_file)
{
    char *path = test_path("history.db");
    char *out = test_path("out.db");
    char *other = test_path("other.db");
    struct dj_store_copy_counts moved;
    struct dj_error err = {0};
    struct dj_store *store = open_store(path);
    int64_t one = add_batch(store, "one", 3);
    int64_t two = add_batch(store, "two", 2);
    expect_ok(dj_store_exclude_batch(store, one, "hot", &err), err);
    expect_ok(dj_store_export(store, out, &two, 1, &moved, &err), err);
    cr_assert_eq(moved.batches, 1);
    cr_assert_eq(moved.runs, 2);
    cr_assert_eq(moved.evidence, 2);
    cr_assert_eq(dj_store_export(store, out, &two, 1, &moved, &err), DJ_E_OUTPUT);
    cr_assert_not_null(strstr(err.message, "exists already"));

    struct dj_store *into = open_store(other);
    add_batch(into, "mine", 1);
    expect_ok(dj_store_load(into, out, &moved, &err), err);
    cr_assert_eq(moved.batches, 1);
    cr_assert_eq(moved.runs, 2);
    cr_assert_eq(moved.evidence, 1, "the other piece of evidence existed");
    expect_ok(dj_store_load(into, out, &moved, &err), err);
    cr_assert_eq(moved.batches + moved.runs + moved.evidence, 0,
                 "loading twice adds nothing");
    cr_assert_eq(moved.known_runs, 2);
    expect_sound(into);
    expect_ok(dj_store_load(into, path, &moved, &err), err);
    cr_assert_eq(moved.batches, 1);
    cr_assert_eq(moved.runs, 3);
    expect_sound(into);
    cr_assert_eq(count(other, "batches WHERE excluded = 'hot'"), 1);
    cr_assert_eq(count(other, "devices"), 1, "devices are merged");
    cr_assert_eq(count(other, "windows"), 6);
    cr_assert_eq(count(other, "conditions"), 12);
    cr_assert_eq(count(other, "blobs"), 3);
    cr_assert_eq(dj_store_load(into, other, &moved, &err), DJ_E_USAGE);
    dj_store_close(into);
    dj_store_close(store);
    free(path);
    free(out);
    free(other);
}

/* Two processes continued the same batch. Loading one copy into the other loses no
 * run. */
Test(upkeep, load_renumbers_runs_with_equal_numbers)
{
    char *path = test_path("history.db");
    char *out = test_path("out.db");
    struct dj_store_copy_counts moved;
    struct dj_error err = {0};
    struct dj_store *store = open_store(path);
    int64_t batch = add_batch(store, "one", 1);
    expect_ok(dj_store_export(store, out, NULL, 0, &moved, &err), err);
    struct dj_store *copy = open_store(out);
    add_run(store, batch, 2, DJ_RUN_OK);
    add_run(copy, 1, 2, DJ_RUN_SCREEN_OFF);
    add_run(copy, 1, 3, DJ_RUN_OK);
    expect_ok(dj_store_exclude_run(copy, 1, "later", &err), err);
    dj_store_close(copy);
    expect_ok(dj_store_load(store, out, &moved, &err), err);
    cr_assert_eq(moved.runs, 2);
    cr_assert_eq(moved.renumbered_runs, 1);
    cr_assert_eq(moved.known_runs, 1);
    struct dj_run_counts counts = counts_of(store, batch);
    cr_assert_eq(counts.clean, 2);
    cr_assert_eq(counts.failed, 1);
    cr_assert_eq(counts.excluded, 1, "exclusions are loaded");
    cr_assert_eq(count(path, "runs WHERE number = 2 AND attempt = 2"), 1);
    expect_sound(store);
    dj_store_close(store);
    free(path);
    free(out);
}

Test(upkeep, damaged_store_is_not_loaded)
{
    char *path = test_path("history.db");
    char *out = test_path("out.db");
    struct dj_store_copy_counts moved;
    struct dj_error err = {0};
    struct dj_store *store = open_store(path);
    add_batch(store, "one", 2);
    expect_ok(dj_store_export(store, out, NULL, 0, &moved, &err), err);
    dj_store_close(store);
    unlink(path);
    change(out, "UPDATE blobs SET data = zeroblob(10) WHERE id = 2");
    store = open_store(path);
    cr_assert_eq(dj_store_load(store, out, &moved, &err), DJ_E_INVALID);
    cr_assert_not_null(strstr(err.message, "nothing was loaded"));
    cr_assert_eq(count(path, "batches"), 0);
    cr_assert_eq(count(path, "projects"), 0);
    dj_store_close(store);
    free(path);
    free(out);
}

/* ---- pruning ---- */

static int note_name(void *user, const struct dj_batch_row *batch)
{
    struct dj_text *names = user;
    dj_text_format(names, "%s ", batch->name);
    return 0;
}

Test(upkeep, prune_deletes_batches_that_match_both_rules)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_store_prune_result pruned;
    struct dj_error err = {0};
    struct dj_text names = {0};
    add_batch(store, "old", 2);
    add_batch(store, "middle", 3);
    add_batch(store, "new", 1);
    change(path, "UPDATE batches SET began_unix_ms = 1000 * id");
    struct dj_store_prune_rules rules = {.keep = 1, .dry_run = true};
    expect_ok(dj_store_prune(store, &rules, note_name, &names, &pruned, &err), err);
    cr_assert_str_eq(dj_text_get(&names), "old middle ");
    cr_assert_eq(pruned.runs, 5);
    cr_assert_eq(pruned.evidence, 2, "the remaining batch uses one of the three pieces");
    cr_assert_eq(count(path, "batches"), 3, "a dry run changes nothing");

    rules = (struct dj_store_prune_rules){.keep = 1, .before_unix_ms = 2000};
    dj_text_clear(&names);
    expect_ok(dj_store_prune(store, &rules, note_name, &names, &pruned, &err), err);
    cr_assert_str_eq(dj_text_get(&names), "old ");
    cr_assert_eq(count(path, "batches"), 2);
    cr_assert_eq(count(path, "runs"), 4);
    cr_assert_eq(count(path, "blobs"), 3);
    expect_sound(store);

    rules = (struct dj_store_prune_rules){.before_unix_ms = INT64_MAX};
    expect_ok(dj_store_prune(store, &rules, note_name, &names, &pruned, &err), err);
    static const char *const tables[] = {
        "projects", "builds",  "devices",    "device_facts", "batches",  "runs",
        "windows",  "metrics", "histograms", "conditions",   "evidence", "blobs"};
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        cr_assert_eq(count(path, tables[i]), 0, "%s", tables[i]);
    }
    rules = (struct dj_store_prune_rules){0};
    cr_assert_eq(dj_store_prune(store, &rules, note_name, &names, &pruned, &err),
                 DJ_E_USAGE);
    dj_text_finish(&names);
    dj_store_close(store);
    free(path);
}
