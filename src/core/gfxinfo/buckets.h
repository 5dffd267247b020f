/* Finds the buckets of hwui's histograms by their printed labels. */
#ifndef DEJANK_GFXINFO_BUCKETS_H
#define DEJANK_GFXINFO_BUCKETS_H

#include <stdbool.h>

#include "frame/histogram.h"

/* Finds the bucket with exactly this label in the frame or GPU histogram. Returns false
 * if no bucket has this label. */
static inline bool dj_buckets_find(bool gpu, uint32_t label_ms, size_t *bucket)
{
    if (gpu) {
        *bucket = dj_frame_histogram_gpu_bucket(((int64_t)label_ms - 1) * 1000000);
        return dj_frame_gpu_bucket_label_ms(*bucket) == label_ms;
    }
    *bucket = dj_frame_bucket((int64_t)label_ms * 1000000);
    return dj_frame_bucket_label_ms(*bucket) == label_ms;
}

#endif
