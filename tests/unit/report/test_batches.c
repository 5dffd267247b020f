#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "report/batches.h"
#include "support.h"

static struct dj_batches batches;

/* Adds a batch of runs with these median frame times in ms. NaN: unknown; negative: a
 * failed run with that time. */
static struct dj_batch *add_batch(const char *label, const double *times_ms, size_t count)
{
    batches.batch = realloc(batches.batch, (batches.count + 1) * sizeof(*batches.batch));
    struct dj_batch *batch = &batches.batch[batches.count++];
    *batch = (struct dj_batch){.row = {.id = "abcd1234abcd1234", .label = label},
                               .interval_ns = 16e6,
                               .run_count = count,
                               .runs = calloc(count + 1, sizeof(struct dj_run_row))};
    for (size_t i = 0; i < count; i++) {
        dj_metrics_clear(&batch->runs[i].metrics);
        batch->runs[i].number = (int64_t)i + 1;
        batch->runs[i].outcome = times_ms[i] < 0 ? DJ_RUN_APP_CRASHED : DJ_RUN_OK;
        batch->runs[i].metrics.value[DJ_METRIC_FRAME_TIME_P50] = fabs(times_ms[i]) * 1e6;
    }
    return batch;
}

static void add_times(struct dj_batch *batch, int64_t ns, uint64_t count)
{
    struct dj_histogram_bucket bucket = {dj_exponential_key(ns), count};
    struct dj_histogram one = {&bucket, 1};
    cr_assert(dj_exponential_merge(&batch->times, &one));
}

static void finish_batches(void)
{
    dj_report_finish_batches(&batches);
}

TestSuite(batches, .fini = finish_batches);

Test(batches, a_spread_covers_the_runs_that_count_and_have_a_value)
{
    static const double times[] = {10, 30, NAN, 20, -500, 40};
    struct dj_batch *batch = add_batch("a", times, 6);
    struct dj_center spread = dj_batches_compute_center(batch, DJ_METRIC_FRAME_TIME_P50);
    cr_expect(spread.count == 4);
    cr_expect_float_eq(spread.mean, 25e6, 1);
    cr_expect_float_eq(spread.median, 25e6, 1);
    cr_expect_float_eq(spread.q1, 17.5e6, 1);
    cr_expect_float_eq(spread.q3, 32.5e6, 1);
    cr_expect(spread.min == 10e6 && spread.max == 40e6);
    spread = dj_batches_compute_center(batch, DJ_METRIC_JANKY_PCT);
    cr_expect(spread.count == 0, "unknown is never zero");
}

Test(batches, names_are_unique)
{
    char name[DJ_BATCH_NAME];
    static const double none[] = {1};
    add_batch("same", none, 1);
    dj_batches_format_name(&batches, 0, name);
    cr_expect_str_eq(name, "same");
    add_batch("same", none, 1);
    dj_batches_format_name(&batches, 1, name);
    cr_expect_str_eq(name, "same (abcd)");
}

Test(batches, bins_hold_every_frame_and_the_deadline_is_an_edge)
{
    static const double none[] = {1};
    struct dj_batch *batch = add_batch("a", none, 1);
    struct dj_bins bins = dj_batches_compute_bins(batch);
    double sum = 0;
    cr_expect(bins.count == 0, "nothing is known");
    add_times(batch, 8000000, 70);
    add_times(batch, 15000000, 20);
    add_times(batch, 17500000, 9);
    add_times(batch, 900000000, 1);
    bins = dj_batches_compute_bins(batch);
    bool edge = false;
    for (size_t i = 0; i < bins.count; i++) {
        sum += bins.bin[i].count;
        edge =
            edge || (bins.bin[i].from_ms == 16 && bins.bin[i].of_kind[DJ_BIN_LATE] == 9 &&
                     bins.bin[i - 1].of_kind[DJ_BIN_LATE] == 0);
    }
    cr_expect(edge);
    cr_expect(sum == 100 && bins.frames == 100 && bins.late == 10);
    cr_expect(bins.bin[bins.count - 1].to_ms == 0 && bins.bin[bins.count - 1].count == 1);
}

Test(batches, guide_total_replaces_unknown_frame_times)
{
    static const double unknown[] = {NAN};
    const struct dj_batch_figure *figure;
    size_t drawn = 0;
    struct dj_batch *batch = add_batch("log", unknown, 1);
    batch->runs[0].metrics.value[DJ_METRIC_GUIDE_TOTAL_P50] = 16e6;
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        bool known = dj_batches_have_metric(&batches, figure->metric);
        drawn += known && dj_batches_is_headline(&batches, figure);
    }
    cr_expect(drawn == 1, "%zu", drawn);
}

Test(batches, counts_of_zero_in_every_run_share_a_sentence)
{
    static const double times[] = {10, 20};
    const struct dj_batch_figure *figure;
    struct dj_batch *batch = add_batch("a", times, 2);
    batch->runs[0].metrics.value[DJ_METRIC_HWUI_MISSED_VSYNC] = 0;
    batch->runs[1].metrics.value[DJ_METRIC_HWUI_MISSED_VSYNC] = 0;
    batch->runs[1].metrics.value[DJ_METRIC_HWUI_SLOW_UI_THREAD] = 3;
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        bool expected = figure->metric == DJ_METRIC_HWUI_MISSED_VSYNC;
        cr_expect(dj_batches_is_always_zero(&batches, figure) == expected, "%s",
                  figure->name);
    }
}
