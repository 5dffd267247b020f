#include "frame/histogram.h"

#include "base/count_of.h"

/* hwui's fast buckets as ranges of whole milliseconds; the slow ones follow from 150
 * ms on. For 136–139 ms, hwui's index is one past its 57 fast counters and so means
 * the first slow counter: the bucket with label 150 contains 136–199 ms (7.0 … 16;
 * confirmed by hwui's own output). */
static const struct {
    uint32_t first_ms; /* start of the range */
    uint32_t step_ms;  /* width of each of its buckets */
    uint32_t bucket;   /* index of its first bucket */
    uint32_t label_ms; /* label of its first bucket */
} ranges[] = {
    {0, 6, 0, 5},       /* 0–5 ms: one bucket */
    {6, 1, 1, 6},       /* 6 … 32 */
    {34, 2, 28, 34},    /* 34 … 48 */
    {52, 4, 36, 53},    /* 52–55 is labelled 53 */
    {136, 64, 57, 150}, /* 136–199 */
    {200, 50, 58, 200},
};
enum { RANGE_COUNT = COUNT_OF(ranges) };

static size_t bucket_within(size_t range, uint32_t ms)
{
    size_t bucket =
        ranges[range].bucket + (ms - ranges[range].first_ms) / ranges[range].step_ms;
    size_t limit = range + 1 < RANGE_COUNT ? ranges[range + 1].bucket : DJ_FRAME_BUCKETS;
    return bucket < limit ? bucket
                          : limit - 1; /* 33 is labelled 32, 50 and 51 are labelled 48 */
}

size_t dj_frame_bucket(int64_t frame_time_ns)
{
    int64_t whole_ms = frame_time_ns > 0 ? frame_time_ns / 1000000 : 0;
    uint32_t ms = whole_ms > 100000 ? 100000 : (uint32_t)whole_ms;
    size_t range = RANGE_COUNT - 1;
    while (ms < ranges[range].first_ms) {
        range--;
    }
    return bucket_within(range, ms);
}

uint32_t dj_frame_bucket_label_ms(size_t bucket)
{
    size_t range = RANGE_COUNT - 1;
    while (bucket < ranges[range].bucket) {
        range--;
    }
    return ranges[range].label_ms +
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
