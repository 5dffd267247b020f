#include <math.h>

#include "report/batches.h"

static const struct dj_batch_figure figures[] = {
    {DJ_METRIC_JANKY_PCT, "Janky frames", "%", 1, 2, true},
    {DJ_METRIC_FRAME_TIME_P50, "Frame time, 50th percentile", "ms", 1e6, 2, true},
    {DJ_METRIC_FRAME_TIME_P90, "Frame time, 90th percentile", "ms", 1e6, 2, true},
    {DJ_METRIC_FRAME_TIME_P95, "Frame time, 95th percentile", "ms", 1e6, 2, false},
    {DJ_METRIC_FRAME_TIME_P99, "Frame time, 99th percentile", "ms", 1e6, 2, true},
    {DJ_METRIC_FRAME_TIME_MEAN, "Frame time, mean", "ms", 1e6, 2, false},
    {DJ_METRIC_FRAME_TIME_MAX, "Frame time, longest", "ms", 1e6, 2, false},
    {DJ_METRIC_GUIDE_TOTAL_P50, "guide_total, 50th percentile", "ms", 1e6, 2, false},
    {DJ_METRIC_GUIDE_TOTAL_P90, "guide_total, 90th percentile", "ms", 1e6, 2, false},
    {DJ_METRIC_GUIDE_TOTAL_P95, "guide_total, 95th percentile", "ms", 1e6, 2, false},
    {DJ_METRIC_GUIDE_TOTAL_P99, "guide_total, 99th percentile", "ms", 1e6, 2, false},
    {DJ_METRIC_GUIDE_TOTAL_MEAN, "guide_total, mean", "ms", 1e6, 2, false},
    {DJ_METRIC_FRAME_RATE, "Average frame rate", "Hz", 1, 1, true},
    {DJ_METRIC_DROPPED_INTERVALS, "Display intervals without a frame", "", 1, 1, false},
    {DJ_METRIC_FRAMES, "Frames", "", 1, 0, false},
    {DJ_METRIC_HWUI_P50, "hwui, 50th percentile", "ms", 1, 1, false},
    {DJ_METRIC_HWUI_P90, "hwui, 90th percentile", "ms", 1, 1, false},
    {DJ_METRIC_HWUI_P99, "hwui, 99th percentile", "ms", 1, 1, false},
    {DJ_METRIC_HWUI_MISSED_VSYNC, "Missed Vsync", "", 1, 1, false},
    {DJ_METRIC_HWUI_HIGH_INPUT_LATENCY, "High input latency", "", 1, 1, false},
    {DJ_METRIC_HWUI_SLOW_UI_THREAD, "Slow UI thread", "", 1, 1, false},
    {DJ_METRIC_HWUI_SLOW_BITMAP_UPLOADS, "Slow bitmap uploads", "", 1, 1, false},
    {DJ_METRIC_HWUI_SLOW_ISSUE_DRAW_COMMANDS, "Slow issue draw commands", "", 1, 1,
     false},
    {DJ_METRIC_HWUI_DEADLINE_MISSED, "Frame deadline missed", "", 1, 1, false},
};

const struct dj_batch_figure *dj_batches_get_figure(size_t i)
{
    return i < COUNT_OF(figures) ? &figures[i] : NULL;
}

struct dj_center dj_batches_compute_center(const struct dj_batch *batch,
                                           enum dj_metric metric)
{
    static const struct dj_center unknown = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    struct dj_center center;
    dj_store_compute_center(batch->runs, batch->run_count, metric, &center);
    return center.count > 0 ? center : unknown;
}

bool dj_batches_have_metric(const struct dj_batches *batches, enum dj_metric metric)
{
    return !isnan(dj_batches_compute_range(batches, metric).low);
}

/* fmin() and fmax() ignore unknown values, which are NaN. */
struct dj_bounds dj_batches_compute_range(const struct dj_batches *batches,
                                          enum dj_metric metric)
{
    struct dj_bounds range = {NAN, NAN};
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_center center = dj_batches_compute_center(&batches->batch[i], metric);
        range.low = fmin(range.low, center.min);
        range.high = fmax(range.high, center.max);
    }
    return range;
}

