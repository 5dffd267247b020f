#include "metrics/printed_figures.h"

#include <math.h>
#include <stdlib.h>

#include "gfxinfo/lines.h"

static bool has_missing(const uint64_t *mask, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        if (mask[i] != 0) {
            return true;
        }
    }
    return false;
}

static void add_block(struct dj_printed_figures *printed,
                      const struct dj_stats_block *block,
                      const struct dj_dialect *dialect)
{
    if (printed->blocks == 0) {
        printed->first = *block;
        printed->lines = block->lines;
        printed->dialect = dialect;
    }
    printed->lines &= block->lines;
    printed->blocks++;
    printed->cut_frame |= has_missing(block->missing_frame,
                                      sizeof(block->missing_frame) / sizeof(uint64_t));
    printed->cut_gpu |=
        has_missing(block->missing_gpu, sizeof(block->missing_gpu) / sizeof(uint64_t));
    /* The percentage follows the number of janky frames in the line. If the percentage is
     * missing, the line was truncated, and digits of the number may be missing, too. */
    printed->cut_janky |=
        isnan(block->printed_janky_pct) && block->stats.counter[DJ_COUNTER_TOTAL] > 0;
    dj_frame_stats_merge(&printed->sum, &block->stats);
}

void dj_printed_figures_add(struct dj_printed_figures *printed,
                            const struct dj_dump_process *process,
                            const struct dj_dialect *dialect)
{
    if (process->expected >= 0) {
        printed->has_recovery = true;
        printed->recovered += process->recovered;
        printed->expected += process->expected;
    }
    if (process->stats.present) {
        add_block(printed, &process->stats, dialect);
        return;
    }
    for (size_t i = 0; i < process->window_count && !process->continues; i++) {
        if (process->windows[i].stats.present) {
            add_block(printed, &process->windows[i].stats, dialect);
        }
    }
}

static void set_counter(const struct dj_printed_figures *printed,
                        const struct dj_line *line, double *value)
{
    static const enum dj_metric metrics[DJ_COUNTER_COUNT] = {
        [DJ_COUNTER_TOTAL] = DJ_METRIC_HWUI_TOTAL,
        [DJ_COUNTER_JANKY] = DJ_METRIC_HWUI_JANKY,
        [DJ_COUNTER_JANKY_LEGACY] = DJ_METRIC_HWUI_JANKY_LEGACY,
        [DJ_COUNTER_MISSED_VSYNC] = DJ_METRIC_HWUI_MISSED_VSYNC,
        [DJ_COUNTER_HIGH_INPUT_LATENCY] = DJ_METRIC_HWUI_HIGH_INPUT_LATENCY,
        [DJ_COUNTER_SLOW_UI_THREAD] = DJ_METRIC_HWUI_SLOW_UI_THREAD,
        [DJ_COUNTER_SLOW_BITMAP_UPLOADS] = DJ_METRIC_HWUI_SLOW_BITMAP_UPLOADS,
        [DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS] = DJ_METRIC_HWUI_SLOW_ISSUE_DRAW_COMMANDS,
        [DJ_COUNTER_DEADLINE_MISSED] = DJ_METRIC_HWUI_DEADLINE_MISSED,
        [DJ_COUNTER_DEADLINE_MISSED_LEGACY] = DJ_METRIC_HWUI_DEADLINE_MISSED_LEGACY,
    };
    bool cut = line->field == DJ_COUNTER_JANKY && printed->cut_janky;
    if (!cut) {
        value[metrics[line->field]] = printed->sum.counter[line->field];
    }
}

static void set_janky(const struct dj_printed_figures *printed,
                      const struct dj_line *line, double *value)
{
    set_counter(printed, line, value);
    if (line->field == DJ_COUNTER_JANKY && !printed->cut_janky &&
        printed->sum.counter[DJ_COUNTER_TOTAL] > 0) {
        value[DJ_METRIC_HWUI_JANKY_PCT] =
            printed->blocks == 1 ? printed->first.printed_janky_pct
                                 : dj_frame_dialect_janky_pct(
                                       printed->dialect, &printed->sum, DJ_COUNTER_JANKY);
    }
}

static void set_percentile(const struct dj_printed_figures *printed,
                           const struct dj_line *line, double *value)
{
    if (printed->sum.counter[DJ_COUNTER_TOTAL] > 0) {
        value[DJ_METRIC_HWUI_P50 + line->field] =
            printed->blocks == 1
                ? printed->first.printed_percentile_ms[line->field]
                : dj_frame_dialect_percentile_ms(printed->dialect, &printed->sum,
                                                 dj_gfxinfo_percentiles[line->field]);
    }
}

