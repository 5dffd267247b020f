#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "../store/support.h"
#include "compare/compare_private.h"
#include "memory/memory.h"
#include "store/timeline.h"

static char *path;
static struct dj_store *store;
static struct dj_side a, b;
static struct dj_comparison comparison;

/* ---- stores ---- */

static void execute(const char *sql)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* Executes SQL while the store is closed. */
static void change_store(const char *sql)
{
    dj_store_close(store);
    execute(sql);
    store = open_store(path);
}

/* Creates a store with batches of two runs. The batches have the keys 1 … count and began
 * in this order. In batch k, the median frame time is k ms. */
static void create_store(int count, const char *flow)
{
    path = test_path("earlier.db");
    store = open_store(path);
    for (int i = 1; i <= count; i++) {
        cr_assert_eq(add_batch(store, flow, 2), i);
    }
    change_store("UPDATE batches SET began_unix_ms = 1000 * id;"
                 "UPDATE metrics SET frame_time_p50_ns = 1e6 * (SELECT r.batch_id FROM"
                 " windows w JOIN runs r ON r.id = w.run_id WHERE w.id = window_id)");
}

static void read_sides(int64_t key_a, int64_t key_b)
{
    struct dj_error err = {0};
    expect_ok(dj_compare_side_add_batch(&a, store, key_a, &err), err);
    expect_ok(dj_compare_side_add_batch(&b, store, key_b, &err), err);
}

static void finish(void)
{
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
    dj_store_close(store);
    free(path);
}

/* ---- comparisons ---- */

static void add_metric(const char *name, bool uses_replacement)
{
    const struct dj_compare_metric *metric = dj_compare_metric_find(name);
    cr_assert_not_null(metric);
    DJ_XPUSH(comparison.metrics, comparison.metric_count,
             (struct dj_comparison_metric){.metric = metric,
                                           .uses_replacement = uses_replacement});
}

static int read_past(struct dj_error *err)
{
    comparison.a = &a;
    comparison.b = &b;
    return dj_compare_read_past(&comparison, store, err);
}

static const struct dj_effect_past *read_valid_past(void)
{
    struct dj_error err = {0};
    expect_ok(read_past(&err), err);
    return &comparison.metrics[0].past;
}

/* Expects centres of the median frame time for each batch from `newest` to `oldest`. */
static void expect_centres(int newest, int oldest)
{
    const struct dj_effect_past *past = read_valid_past();
    cr_assert_eq(past->count, (size_t)(newest - oldest + 1), "%zu", past->count);
    for (int i = 0; newest - i >= oldest; i++) {
        cr_expect_float_eq(past->log_centre[i], log(1e6 * (newest - i)), 1e-9, "%d", i);
    }
}

/* Expects that the comparison is unchanged, because the sides have no common past. */
static void expect_no_past(const char *reason)
{
    const struct dj_effect_past *past = read_valid_past();
    cr_expect_eq(comparison.past_batches, 0, "%s", reason);
    cr_expect_eq(past->count, 0, "%s", reason);
    cr_expect_null(past->log_centre, "%s", reason);
    cr_expect_null(comparison.metrics[0].member.rules.past, "%s", reason);
}

TestSuite(earlier_batches, .fini = finish);

/* ---- choice of batches ---- */

Test(earlier_batches, centres_are_those_of_batches_before_the_later_side)
{
    create_store(12, "scroll");
    read_sides(9, 10);
    add_metric("p50", false);
    expect_centres(9, 1);
    cr_expect_eq(comparison.past_batches, 9, "side A is earlier than side B");
    cr_expect_eq(comparison.metrics[0].member.rules.past, &comparison.metrics[0].past);
}

Test(earlier_batches, exchanged_sides_have_the_same_past)
{
    create_store(10, "scroll");
    read_sides(10, 3);
    add_metric("p50", false);
    expect_centres(9, 1);
}

Test(earlier_batches, a_side_of_several_batches_begins_with_its_first)
{
    struct dj_error err = {0};
    create_store(12, "scroll");
    read_sides(1, 12);
    expect_ok(dj_compare_side_add_batch(&b, store, 10, &err), err);
    add_metric("p50", false);
    expect_centres(9, 1);
}

Test(earlier_batches, at_most_twenty_batches_are_read)
{
    create_store(24, "scroll");
    read_sides(1, 24);
    add_metric("p50", false);
    expect_centres(23, 4);
    cr_expect_eq(comparison.past_batches, 20);
}

Test(earlier_batches, eight_batches_are_enough_and_seven_are_not)
{
    create_store(9, "scroll");
    read_sides(1, 9);
    add_metric("p50", false);
    expect_centres(8, 1);
    change_store("UPDATE batches SET excluded = 'hot' WHERE id = 4");
    dj_compare_comparison_finish(&comparison);
    add_metric("p50", false);
    const struct dj_effect_past *past = read_valid_past();
    cr_expect_eq(past->count, 0);
    cr_expect_eq(comparison.past_batches, 7, "the warning reports this number");
    cr_expect_null(comparison.metrics[0].member.rules.past);
}

Test(earlier_batches, a_store_with_both_sides_only_has_no_past)
{
    create_store(2, "scroll");
    read_sides(1, 2);
    add_metric("p50", false);
    const struct dj_effect_past *past = read_valid_past();
    cr_expect_eq(past->count, 0);
    cr_expect_eq(comparison.past_batches, 1);
}

