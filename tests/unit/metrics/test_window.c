#include "metrics/window.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/summary.h"
#include "made_text.h"

static const struct dj_figure_rules inferred = {0};
static const struct dj_span everything = {0, 0};

static struct dj_window_figures whole_of(const struct made_text *spec)
{
    struct dj_text text = make_text(spec);
    struct dj_window_figures figures;
    struct dj_error err = {0};
    expect_ok(dj_metrics_compute(text.data, text.length, &inferred, &everything, 1, 0,
                                 &figures, &err),
              err);
    dj_text_finish(&text);
    return figures;
}

static void summarize(const struct made_text *spec, struct dj_summary *summary)
{
    struct dj_dump dump = make_dump(spec);
    const struct dj_dump_window *window = &dump.processes[0].windows[0];
    struct dj_row_facts *facts = calloc(spec->frames + 1, sizeof(*facts));
    int64_t *scratch = calloc((spec->frames + 1) * DJ_SUMMARY_SCRATCH, sizeof(*scratch));
    struct dj_summary_rules rules = {.dialect = dj_frame_dialect_default(),
                                     .interval_ns = INTERVAL_NS};
    cr_assert(facts != NULL && scratch != NULL);
    dj_frame_summarize(window->frames, window->frame_count, &rules, facts, scratch,
                       summary);
    free(facts);
    free(scratch);
    dj_gfxinfo_dump_finish(&dump);
}

/* The expected values are the output of `dejank parse` for the same text. */
Test(figures, are_computed_from_the_rows)
{
    const struct made_text spec = {.frames = 77, .slow_every = 7, .rows = true};
    struct dj_window_figures figures = whole_of(&spec);
    const double *value = figures.metrics.value;
    struct dj_summary summary;
    summarize(&spec, &summary);
    cr_assert_eq(value[DJ_METRIC_ROWS], 77);
    cr_assert_eq(value[DJ_METRIC_ROWS_USABLE], (double)summary.usable);
    cr_assert_eq(value[DJ_METRIC_ROWS_JANKY], (double)summary.janky);
    cr_assert_gt(summary.janky, 0);
    cr_assert_eq(value[DJ_METRIC_FRAME_TIME_P50], summary.frame_time.p50_ns);
    cr_assert_eq(value[DJ_METRIC_FRAME_TIME_P90], summary.frame_time.p90_ns);
    cr_assert_eq(value[DJ_METRIC_FRAME_TIME_P95], summary.frame_time.p95_ns);
    cr_assert_eq(value[DJ_METRIC_FRAME_TIME_P99], summary.frame_time.p99_ns);
    cr_assert_eq(value[DJ_METRIC_FRAME_TIME_MEAN], summary.frame_time.mean_ns);
    cr_assert_eq(value[DJ_METRIC_FRAME_TIME_MAX], (double)summary.frame_time.max_ns);
    cr_assert_eq(value[DJ_METRIC_GUIDE_TOTAL_P95], summary.guide_total.p95_ns);
    cr_assert_eq(value[DJ_METRIC_GUIDE_OVER], (double)summary.guide_over);
    cr_assert_eq(value[DJ_METRIC_FRAME_RATE], dj_frame_summary_rate_hz(&summary));
    cr_assert_eq(value[DJ_METRIC_LAYOUT_P95], summary.stage[DJ_STAGE_LAYOUT].p95_ns);
    cr_assert_eq(value[DJ_METRIC_SWAP_P50], summary.stage[DJ_STAGE_SWAP].p50_ns);
    cr_assert(isnan(value[DJ_METRIC_APP_P50]), "no such stage is recorded");
    cr_assert_eq(value[DJ_METRIC_INTERVAL], INTERVAL_NS);
    cr_assert_gt(value[DJ_METRIC_FINDINGS], 0);
    dj_metrics_window_figures_finish(&figures);
}

