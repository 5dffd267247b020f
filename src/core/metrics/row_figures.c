#include "metrics/row_figures.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stats/quantile.h"

static bool append_number(struct dj_numbers *numbers, int64_t ns)
{
    return DJ_ARRAY_PUSH(numbers->ns, numbers->count, ns);
}

void dj_row_figures_finish(struct dj_row_figures *collected)
{
    free(collected->frame_times.ns);
    free(collected->guide_totals.ns);
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        free(collected->stage[i].ns);
    }
    dj_jank_finish(&collected->jank);
}

static bool add_row(struct dj_row_figures *collected, const struct dj_frame *frame,
                    const struct dj_row_facts *facts)
{
    struct dj_stages stages;
    int64_t total_ns = dj_checked_subtract_saturated(
        frame->value[DJ_COLUMN_FRAME_COMPLETED], frame->value[DJ_COLUMN_INTENDED_VSYNC]);
    bool appended =
        !facts->judged || append_number(&collected->frame_times, facts->frame_time_ns);
    appended = appended && append_number(&collected->guide_totals, total_ns);
    dj_frame_compute_stages(frame, &stages);
    for (size_t i = 0; i < DJ_STAGE_COUNT && appended; i++) {
        appended = (stages.known & (1U << i)) == 0 ||
                   append_number(&collected->stage[i], stages.ns[i]);
    }
    return appended;
}

bool dj_row_figures_add(struct dj_row_figures *collected,
                        const struct dj_judged_rows *judged)
{
    const struct dj_summary *summary = &judged->summary;
    collected->rows += summary->rows;
    collected->usable += summary->usable;
    collected->judged += summary->judged;
    collected->janky += summary->janky;
    collected->guide_frames += summary->guide.count;
    collected->guide_over += summary->guide_over;
    collected->making_frames += summary->making_frames;
    collected->making_ns =
        dj_checked_add_saturated(collected->making_ns, summary->making_ns);
    collected->dropped += summary->dropped_intervals;
    dj_frame_stats_merge(&collected->exact, &summary->exact);
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        collected->found[i] = collected->found[i] || judged->findings.of[i].frames > 0;
        collected->findings_known =
            collected->findings_known || judged->findings.of[i].measured_frames > 0;
    }
    if (judged->count > collected->interval_rows) {
        collected->interval_rows = judged->count;
        collected->interval_ns = judged->rules.interval_ns;
    }
    for (size_t i = 0; i < judged->count; i++) {
        if (judged->facts[i].usability == DJ_ROW_USABLE &&
            !add_row(collected, &judged->frames[i], &judged->facts[i])) {
            return false;
        }
    }
    return dj_jank_add_rows(&collected->jank, judged->frames, judged->facts,
                            judged->count, &judged->rules);
}

static void set_spread(struct dj_metrics *metrics, enum dj_metric p50,
                       const struct dj_spread *spread)
{
    if (spread->count == 0) {
        return;
    }
    metrics->value[p50] = spread->p50_ns;
    metrics->value[p50 + 1] = spread->p90_ns;
    metrics->value[p50 + 2] = spread->p95_ns;
    metrics->value[p50 + 3] = spread->p99_ns;
    metrics->value[p50 + 4] = spread->mean_ns;
}

static void set_stages(struct dj_row_figures *collected, struct dj_metrics *metrics)
{
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        struct dj_spread spread;
        struct dj_numbers *numbers = &collected->stage[i];
        dj_frame_compute_spread(numbers->ns, numbers->count, &spread);
        if (spread.count > 0) {
            enum dj_metric median = dj_metrics_stage_median((enum dj_stage)i);
            metrics->value[median] = spread.p50_ns;
            metrics->value[median + 1] = spread.p95_ns;
        }
    }
}

static void set_judged(const struct dj_row_figures *collected, struct dj_metrics *metrics)
{
    static const struct {
        enum dj_metric metric;
        enum dj_counter counter;
    } counters[] = {
        {DJ_METRIC_ROWS_MISSED_VSYNC, DJ_COUNTER_MISSED_VSYNC},
        {DJ_METRIC_ROWS_HIGH_INPUT_LATENCY, DJ_COUNTER_HIGH_INPUT_LATENCY},
        {DJ_METRIC_ROWS_SLOW_UI_THREAD, DJ_COUNTER_SLOW_UI_THREAD},
        {DJ_METRIC_ROWS_SLOW_BITMAP_UPLOADS, DJ_COUNTER_SLOW_BITMAP_UPLOADS},
        {DJ_METRIC_ROWS_SLOW_ISSUE_DRAW_COMMANDS, DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS},
        {DJ_METRIC_ROWS_DEADLINE_MISSED, DJ_COUNTER_DEADLINE_MISSED},
    };
    double *value = metrics->value;
    value[DJ_METRIC_ROWS_JANKY] = (double)collected->janky;
    value[DJ_METRIC_ROWS_JANKY_PCT] =
        100 * (double)collected->janky / (double)collected->judged;
    for (size_t i = 0; i < COUNT_OF(counters); i++) {
        value[counters[i].metric] = collected->exact.counter[counters[i].counter];
    }
}

