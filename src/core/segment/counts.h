/* A statistics block between the process and the words of the shared file. */
#ifndef DEJANK_SEGMENT_COUNTS_H
#define DEJANK_SEGMENT_COUNTS_H

#include "segment/layout.h"

/* Word by word: what makes the block whole is the sequence number around it. */
static inline void dj_segment_pack(struct dj_segment_stats *to,
                                   const struct dj_stats *from)
{
    atomic_store_explicit(&to->since_ns, from->since_ns, memory_order_relaxed);
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        atomic_store_explicit(&to->counter[i], from->counter[i], memory_order_relaxed);
    }
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        atomic_store_explicit(&to->frame_histogram[i], from->frame_histogram[i],
                              memory_order_relaxed);
    }
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        atomic_store_explicit(&to->gpu_histogram[i], from->gpu_histogram[i],
                              memory_order_relaxed);
    }
}

static inline void dj_segment_unpack(struct dj_stats *to, struct dj_segment_stats *from)
{
    to->since_ns = atomic_load_explicit(&from->since_ns, memory_order_relaxed);
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        to->counter[i] = atomic_load_explicit(&from->counter[i], memory_order_relaxed);
    }
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        to->frame_histogram[i] =
            atomic_load_explicit(&from->frame_histogram[i], memory_order_relaxed);
    }
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        to->gpu_histogram[i] =
            atomic_load_explicit(&from->gpu_histogram[i], memory_order_relaxed);
    }
}

#endif
