#include "frame/quirks.h"

#include "base/checked.h"

int16_t dj_quirks_bucket_preview(struct dj_tracker *tracker, int64_t frame_time_ns)
{
    int64_t ms = frame_time_ns / 1000000;
    if (ms >= 0 && ms < DJ_PREVIEW_BUCKETS) {
        return (int16_t)ms;
    }
    tracker->grown_ns++;
    return DJ_NO_BUCKET;
}

uint32_t dj_quirks_bucket_preview_label_ms(size_t bucket)
{
    return (uint32_t)bucket;
}

enum {
    FIRST_6_0 = 2 /* Index of the bucket with label 7. */
};

int16_t dj_quirks_bucket_6_0(struct dj_tracker *tracker, int64_t frame_time_ns)
{
    (void)tracker;
    /* Only the frame time of Android 6.0, a plain difference, can be negative. hwui
     * converts it to a huge unsigned number. */
    if (frame_time_ns <= -1000000) {
        return DJ_6_0_BUCKETS;
    }
    size_t bucket = dj_frame_bucket(frame_time_ns);
    bucket = bucket < DJ_6_0_BUCKETS ? bucket : DJ_6_0_BUCKETS;
    return (int16_t)(bucket > FIRST_6_0 ? bucket : FIRST_6_0);
}

void dj_quirks_count_6_0(struct dj_stats *stats)
{
    for (size_t i = DJ_6_0_BUCKETS; i < DJ_FRAME_BUCKETS; i++) {
        stats->counter[DJ_COUNTER_TOTAL] += stats->frame_histogram[i];
        stats->frame_histogram[i] = 0;
    }
}

int16_t dj_quirks_bucket_7_0(struct dj_tracker *tracker, int64_t frame_time_ns)
{
    (void)tracker;
    return (int16_t)dj_frame_bucket(frame_time_ns);
}

void dj_quirks_count_7_0(struct dj_stats *stats)
{
    for (size_t i = DJ_FAST_BUCKETS; i < DJ_FRAME_BUCKETS; i++) {
        stats->frame_histogram[i] = (uint16_t)stats->frame_histogram[i];
    }
}

bool dj_quirks_span_plain(const struct dj_frame *frame, enum dj_column start,
                          enum dj_column end, int64_t *ns)
{
    if (!dj_frame_has(frame, start) || !dj_frame_has(frame, end)) {
        return false;
    }
    *ns = dj_checked_subtract_saturated(frame->value[end], frame->value[start]);
    return true;
}

int64_t dj_quirks_interval_exact(int64_t display_ns)
{
    return display_ns;
}

int64_t dj_quirks_interval_from_fps(int64_t display_ns)
{
    float fps = (float)(1e9 / (double)display_ns);
    return (int64_t)(1e9F / fps);
}

int64_t dj_quirks_stuffed_by_interval(const struct dj_tracker *tracker,
                                      const struct dj_frame *frame, int64_t deadline_ns,
                                      int64_t interval_ns)
{
    (void)tracker;
    (void)frame;
    return dj_checked_add_wrapped(deadline_ns, interval_ns);
}

int64_t dj_quirks_stuffed_by_workload(const struct dj_tracker *tracker,
                                      const struct dj_frame *frame, int64_t deadline_ns,
                                      int64_t interval_ns)
{
    (void)deadline_ns;
    int64_t target_ns =
        dj_frame_has(frame, DJ_COLUMN_WORKLOAD_TARGET)
            ? frame->value[DJ_COLUMN_WORKLOAD_TARGET]
            : dj_frame_fallback(frame, DJ_COLUMN_WORKLOAD_TARGET, interval_ns);
    return dj_checked_add_wrapped(tracker->unstuffed_start_ns, target_ns);
}
