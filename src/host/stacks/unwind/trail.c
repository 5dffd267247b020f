#include "stacks/unwind/trail.h"

/* A return address is the last word of a frame, and saved registers are before it. */
enum { SAVED_BYTES = 56 };

struct dj_trail *dj_trails_find(struct dj_trails *trails,
                                const struct dj_cfi_memory *memory)
{
    uint64_t hash = (memory->start >> 16) * UINT64_C(0x9E3779B97F4A7C15);
    return &trails->places[hash >> (64 - DJ_TRAIL_BITS)];
}

void dj_trail_prefetch(const struct dj_trail *trail, const struct dj_cfi_memory *memory)
{
    for (size_t i = 0; i < trail->count; i++) {
        uint64_t end = trail->ends[i] - memory->start;
        if (end >= SAVED_BYTES && end <= memory->size) {
            __builtin_prefetch(memory->bytes + end - SAVED_BYTES);
            __builtin_prefetch(memory->bytes + end - 1);
        }
    }
}
