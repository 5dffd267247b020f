#include "frame/stats.h"

static void add_counters(struct dj_stats *stats, uint32_t counters)
{
    for (uint32_t rest = counters; rest != 0; rest &= rest - 1) {
        stats->counter[__builtin_ctz(rest)]++;
    }
}

void dj_frame_stats_add(struct dj_stats *stats, const struct dj_verdict *verdict)
{
    add_counters(stats, verdict->counters);
    add_counters(stats, verdict->counters_again);
    if (verdict->frame_bucket != DJ_NO_BUCKET) {
        stats->frame_histogram[verdict->frame_bucket]++;
    }
    if (verdict->gpu_bucket != DJ_NO_BUCKET) {
        stats->gpu_histogram[verdict->gpu_bucket]++;
    }
}

/* Adds `other` multiplied by `times` to `stats`, modulo 2^32. */
static void add_times(struct dj_stats *stats, const struct dj_stats *other,
                      uint32_t times)
{
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        stats->counter[i] += times * other->counter[i];
    }
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        stats->frame_histogram[i] += times * other->frame_histogram[i];
    }
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        stats->gpu_histogram[i] += times * other->gpu_histogram[i];
    }
}

void dj_frame_stats_merge(struct dj_stats *stats, const struct dj_stats *other)
{
    if (other->since_ns != 0 &&
        (stats->since_ns == 0 || other->since_ns < stats->since_ns)) {
        stats->since_ns = other->since_ns;
    }
    add_times(stats, other, 1);
}

void dj_frame_stats_subtract(struct dj_stats *stats, const struct dj_stats *earlier)
{
    /* UINT32_MAX is −1 modulo 2^32, so this subtracts. */
    add_times(stats, earlier, UINT32_MAX);
}

/* Like hwui, the loop starts at the slowest bucket. It stops when at most (100 − percent)
 * % of all frames are slower. hwui multiplies in 32 bits, which overflows above 43
 * million frames and makes hwui's result useless. This function multiplies in 64 bits. */
size_t dj_stats_percentile_bucket(const uint32_t *buckets, size_t count, uint64_t total,
                                  unsigned percent)
{
    int64_t remaining = (int64_t)(total - percent * total / 100);
    for (size_t i = count; i-- > 0;) {
        remaining -= buckets[i];
        if (remaining <= 0) {
            return i;
        }
    }
    return count;
}

uint32_t dj_frame_stats_percentile_ms(const struct dj_stats *stats, unsigned percent)
{
    size_t bucket = dj_stats_percentile_bucket(stats->frame_histogram, DJ_FRAME_BUCKETS,
                                               stats->counter[DJ_COUNTER_TOTAL], percent);
    return bucket < DJ_FRAME_BUCKETS ? dj_frame_bucket_label_ms(bucket) : 0;
}

uint32_t dj_frame_stats_gpu_percentile_ms(const struct dj_stats *stats, unsigned percent)
{
    uint64_t total = 0;
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        total += stats->gpu_histogram[i];
    }
    size_t bucket =
        dj_stats_percentile_bucket(stats->gpu_histogram, DJ_GPU_BUCKETS, total, percent);
    return bucket < DJ_GPU_BUCKETS ? dj_frame_gpu_bucket_label_ms(bucket) : 0;
}

double dj_frame_stats_janky_pct(const struct dj_stats *stats, enum dj_counter janky)
{
    uint32_t total = stats->counter[DJ_COUNTER_TOTAL];
    return total == 0 ? 0.0
                      : (double)((float)stats->counter[janky] / (float)total * 100.0F);
}
