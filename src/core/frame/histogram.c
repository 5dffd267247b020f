#include "frame/histogram.h"

#include "base/count_of.h"

/* hwui's buckets as ranges of whole milliseconds. The fast buckets end at 135 ms, and
 * the slow ones start at 150 ms. hwui computes for 136–139 ms an index after its 57 fast
 * buckets, which is the first slow bucket. So the bucket with label 150 contains 136–199
 * ms (Android 7.0 … 16, confirmed by hwui's own output). */
static const struct {
    uint32_t first_ms; /* Start of the range. */
    uint32_t step_ms;  /* Width of each bucket of the range. */
    uint32_t bucket;   /* Index of the first bucket of the range. */
    uint32_t label_ms; /* Label of the first bucket of the range. */
} ranges[] = {
    {0, 6, 0, 5},       /* One bucket: 0–5 ms. */
    {6, 1, 1, 6},       /* Labels 6 … 32. */
    {34, 2, 28, 34},    /* Labels 34 … 48. */
    {52, 4, 36, 53},    /* The bucket of 52–55 ms has label 53. */
    {136, 64, 57, 150}, /* One bucket: 136–199 ms. */
    {200, 50, 58, 200},
};
enum { RANGE_COUNT = COUNT_OF(ranges) };

static size_t compute_bucket(size_t range, uint32_t ms)
{
    size_t bucket =
        ranges[range].bucket + (ms - ranges[range].first_ms) / ranges[range].step_ms;
    size_t limit = range + 1 < RANGE_COUNT ? ranges[range + 1].bucket : DJ_FRAME_BUCKETS;
    /* The exact test: 33 ms is in bucket 32, and both 50 and 51 ms are in bucket 48. */
    return bucket < limit ? bucket : limit - 1;
}

size_t dj_frame_bucket(int64_t frame_time_ns)
{
    int64_t whole_ms = frame_time_ns > 0 ? frame_time_ns / 1000000 : 0;
    uint32_t ms = whole_ms > 100000 ? 100000 : (uint32_t)whole_ms;
    size_t range = RANGE_COUNT - 1;
    while (ms < ranges[range].first_ms) {
        range--;
    }
    return compute_bucket(range, ms);
}

static size_t find_range(size_t bucket)
{
    size_t range = RANGE_COUNT - 1;
    while (bucket < ranges[range].bucket) {
        range--;
    }
    return range;
}

uint32_t dj_frame_bucket_label_ms(size_t bucket)
{
    size_t range = find_range(bucket);
    return ranges[range].label_ms +
           (uint32_t)(bucket - ranges[range].bucket) * ranges[range].step_ms;
}

uint32_t dj_frame_bucket_start_ms(size_t bucket)
{
    size_t range = find_range(bucket);
    return ranges[range].first_ms +
           (uint32_t)(bucket - ranges[range].bucket) * ranges[range].step_ms;
}

size_t dj_frame_histogram_gpu_bucket(int64_t gpu_time_ns)
{
    int64_t ms = gpu_time_ns > 0 ? gpu_time_ns / 1000000 : 0;
    return ms < DJ_GPU_BUCKETS - 1 ? (size_t)ms : DJ_GPU_BUCKETS - 1;
}

uint32_t dj_frame_gpu_bucket_label_ms(size_t bucket)
{
    return bucket < DJ_GPU_BUCKETS - 1 ? (uint32_t)bucket + 1 : 4950;
}
