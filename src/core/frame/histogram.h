/* The buckets of hwui's HISTOGRAM and GPU HISTOGRAM lines, including hwui's errors
 * (gfxinfo.md §3.8–3.9). */
#ifndef DEJANK_FRAME_HISTOGRAM_H
#define DEJANK_FRAME_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    DJ_FRAME_BUCKETS = 154, /* 57 fine ones, then 97 of 50 ms each */
    DJ_FAST_BUCKETS = 57,
    DJ_GPU_BUCKETS = 26
};

/* Returns the bucket of a frame time in releases since 7.0. Negative times count as 0. */
size_t dj_frame_bucket(int64_t frame_time_ns);

/* Returns the printed label of a bucket in ms ("5ms=…"); bucket < DJ_FRAME_BUCKETS. */
uint32_t dj_frame_bucket_label_ms(size_t bucket);

size_t dj_frame_histogram_gpu_bucket(int64_t gpu_time_ns);
uint32_t dj_frame_gpu_bucket_label_ms(size_t bucket);

#endif