static void set_rows(struct dj_row_figures *collected, struct dj_metrics *metrics)
{
    double *value = metrics->value;
    size_t findings = 0;
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        findings += collected->found[i];
    }
    value[DJ_METRIC_ROWS] = (double)collected->rows;
    value[DJ_METRIC_ROWS_USABLE] = (double)collected->usable;
    value[DJ_METRIC_ROWS_JUDGED] = (double)collected->judged;
    if (collected->judged > 0) {
        set_judged(collected, metrics);
    }
    if (collected->usable > 0) {
        value[DJ_METRIC_GUIDE_FRAMES] = (double)collected->guide_frames;
        value[DJ_METRIC_GUIDE_OVER] = (double)collected->guide_over;
    }
    if (collected->making_frames > 0) {
        value[DJ_METRIC_FRAME_RATE] =
            (double)collected->making_frames * 1e9 / (double)collected->making_ns;
        value[DJ_METRIC_DROPPED_INTERVALS] = (double)collected->dropped;
    }
    if (collected->interval_rows > 0) {
        value[DJ_METRIC_INTERVAL] = (double)collected->interval_ns;
    }
    if (collected->findings_known) {
        value[DJ_METRIC_FINDINGS] = (double)findings;
    }
}

static void set_times(struct dj_row_figures *collected, struct dj_metrics *metrics)
{
    struct dj_spread spread;
    dj_frame_compute_spread(collected->frame_times.ns, collected->frame_times.count,
                            &spread);
    set_spread(metrics, DJ_METRIC_FRAME_TIME_P50, &spread);
    if (spread.count > 0) {
        metrics->value[DJ_METRIC_FRAME_TIME_MAX] = (double)spread.max_ns;
    }
    dj_frame_compute_spread(collected->guide_totals.ns, collected->guide_totals.count,
                            &spread);
    set_spread(metrics, DJ_METRIC_GUIDE_TOTAL_P50, &spread);
    set_stages(collected, metrics);
}

static void set_present(const struct dj_present_figures *present, double *value)
{
    if (present->presents == 0) {
        return;
    }
    value[DJ_METRIC_PRESENTS] = (double)present->presents;
    value[DJ_METRIC_SKIPPED_FRAMES] = (double)present->skipped;
    if (present->step.count > 0) {
        value[DJ_METRIC_PRESENT_P50] = present->step.p50_ns;
        value[DJ_METRIC_PRESENT_P95] = present->step.p95_ns;
        value[DJ_METRIC_PRESENT_P99] = present->step.p99_ns;
        value[DJ_METRIC_PRESENT_MAX] = (double)present->step.max_ns;
    }
    if (present->has_refreshes) {
        value[DJ_METRIC_PRESENTS_LATE] = (double)present->late_total;
        value[DJ_METRIC_REPEATED_REFRESHES] = (double)present->repeated;
    }
    value[DJ_METRIC_PACING_ERROR_MEAN] = present->pacing.mean_ns;
    value[DJ_METRIC_PACING_ERROR_P95] = present->pacing.p95_ns;
    value[DJ_METRIC_ANIMATION_ERROR_MEAN] = present->animation.mean_ns;
    value[DJ_METRIC_ANIMATION_ERROR_P95] = present->animation.p95_ns;
    value[DJ_METRIC_ANIMATION_ERROR_MAX] = present->animation.max_ns;
}

static void set_jank(struct dj_row_figures *collected, double *value)
{
    struct dj_jank_figures figures;
    dj_jank_compute(&collected->jank, &figures);
    for (int i = 0; i < DJ_JANK_RULES; i++) {
        value[dj_metrics_of_jank_rule((enum dj_jank_rule_id)i)] = figures.rule[i].value;
    }
    set_present(&figures.present, value);
}

/* Converts the times to a histogram. Sorts the times first, because computing quantiles
 * may have reordered them. */
static bool set_histogram(struct dj_numbers *times, struct dj_histogram *histogram)
{
    dj_quantile_sort_int64(times->ns, times->count);
    histogram->buckets = calloc(times->count + 1, sizeof(*histogram->buckets));
    for (size_t i = 0; i < times->count && histogram->buckets != NULL; i++) {
        int32_t key = dj_exponential_key(times->ns[i]);
        if (histogram->count == 0 ||
            histogram->buckets[histogram->count - 1].key != key) {
            histogram->buckets[histogram->count++].key = key;
        }
        histogram->buckets[histogram->count - 1].count++;
    }
    return histogram->buckets != NULL;
}

bool dj_row_figures_fill(struct dj_row_figures *collected,
                         const struct dj_figure_rules *rules,
                         struct dj_window_figures *figures)
{
    figures->findings_known = collected->findings_known;
    memcpy(figures->found, collected->found, sizeof(figures->found));
    if (collected->has_rows) {
        set_rows(collected, &figures->metrics);
        set_times(collected, &figures->metrics);
        set_jank(collected, figures->metrics.value);
    }
    return set_histogram(&collected->frame_times,
                         &figures->histogram[DJ_HISTOGRAM_FRAME_TIME]) &&
           (!rules->guide_totals ||
            set_histogram(&collected->guide_totals, &figures->guide_totals));
}
