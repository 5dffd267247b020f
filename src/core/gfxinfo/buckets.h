/* The buckets of hwui's histograms by the labels they are printed with. */
#ifndef DEJANK_GFXINFO_BUCKETS_H
#define DEJANK_GFXINFO_BUCKETS_H

#include <stdbool.h>

#include "frame/histogram.h"

/* The bucket with exactly this label; false for labels no bucket has. */
static inline bool dj_bucket_of_label(bool gpu, uint32_t label_ms, size_t *bucket)
{
    if (gpu) {
        *bucket = dj_gpu_bucket(((int64_t)label_ms - 1) * 1000000);
        return dj_gpu_bucket_label_ms(*bucket) == label_ms;
    }
    *bucket = dj_frame_bucket((int64_t)label_ms * 1000000);
    return dj_frame_bucket_label_ms(*bucket) == label_ms;
}

#endif
