/* Makes unwinding a copied stack faster. Another CPU has written the copy, so it is not
 * in this CPU's cache. Unwinding reads one frame after another, and would wait for memory
 * at each of them. So the places that it will probably read are loaded at the same time.
 */
#ifndef DEJANK_STACKS_UNWIND_TRAIL_H
#define DEJANK_STACKS_UNWIND_TRAIL_H

#include "stacks/cfi/expression.h"

enum {
    DJ_TRAIL_FRAMES = 128, /* Maximum number of frames that are remembered. */
    DJ_TRAIL_BITS = 4
};

/* Where the frames of an unwound stack ended. The outer frames of a thread stay at their
 * addresses from sample to sample. */
struct dj_trail {
    uint64_t ends[DJ_TRAIL_FRAMES]; /* Stack pointers of the callers, by frame. */
    size_t count;
};

/* Trails of stacks in different places, so mostly of different threads. */
struct dj_trails {
    struct dj_trail places[1 << DJ_TRAIL_BITS];
};

/* Returns the trail of the previous stack that began near this one. */
struct dj_trail *dj_trails_find(struct dj_trails *trails,
                                const struct dj_cfi_memory *memory);

/* Remembers the end of a frame. Ends the trail after it. */
static inline void dj_trail_set_end(struct dj_trail *trail, size_t frame, uint64_t end)
{
    if (frame < DJ_TRAIL_FRAMES) {
        trail->ends[frame] = end;
        trail->count = frame + 1;
    }
}

/* Loads the saved registers and return addresses of the trail's frames. */
void dj_trail_prefetch(const struct dj_trail *trail, const struct dj_cfi_memory *memory);

#endif
