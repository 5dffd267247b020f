/* The buckets of hwui's HISTOGRAM and GPU HISTOGRAM lines, with their accidents
 * (gfxinfo.md §3.8–3.9). */
#ifndef DEJANK_FRAME_HISTOGRAM_H
#define DEJANK_FRAME_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    DJ_FRAME_BUCKETS = 154, /* 57 fine ones, then 97 of 50 ms */
    DJ_FAST_BUCKETS = 57,
    DJ_GPU_BUCKETS = 26
};

/* The bucket a frame time falls into, as releases 7.0 and later count. Negative times
 * count as 0. */
size_t dj_frame_bucket(int64_t frame_time_ns);

/* The label of a bucket in ms, as printed ("5ms=…"); bucket < DJ_FRAME_BUCKETS. */
uint32_t dj_frame_bucket_label_ms(size_t bucket);

size_t dj_gpu_bucket(int64_t gpu_time_ns);
uint32_t dj_gpu_bucket_label_ms(size_t bucket);

#endif