/* 30 ms are no jank for PerfDog, but are beyond the limits of others. Rows of Android 11
 * have no presents and no deadlines. */
Test(figures, include_those_of_jank_rules)
{
    const struct made_text spec = {.frames = 100, .slow_every = 10, .rows = true};
    struct dj_window_figures figures = whole_of(&spec);
    const double *value = figures.metrics.value;
    cr_expect_eq(value[DJ_METRIC_SLOW_FRAMES_PCT], 10);
    cr_expect_eq(value[DJ_METRIC_FROZEN_FRAMES_PCT], 0);
    cr_expect_eq(value[DJ_METRIC_PERFDOG_JANK], 0);
    cr_expect_eq(value[DJ_METRIC_PERFDOG_STUTTER_PCT], 0);
    cr_expect_gt(value[DJ_METRIC_LOW1_P1], 10);
    cr_expect(isnan(value[DJ_METRIC_DEADLINE_JANKY_PCT]));
    cr_expect(isnan(value[DJ_METRIC_PRESENTS]));
    cr_expect(isnan(value[DJ_METRIC_PRESENT_P50]));
    cr_expect(isnan(value[DJ_METRIC_ANIMATION_ERROR_MAX]));
    dj_metrics_window_figures_finish(&figures);
}

Test(figures, include_printed_and_computed_values)
{
    const struct made_text spec = {.frames = 100, .slow_every = 10, .rows = true};
    struct dj_window_figures figures = whole_of(&spec);
    const double *value = figures.metrics.value;
    cr_assert_eq(value[DJ_METRIC_HWUI_TOTAL], 100);
    cr_assert_eq(value[DJ_METRIC_HWUI_JANKY], 10);
    cr_assert_eq(value[DJ_METRIC_HWUI_JANKY_PCT], 10);
    cr_assert_eq(value[DJ_METRIC_HWUI_P50], 8);
    cr_assert_eq(value[DJ_METRIC_HWUI_P99], 30);
    cr_assert_eq(value[DJ_METRIC_FRAMES], 100);
    cr_assert_eq(value[DJ_METRIC_JANKY_FRAMES], 10);
    cr_assert_eq(value[DJ_METRIC_JANKY_PCT], 10);
    cr_assert_eq(value[DJ_METRIC_RECOVERED], 100);
    cr_assert_eq(value[DJ_METRIC_EXPECTED], 100);
    cr_assert(isnan(value[DJ_METRIC_HWUI_JANKY_LEGACY]),
              "Android 11 prints no such line");
    uint64_t frames[2] = {0};
    for (size_t i = 0; i < figures.histogram[DJ_HISTOGRAM_HWUI].count; i++) {
        frames[0] += figures.histogram[DJ_HISTOGRAM_HWUI].buckets[i].count;
    }
    for (size_t i = 0; i < figures.histogram[DJ_HISTOGRAM_FRAME_TIME].count; i++) {
        frames[1] += figures.histogram[DJ_HISTOGRAM_FRAME_TIME].buckets[i].count;
    }
    cr_assert_eq(frames[0], 100);
    cr_assert_eq(frames[1], 100);
    dj_metrics_window_figures_finish(&figures);
}

/* Unknown values are never zero. */
Test(figures, without_rows_only_printed_values_are_known)
{
    const struct made_text spec = {.frames = 100, .slow_every = 10};
    struct dj_window_figures figures = whole_of(&spec);
    const double *value = figures.metrics.value;
    cr_assert_eq(value[DJ_METRIC_HWUI_TOTAL], 100);
    cr_assert_eq(value[DJ_METRIC_FRAMES], 100);
    for (size_t i = DJ_METRIC_ROWS; i <= DJ_METRIC_ROWS_DEADLINE_MISSED; i++) {
        cr_assert(isnan(value[i]), "%s", dj_metrics_name((enum dj_metric)i));
    }
    for (size_t i = DJ_METRIC_FRAME_TIME_P50; i < DJ_METRIC_COUNT; i++) {
        cr_assert(isnan(value[i]), "%s", dj_metrics_name((enum dj_metric)i));
    }
    cr_assert_eq(figures.histogram[DJ_HISTOGRAM_FRAME_TIME].count, 0);
    cr_assert_gt(figures.histogram[DJ_HISTOGRAM_HWUI].count, 0);
    dj_metrics_window_figures_finish(&figures);
}

