/* hwui's aggregate statistics of a window or process: the counters and histograms of
 * gfxinfo's block. */
#ifndef DEJANK_FRAME_STATS_H
#define DEJANK_FRAME_STATS_H

#include "frame/frame.h"
#include "frame/histogram.h"

/* The numbers are part of the segment format: append only, before DJ_COUNTER_COUNT. */
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

/* Cumulative: every number only grows (modulo 2^32), so the difference of two readings
 * is a window. */
struct dj_stats {
    int64_t since_ns; /* "Stats since": when counting began */
    uint32_t counter[DJ_COUNTER_COUNT];
    uint32_t frame_histogram[DJ_FRAME_BUCKETS];
    uint32_t gpu_histogram[DJ_GPU_BUCKETS];
};

enum { DJ_NO_BUCKET = -1 };

/* The effect of one frame on the statistics. */
struct dj_verdict {
    uint32_t counters;       /* bit n: counter n (enum dj_counter) increases by one */
    uint32_t counters_again; /* and by one more: 12 … 16 judge twice */
    bool deadline_moved; /* the frame's FrameDeadline is now deadline_ns (12 … 16) */
    int64_t deadline_ns;
    int16_t frame_bucket;  /* or DJ_NO_BUCKET */
    int16_t gpu_bucket;    /* or DJ_NO_BUCKET */
    int64_t frame_time_ns; /* duration() of hwui of this release, without waits */
};

#define DJ_COUNTER_BIT(counter) (UINT32_C(1) << (counter))

/* Returns whether the release's rule counts the frame in "Janky frames". */
static inline bool dj_frame_verdict_is_janky(const struct dj_verdict *verdict)
{
    return (verdict->counters & DJ_COUNTER_BIT(DJ_COUNTER_JANKY)) != 0;
}

void dj_frame_stats_add(struct dj_stats *stats, const struct dj_verdict *verdict);

/* stats += other; since_ns becomes the earlier of the two that is not 0. */
void dj_frame_stats_merge(struct dj_stats *stats, const struct dj_stats *other);

/* stats −= earlier, counter by counter (modulo 2^32); since_ns does not change. */
void dj_frame_stats_subtract(struct dj_stats *stats, const struct dj_stats *earlier);

/* hwui's percentile (gfxinfo.md §3.9) since 7.0: the label of a bucket in ms; 4950
 * without frames. */
uint32_t dj_frame_stats_percentile_ms(const struct dj_stats *stats, unsigned percent);
uint32_t dj_frame_stats_gpu_percentile_ms(const struct dj_stats *stats, unsigned percent);

/* The same for any counters. Returns an index, or `count` if the counters contain too
 * few frames. */
size_t dj_stats_percentile_bucket(const uint32_t *buckets, size_t count, uint64_t total,
                                  unsigned percent);

/* hwui's percentage of janky frames, in its float arithmetic; 0 without frames. */
double dj_frame_stats_janky_pct(const struct dj_stats *stats, enum dj_counter janky);

#endif
