/* The buckets of hwui's HISTOGRAM and GPU HISTOGRAM lines, including hwui's errors
 * (docs/semantics.md). */
#ifndef DEJANK_FRAME_HISTOGRAM_H
#define DEJANK_FRAME_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    /* DJ_FAST_BUCKETS narrow buckets, then 97 buckets of 50 ms each. */
    DJ_FRAME_BUCKETS = 154,
    DJ_FAST_BUCKETS = 57,
    DJ_GPU_BUCKETS = 26
};

/* Returns the bucket of a frame time in Android 7.0 and later. A negative time is in the
 * bucket of 0. */
size_t dj_frame_bucket(int64_t frame_time_ns);

/* Returns the label of a bucket in ms, for example 5 for "5ms=…". `bucket` must be less
 * than DJ_FRAME_BUCKETS. */
uint32_t dj_frame_bucket_label_ms(size_t bucket);

/* Returns the least frame time of a bucket in whole ms. It differs from the label of some
 * buckets. The bucket ends where the next one starts. */
uint32_t dj_frame_bucket_start_ms(size_t bucket);

size_t dj_frame_histogram_gpu_bucket(int64_t gpu_time_ns);
uint32_t dj_frame_gpu_bucket_label_ms(size_t bucket);

#endif