Test(figures, are_unknown_for_empty_text)
{
    static const char *const texts[] = {
        "",
        "no dump at all\n",
        "No process found for: com.example\n",
        "Uptime: 1 Realtime: 1\n\n** Graphics info for pid 1 [com.example] **\n",
    };
    for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
        struct dj_window_figures figures;
        struct dj_error err = {0};
        expect_ok(dj_metrics_compute(texts[k], strlen(texts[k]), &inferred, &everything,
                                     1, 0, &figures, &err),
                  err);
        for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
            cr_assert(isnan(figures.metrics.value[i]), "%s of '%s'",
                      dj_metrics_name((enum dj_metric)i), texts[k]);
        }
        dj_metrics_window_figures_finish(&figures);
    }
}

/* The rows of several app windows and processes are one distribution. Its quantiles are
 * not the mean of the separate quantiles. */
Test(figures, pool_the_rows_of_several_app_windows)
{
    const struct made_text one = {.frames = 90, .slow_every = 9, .rows = true};
    const struct made_text four = {
        .frames = 90, .slow_every = 9, .rows = true, .windows = 2, .processes = 2};
    struct dj_window_figures of_one = whole_of(&one);
    struct dj_window_figures of_four = whole_of(&four);
    const double *single = of_one.metrics.value;
    const double *pooled = of_four.metrics.value;
    cr_assert_eq(pooled[DJ_METRIC_ROWS], 360);
    cr_assert_eq(pooled[DJ_METRIC_HWUI_TOTAL], 360);
    cr_assert_eq(pooled[DJ_METRIC_ROWS_JANKY], 4 * single[DJ_METRIC_ROWS_JANKY]);
    cr_assert_eq(pooled[DJ_METRIC_HWUI_P95], single[DJ_METRIC_HWUI_P95]);
    cr_assert_eq(pooled[DJ_METRIC_FRAME_TIME_MAX], single[DJ_METRIC_FRAME_TIME_MAX]);
    cr_assert_float_eq(pooled[DJ_METRIC_FRAME_TIME_MEAN],
                       single[DJ_METRIC_FRAME_TIME_MEAN], 1e-6);
    cr_assert_float_eq(pooled[DJ_METRIC_FRAME_RATE], single[DJ_METRIC_FRAME_RATE], 1e-9);
    dj_metrics_window_figures_finish(&of_one);
    dj_metrics_window_figures_finish(&of_four);
}

/* A frame belongs to the time window that contains its IntendedVsync. The counters of
 * hwui belong to the whole run. */