static bool all_know(const struct dj_batches *batches, enum dj_metric metric)
{
    for (size_t i = 0; i < batches->count; i++) {
        if (dj_batches_compute_center(&batches->batch[i], metric).count == 0) {
            return false;
        }
    }
    return true;
}

bool dj_batches_is_headline(const struct dj_batches *batches,
                            const struct dj_batch_figure *figure)
{
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        enum dj_metric metric = figures[i].metric;
        enum dj_metric substitute = dj_metrics_substitute(metric);
        if (figures[i].is_headline &&
            (metric == figure->metric || substitute == figure->metric)) {
            struct dj_known_metrics known = {0};
            known.known[metric] = all_know(batches, metric);
            known.known[substitute] = all_know(batches, substitute);
            return dj_metrics_choose(metric, &known) == figure->metric;
        }
    }
    return false;
}

bool dj_batches_is_always_zero(const struct dj_batches *batches,
                               const struct dj_batch_figure *figure)
{
    struct dj_bounds range = dj_batches_compute_range(batches, figure->metric);
    return figure->unit[0] == '\0' && figure->metric != DJ_METRIC_FRAMES &&
           range.low == 0 && range.high == 0;
}

double dj_batches_compute_stage_ns(const struct dj_batch *batch, enum dj_stage stage)
{
    return dj_batches_compute_center(batch, dj_metrics_stage_median(stage)).median;
}

void dj_batches_format_name(const struct dj_batches *batches, size_t index,
                            char name[DJ_BATCH_NAME])
{
    const struct dj_batch *batch = &batches->batch[index];
    const char *own = batch->row.label != NULL     ? batch->row.label
                      : batch->row.version != NULL ? batch->row.version
                      : batch->row.name != NULL    ? batch->row.name
                                                   : "batch";
    if (batches->count == 1) {
        snprintf(name, DJ_BATCH_NAME, "%.80s", own);
    } else {
        snprintf(name, DJ_BATCH_NAME, "%.80s (%.4s)", own, batch->row.id);
    }
}

/* Distributes the buckets of the exact histogram over the bins. A bucket is only 1.1 %
 * wide, so the bin that contains its middle gets all of its frames. */
static struct dj_bins count_exact(const struct dj_batch *batch)
{
    struct dj_bins bins = dj_bins_divide_intervals(batch->interval_ns / 1e6, 8);
    for (size_t i = 0; i < batch->times.count; i++) {
        const struct dj_histogram_bucket *bucket = &batch->times.buckets[i];
        double middle = dj_exponential_upper_ns(bucket->key) * exp2(-0.5 / 64);
        struct dj_bin *bin = dj_bins_find(
            &bins, bucket->key == INT32_MIN ? 0 : middle / batch->interval_ns);
        dj_bins_add(&bins, bin,
                    bin->from_ms >= bins.interval_ms ? DJ_BIN_LATE : DJ_BIN_IN_TIME,
                    (double)bucket->count);
    }
    dj_bins_trim(&bins);
    return bins;
}

struct dj_bins dj_batches_compute_bins(const struct dj_batch *batch)
{
    enum { BINS_MAX = 65 };
    double counts[DJ_FRAME_BUCKETS] = {0};
    if (batch->times.count > 0) {
        return count_exact(batch);
    }
    if (batch->hwui.count == 0) {
        return (struct dj_bins){0};
    }
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        int32_t label_ms = (int32_t)dj_frame_bucket_label_ms(i);
        for (size_t k = batch->hwui.count; k-- > 0;) {
            const struct dj_histogram_bucket *bucket = &batch->hwui.buckets[k];
            counts[i] = bucket->key == label_ms ? (double)bucket->count : counts[i];
        }
    }
    return dj_bins_count_hwui(batch->interval_ns / 1e6, counts, BINS_MAX);
}