static uint64_t count_gpu_frames(const struct dj_printed_figures *printed)
{
    uint64_t counted = 0;
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        counted += printed->sum.gpu_histogram[i];
    }
    return counted;
}

/* Sets a GPU percentile. The percentile of several blocks together must be computed from
 * their histograms. */
static void set_gpu_percentile(const struct dj_printed_figures *printed,
                               const struct dj_line *line, double *value)
{
    double *figure = &value[DJ_METRIC_HWUI_GPU_P50 + line->field];
    if (printed->blocks == 1 && dj_gfxinfo_block_has_gpu_times(&printed->first)) {
        *figure = printed->first.printed_gpu_percentile_ms[line->field];
    } else if (printed->blocks > 1 && count_gpu_frames(printed) > 0) {
        *figure = dj_frame_stats_gpu_percentile_ms(&printed->sum,
                                                   dj_gfxinfo_percentiles[line->field]);
    }
}

static void (*const setters[])(const struct dj_printed_figures *printed,
                               const struct dj_line *line, double *value) = {
    [DJ_LINE_SINCE] = NULL,
    [DJ_LINE_COUNTER] = set_counter,
    [DJ_LINE_JANKY] = set_janky,
    [DJ_LINE_PERCENTILE] = set_percentile,
    [DJ_LINE_GPU_PERCENTILE] = set_gpu_percentile,
    [DJ_LINE_HISTOGRAM] = NULL,
    [DJ_LINE_GPU_HISTOGRAM] = NULL,
};

/* Converts the counts of buckets to a histogram with the labels as keys. The labels are
 * ascending. Some releases have the same label twice, so equal keys are merged. */
static bool set_histogram(const uint32_t *counts, size_t count,
                          uint32_t (*label_ms)(size_t bucket),
                          struct dj_histogram *histogram)
{
    histogram->buckets = calloc(count, sizeof(*histogram->buckets));
    for (size_t i = 0; i < count && histogram->buckets != NULL; i++) {
        if (counts[i] == 0) {
            continue;
        }
        int32_t key = (int32_t)label_ms(i);
        if (histogram->count == 0 ||
            histogram->buckets[histogram->count - 1].key != key) {
            histogram->buckets[histogram->count++].key = key;
        }
        histogram->buckets[histogram->count - 1].count += counts[i];
    }
    return histogram->buckets != NULL;
}

static bool has_kind(const struct dj_printed_figures *printed, enum dj_line_kind kind)
{
    return (printed->lines & dj_gfxinfo_lines_of_kind(kind)) != 0;
}

static size_t count_frame_buckets(const struct dj_dialect *dialect)
{
    return dialect->bucket_count > 0 && dialect->bucket_count < DJ_FRAME_BUCKETS
               ? dialect->bucket_count
               : DJ_FRAME_BUCKETS;
}

static bool set_histograms(const struct dj_printed_figures *printed,
                           struct dj_window_figures *figures)
{
    const struct dj_dialect *dialect = printed->dialect;
    bool set = true;
    if (has_kind(printed, DJ_LINE_HISTOGRAM) && !printed->cut_frame) {
        set = set_histogram(printed->sum.frame_histogram, count_frame_buckets(dialect),
                            dialect->bucket_label_ms != NULL ? dialect->bucket_label_ms
                                                             : dj_frame_bucket_label_ms,
                            &figures->histogram[DJ_HISTOGRAM_HWUI]);
    }
    if (set && has_kind(printed, DJ_LINE_GPU_HISTOGRAM) && !printed->cut_gpu) {
        set = set_histogram(printed->sum.gpu_histogram, DJ_GPU_BUCKETS,
                            dj_frame_gpu_bucket_label_ms,
                            &figures->histogram[DJ_HISTOGRAM_HWUI_GPU]);
    }
    return set;
}

bool dj_printed_figures_fill(const struct dj_printed_figures *printed,
                             struct dj_window_figures *figures)
{
    double *value = figures->metrics.value;
    if (printed->has_recovery) {
        value[DJ_METRIC_RECOVERED] = (double)printed->recovered;
        value[DJ_METRIC_EXPECTED] = (double)printed->expected;
    }
    if (printed->blocks == 0) {
        return true;
    }
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_gfxinfo_line_at(i);
        if ((printed->lines & (UINT32_C(1) << i)) != 0 && setters[line->kind] != NULL) {
            setters[line->kind](printed, line, value);
        }
    }
    return set_histograms(printed, figures);
}