Test(figures, contain_only_the_rows_of_their_time_window)
{
    const struct made_text spec = {.frames = 100, .slow_every = 10, .rows = true};
    const struct dj_span spans[] = {
        {0, 0},
        {FIRST_NS, FIRST_NS + 30 * (int64_t)INTERVAL_NS},
        {FIRST_NS + 30 * (int64_t)INTERVAL_NS, FIRST_NS + 99 * (int64_t)INTERVAL_NS},
        {1, 2},
    };
    struct dj_text text = make_text(&spec);
    struct dj_window_figures figures[4];
    struct dj_error err = {0};
    expect_ok(
        dj_metrics_compute(text.data, text.length, &inferred, spans, 4, 0, figures, &err),
        err);
    cr_assert_eq(figures[0].metrics.value[DJ_METRIC_ROWS], 100);
    cr_assert_eq(figures[1].metrics.value[DJ_METRIC_ROWS], 30);
    cr_assert_eq(figures[1].metrics.value[DJ_METRIC_FRAMES], 30);
    cr_assert_eq(figures[1].metrics.value[DJ_METRIC_JANKY_FRAMES], 3);
    cr_assert(isnan(figures[1].metrics.value[DJ_METRIC_HWUI_TOTAL]));
    cr_assert_eq(figures[2].metrics.value[DJ_METRIC_ROWS], 69);
    cr_assert_eq(figures[3].metrics.value[DJ_METRIC_ROWS], 0);
    cr_assert(isnan(figures[3].metrics.value[DJ_METRIC_FRAME_TIME_P50]));
    cr_assert(isnan(figures[3].metrics.value[DJ_METRIC_JANKY_PCT]));
    for (size_t i = 0; i < 4; i++) {
        dj_metrics_window_figures_finish(&figures[i]);
    }
    dj_text_finish(&text);
}

static uint64_t frames_in(const struct dj_histogram *histogram)
{
    uint64_t frames = 0;
    for (size_t i = 0; i < histogram->count; i++) {
        cr_assert(i == 0 || histogram->buckets[i].key > histogram->buckets[i - 1].key);
        frames += histogram->buckets[i].count;
    }
    return frames;
}

Test(figures, have_a_guide_total_histogram_on_request)
{
    const struct made_text spec = {.frames = 50, .slow_every = 10, .rows = true};
    const struct dj_figure_rules wanted = {.guide_totals = true};
    struct dj_window_figures without = whole_of(&spec);
    struct dj_text text = make_text(&spec);
    struct dj_window_figures figures;
    struct dj_error err = {0};
    expect_ok(dj_metrics_compute(text.data, text.length, &wanted, &everything, 1, 0,
                                 &figures, &err),
              err);
    cr_assert_eq(without.guide_totals.count, 0);
    cr_assert_eq(frames_in(&figures.guide_totals), 50);
    cr_assert_eq(frames_in(&figures.histogram[DJ_HISTOGRAM_FRAME_TIME]), 50);
    cr_assert_eq(figures.guide_totals.buckets[figures.guide_totals.count - 1].key,
                 dj_exponential_key(30000000), "the slow ones take 30 ms");
    cr_assert_eq(figures.guide_totals.buckets[figures.guide_totals.count - 1].count, 5);
    dj_metrics_window_figures_finish(&without);
    dj_metrics_window_figures_finish(&figures);
    dj_text_finish(&text);
}

Test(figures, kinds_of_histograms_have_names)
{
    cr_assert_str_eq(dj_metrics_histogram_kind_name(DJ_HISTOGRAM_HWUI), "hwui");
    cr_assert_str_eq(dj_metrics_histogram_kind_name(DJ_HISTOGRAM_HWUI_GPU), "hwui-gpu");
    cr_assert_str_eq(dj_metrics_histogram_kind_name(DJ_HISTOGRAM_FRAME_TIME),
                     "frame-time-ns");
}

/* The text may be invalid, and may be truncated anywhere. */
Test(figures, of_a_truncated_text_use_the_available_data)
{
    const struct made_text spec = {.frames = 20, .slow_every = 5, .rows = true};
    struct dj_text text = make_text(&spec);
    double rows = -1;
    for (size_t length = 0; length <= text.length; length += 7) {
        struct dj_window_figures figures;
        struct dj_error err = {0};
        expect_ok(dj_metrics_compute(text.data, length, &inferred, &everything, 1, 0,
                                     &figures, &err),
                  err);
        double now = figures.metrics.value[DJ_METRIC_ROWS_USABLE];
        cr_assert(isnan(now) || now >= rows, "%zu bytes", length);
        rows = isnan(now) ? rows : now;
        dj_metrics_window_figures_finish(&figures);
    }
    cr_assert_geq(rows, 19);
    dj_text_finish(&text);
}