Test(earlier_batches, batches_with_one_valid_run_are_skipped)
{
    create_store(12, "scroll");
    change_store(
        "UPDATE runs SET outcome = 'no-frames' WHERE batch_id = 1 AND number = 1;"
        "UPDATE runs SET excluded = 'hot' WHERE batch_id = 2 AND number = 2;"
        "UPDATE runs SET warmup = 1 WHERE batch_id = 3 AND number = 1");
    read_sides(1, 12);
    add_metric("p50", false);
    expect_centres(11, 4);
}

Test(earlier_batches, a_flow_may_have_any_name)
{
    create_store(10, "'; DROP TABLE runs; --\n\xff");
    read_sides(1, 10);
    add_metric("p50", false);
    expect_centres(9, 1);
}

/* ---- sides without a common past ---- */

Test(earlier_batches, sides_of_different_segments_have_no_past)
{
    static const char *const texts[] = {"fling", "com.other"};
    create_store(10, "scroll");
    read_sides(1, 10);
    add_metric("p50", false);
    const struct dj_batch_row row = b.batches[0];
    b.batches[0].name = texts[0];
    expect_no_past("flow");
    b.batches[0] = row;
    b.batches[0].project = texts[1];
    expect_no_past("project");
    b.batches[0] = row;
    b.batches[0].device_key++;
    expect_no_past("device");
    b.batches[0] = row;
    expect_centres(9, 1);
}

Test(earlier_batches, sides_of_files_or_of_another_store_have_no_past)
{
    create_store(10, "scroll");
    read_sides(1, 10);
    add_metric("p50", false);
    a.store = NULL;
    expect_no_past("A is from files");
    a.store = b.store;
    b.store = "/elsewhere/history.db";
    expect_no_past("B is from another store");
    dj_store_close(store);
    store = NULL;
    expect_no_past("there is no store");
}

Test(earlier_batches, batches_of_other_flows_are_not_read)
{
    create_store(10, "scroll");
    change_store("UPDATE batches SET name = 'fling' WHERE id IN (2, 3)");
    read_sides(1, 10);
    add_metric("p50", false);
    const struct dj_effect_past *past = read_valid_past();
    cr_expect_eq(past->count, 0);
    cr_expect_eq(comparison.past_batches, 7);
}

/* ---- centres ---- */

Test(earlier_batches, the_centre_of_a_share_is_its_pooled_rate)
{
    create_store(9, "scroll");
    change_store("UPDATE metrics SET janky_frames = 6, frames = 100, rows_janky = 30,"
                 " rows_judged = 50");
    read_sides(1, 9);
    add_metric("jank", false);
    add_metric("jank", true);
    add_metric("p50", false);
    const struct dj_effect_past *past = read_valid_past();
    cr_assert_eq(past->count, 8);
    cr_expect_float_eq(past->log_centre[7], log(12.5 / 200), 1e-9);
    past = &comparison.metrics[1].past;
    cr_assert_eq(past->count, 8);
    cr_expect_float_eq(past->log_centre[0], log(60.5 / 100), 1e-9);
    past = &comparison.metrics[2].past;
    cr_expect_float_eq(past->log_centre[0], log(8e6), 1e-9, "follows two shares");
}

Test(earlier_batches, the_centre_of_two_runs_is_their_geometric_mean)
{
    create_store(9, "scroll");
    change_store("UPDATE metrics SET frame_time_p50_ns = CASE window_id % 2 WHEN 0 THEN"
                 " 4e6 ELSE 9e6 END");
    read_sides(1, 9);
    add_metric("p50", false);
    const struct dj_effect_past *past = read_valid_past();
    cr_assert_eq(past->count, 8);
    cr_expect_float_eq(past->log_centre[0], log(6e6), 1e-9);
}

Test(earlier_batches, a_batch_without_the_metric_has_no_centre)
{
    create_store(12, "scroll");
    change_store(
        "UPDATE metrics SET frame_time_p50_ns = NULL"
        " WHERE frame_time_p50_ns IN (11e6, 2e6);"
        "UPDATE metrics SET frame_time_p50_ns = 0 WHERE frame_time_p50_ns = 1e6");
    read_sides(1, 12);
    add_metric("p50", false);
    add_metric("stage_app_p95", false);
    expect_centres(10, 3);
    cr_expect_eq(comparison.past_batches, 11);
    cr_expect_eq(comparison.metrics[1].past.count, 0, "no run has it");
    cr_expect_null(comparison.metrics[1].member.rules.past);
}

/* ---- errors ---- */

Test(earlier_batches, too_many_metrics_are_refused)
{
    struct dj_error err = {0};
    create_store(2, "scroll");
    read_sides(1, 2);
    for (int i = 0; i < DJ_TIMELINE_METRICS_MAX / 2; i++) {
        add_metric("jank", false);
    }
    expect_ok(read_past(&err), err);
    dj_compare_comparison_finish(&comparison);
    for (int i = 0; i <= DJ_TIMELINE_METRICS_MAX / 2; i++) {
        add_metric("jank", false);
    }
    cr_expect_eq(read_past(&err), DJ_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "too many metrics"), "%s", err.message);
}

Test(earlier_batches, a_damaged_store_is_an_error)
{
    struct dj_error err = {0};
    create_store(9, "scroll");
    read_sides(1, 9);
    add_metric("p50", false);
    execute("DROP TABLE metrics");
    cr_expect_eq(read_past(&err), DJ_E_INVALID, "%s", err.message);
    cr_expect_not_null(strstr(err.message, path), "%s", err.message);
    cr_expect_eq(comparison.past_batches, 0);
}
