/* Copies statistics between this process and the shared file. */
#ifndef DEJANK_SEGMENT_COUNTS_H
#define DEJANK_SEGMENT_COUNTS_H

#include "segment/layout.h"

static inline void dj_segment_store(_Atomic uint32_t *to, const uint32_t *from,
                                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        atomic_store_explicit(&to[i], from[i], memory_order_relaxed);
    }
}

static inline void dj_segment_load(uint32_t *to, _Atomic uint32_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = atomic_load_explicit(&from[i], memory_order_relaxed);
    }
}

/* Copy the words of a block one by one. The sequence number of the block shows a reader
 * whether the words are consistent. */
static inline void dj_segment_pack(struct dj_segment_stats *to,
                                   const struct dj_stats *from)
{
    atomic_store_explicit(&to->since_ns, from->since_ns, memory_order_relaxed);
    dj_segment_store(to->counter, from->counter, DJ_COUNTER_COUNT);
    dj_segment_store(to->frame_histogram, from->frame_histogram, DJ_FRAME_BUCKETS);
    dj_segment_store(to->gpu_histogram, from->gpu_histogram, DJ_GPU_BUCKETS);
}

static inline void dj_segment_unpack(struct dj_stats *to, struct dj_segment_stats *from)
{
    to->since_ns = atomic_load_explicit(&from->since_ns, memory_order_relaxed);
    dj_segment_load(to->counter, from->counter, DJ_COUNTER_COUNT);
    dj_segment_load(to->frame_histogram, from->frame_histogram, DJ_FRAME_BUCKETS);
    dj_segment_load(to->gpu_histogram, from->gpu_histogram, DJ_GPU_BUCKETS);
}

#endif
