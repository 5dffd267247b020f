/* hwui's statistics of a window or process: the counters and histograms that gfxinfo
 * prints. */
#ifndef DEJANK_FRAME_STATS_H
#define DEJANK_FRAME_STATS_H

#include "frame/frame.h"
#include "frame/histogram.h"

/* The numbers are part of the segment format, so a new counter is added at the end. */
enum dj_counter {
    DJ_COUNTER_TOTAL,
    DJ_COUNTER_JANKY,
    DJ_COUNTER_JANKY_LEGACY,
    DJ_COUNTER_MISSED_VSYNC,
    DJ_COUNTER_HIGH_INPUT_LATENCY,
    DJ_COUNTER_SLOW_UI_THREAD,
    DJ_COUNTER_SLOW_BITMAP_UPLOADS,
    DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS,
    DJ_COUNTER_DEADLINE_MISSED,
    DJ_COUNTER_DEADLINE_MISSED_LEGACY,
    DJ_COUNTER_COUNT
};

/* Cumulative statistics. All counters only increase (modulo 2^32). The difference between
 * the statistics of two dumps is the statistics of the time between the dumps. */
struct dj_stats {
    /* Timestamp at which counting began; gfxinfo prints it as "Stats since". */
    int64_t since_ns;
    uint32_t counter[DJ_COUNTER_COUNT];
    uint32_t frame_histogram[DJ_FRAME_BUCKETS];
    uint32_t gpu_histogram[DJ_GPU_BUCKETS];
};

enum { DJ_NO_BUCKET = -1 };

/* The changes that one frame makes to the statistics. */
struct dj_verdict {
    /* Bit mask of enum dj_counter. Each of these counters increases by one. */
    uint32_t counters;
    /* Bit mask of the counters that increase by one more. Android 12 … 16 judge a frame
     * twice. */
    uint32_t counters_again;
    /* Whether the tracker changed the frame's FrameDeadline to deadline_ns (Android 12 …
     * 16). */
    bool deadline_moved;
    int64_t deadline_ns;
    int16_t frame_bucket;  /* Bucket of frame_histogram, or DJ_NO_BUCKET. */
    int16_t gpu_bucket;    /* Bucket of gpu_histogram, or DJ_NO_BUCKET. */
    int64_t frame_time_ns; /* Frame time in ns, as hwui of the release measures it. */
};

#define DJ_COUNTER_BIT(counter) (UINT32_C(1) << (counter))

/* Returns whether the release's jank rule counts the frame in "Janky frames". */
static inline bool dj_frame_verdict_is_janky(const struct dj_verdict *verdict)
{
    return (verdict->counters & DJ_COUNTER_BIT(DJ_COUNTER_JANKY)) != 0;
}

void dj_frame_stats_add(struct dj_stats *stats, const struct dj_verdict *verdict);

/* Adds `other` to `stats`. since_ns becomes the earlier of the two values that are not
 * 0. */
void dj_frame_stats_merge(struct dj_stats *stats, const struct dj_stats *other);

/* Subtracts `earlier` from `stats`, counter by counter (modulo 2^32). since_ns does not
 * change. */
void dj_frame_stats_subtract(struct dj_stats *stats, const struct dj_stats *earlier);

/* Returns the percentile of the frame times that hwui prints since Android 7.0: the label
 * of a bucket in ms, or 4950 without frames. */
uint32_t dj_frame_stats_percentile_ms(const struct dj_stats *stats, unsigned percent);

/* Returns the percentile of the GPU times that hwui prints: the label of a bucket in ms,
 * or 4950 without frames. */
uint32_t dj_frame_stats_gpu_percentile_ms(const struct dj_stats *stats, unsigned percent);

/* Finds the bucket of a percentile in `count` buckets. Returns the index of the bucket,
 * or `count` if the buckets contain fewer than `total` frames. */
size_t dj_stats_percentile_bucket(const uint32_t *buckets, size_t count, uint64_t total,
                                  unsigned percent);

/* Returns hwui's percentage of janky frames, computed in float as hwui does, or 0
 * without frames. */
double dj_frame_stats_janky_pct(const struct dj_stats *stats, enum dj_counter janky);

#endif
