#include "store/loaded_batch.h"

#include <stdlib.h>
#include <string.h>

#include "store/upkeep.h"
#include "support.h"

static struct dj_store *store;

static void open_new_store(void)
{
    char *path = test_path("loaded.db");
    store = open_store(path);
    free(path);
}

static void close_store(void)
{
    dj_store_close(store);
}

TestSuite(loaded_batch, .init = open_new_store, .fini = close_store);

/* ---- loading ---- */

Test(loaded_batch, a_loaded_batch_outlives_the_store)
{
    struct dj_loaded_batch loaded = {0};
    struct dj_error err = {0};
    int64_t key = add_batch(store, "scroll", 3);
    add_run(store, key, 4, DJ_RUN_NO_FRAMES);
    expect_ok(dj_store_load_batch(store, key, &loaded, &err), err);
    dj_store_close(store);
    store = NULL;
    cr_expect_str_eq(loaded.batch.name, "scroll");
    cr_expect_str_eq(loaded.batch.project, "com.example");
    cr_expect_str_eq(loaded.batch.model, "Pixel");
    cr_expect_str_eq(loaded.batch.options, "{\"for\":10}");
    cr_expect_null(loaded.batch.group);
    cr_expect_eq(loaded.batch.runs.clean, 3);
    cr_expect_eq(loaded.batch.runs.failed, 1);
    cr_assert_eq(loaded.fact_count, 2);
    cr_expect_str_eq(loaded.facts[0].name, "gpu");
    cr_expect_str_eq(loaded.facts[1].unit, "MB");
    cr_assert_eq(loaded.run_count, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(loaded.runs[i].number, (int64_t)i + 1);
    }
    cr_expect_null(loaded.runs[0].reason);
    cr_expect_str_eq(loaded.runs[3].reason, "as the test says");
    dj_store_loaded_batch_finish(&loaded);
    cr_expect_eq(loaded.run_count, 0);
}

Test(loaded_batch, an_unknown_key_is_no_data)
{
    struct dj_loaded_batch loaded = {0};
    struct dj_error err = {0};
    int64_t key = add_batch(store, "scroll", 1);
    cr_expect_eq(dj_store_load_batch(store, key + 1, &loaded, &err), DJ_E_NO_DATA);
    dj_store_loaded_batch_finish(&loaded);
    cr_expect_eq(dj_store_load_batch(store, 0, &loaded, &err), DJ_E_NO_DATA);
    dj_store_loaded_batch_finish(&loaded);
}

/* ---- runs and builds ---- */

Test(loaded_batch, a_centre_ignores_invalid_runs)
{
    struct dj_run_row runs[5] = {{0}};
    struct dj_center center;
    static const double values[] = {10, 12, 14, 100, 200};
    for (size_t i = 0; i < 5; i++) {
        dj_metrics_clear(&runs[i].metrics);
        runs[i].outcome = DJ_RUN_OK;
        runs[i].metrics.value[DJ_METRIC_FRAME_TIME_P95] = values[i];
    }
    runs[3].warmup = true;
    runs[4].excluded = "too hot";
    dj_store_compute_center(runs, 5, DJ_METRIC_FRAME_TIME_P95, &center);
    cr_expect_eq(center.median, 12);
    cr_expect_eq(center.max, 14);
    runs[2].outcome = DJ_RUN_NO_FRAMES;
    dj_store_compute_center(runs, 5, DJ_METRIC_FRAME_TIME_P95, &center);
    cr_expect_eq(center.median, 11);
    dj_store_compute_center(runs, 5, DJ_METRIC_FRAME_TIME_P50, &center);
    cr_expect_eq(center.count, 0, "no run has the metric");
}

Test(loaded_batch, a_build_is_called_by_label_then_version_then_commit)
{
    struct dj_batch_row row = {.label = "A", .version = "1.0", .commit = "abc"};
    cr_expect_str_eq(dj_store_build_name(&row), "A");
    row.label = NULL;
    cr_expect_str_eq(dj_store_build_name(&row), "1.0");
    row.version = NULL;
    cr_expect_str_eq(dj_store_build_name(&row), "abc");
    row.commit = NULL;
    cr_expect_null(dj_store_build_name(&row));
}

/* ---- exclusion by name ---- */

static struct dj_run_counts count_runs(int64_t key)
{
    struct dj_loaded_batch loaded = {0};
    struct dj_error err = {0};
    expect_ok(dj_store_load_batch(store, key, &loaded, &err), err);
    struct dj_run_counts counts = loaded.batch.runs;
    dj_store_loaded_batch_finish(&loaded);
    return counts;
}

Test(loaded_batch, a_batch_is_excluded_and_included_by_name)
{
    struct dj_error err = {0};
    int64_t number = 7, key = add_batch(store, "scroll", 3);
    expect_ok(dj_store_exclude_named(store, "scroll", "scroll", "too hot", &number, &err),
              err);
    cr_expect_eq(number, 0);
    cr_expect_eq(count_runs(key).excluded, 3);
    expect_ok(dj_store_exclude_named(store, "scroll", "scroll", NULL, &number, &err),
              err);
    cr_expect_eq(count_runs(key).clean, 3);
}

Test(loaded_batch, all_attempts_of_a_run_are_excluded)
{
    struct dj_error err = {0};
    int64_t number = 0, key = add_batch(store, "scroll", 2);
    add_run(store, key, 2, DJ_RUN_OK);
    expect_ok(dj_store_exclude_named(store, "scroll#2", "scroll#2", "no", &number, &err),
              err);
    cr_expect_eq(number, 2);
    cr_expect_eq(count_runs(key).excluded, 2);
    cr_expect_eq(count_runs(key).clean, 1);
}

Test(loaded_batch, a_batch_has_precedence_over_a_run)
{
    struct dj_error err = {0};
    int64_t number = 7, key = add_batch(store, "scroll", 2);
    int64_t other = add_batch(store, "scroll#2", 3);
    expect_ok(dj_store_exclude_named(store, "scroll#2", "scroll#2", "no", &number, &err),
              err);
    cr_expect_eq(number, 0);
    cr_expect_eq(count_runs(key).excluded, 0);
    cr_expect_eq(count_runs(other).excluded, 3);
}

Test(loaded_batch, missing_runs_and_batches_are_no_data)
{
    static const char *const names[] = {"scroll#9", "fling", "fling#1", "scroll#x",
                                        "scroll#"};
    int64_t number, key = add_batch(store, "scroll", 2);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct dj_error err = {0};
        cr_expect_eq(
            dj_store_exclude_named(store, names[i], names[i], "no", &number, &err),
            DJ_E_NO_DATA, "%s", names[i]);
        cr_expect_neq(err.message[0], '\0', "%s", names[i]);
    }
    cr_expect_eq(count_runs(key).excluded, 0);
}
