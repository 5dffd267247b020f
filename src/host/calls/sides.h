/* The two sides of a comparison of frames. */
#ifndef DEJANK_CALLS_SIDES_H
#define DEJANK_CALLS_SIDES_H

#include "calls/tree.h"

struct dj_calls_sample {
    uint32_t frame; /* Number of the frame. Janky frames come first. */
    uint32_t node;  /* Innermost node of the stack. */
    int64_t ns;     /* Time that the sample represents. */
    bool guessed;   /* True if a part of the stack is a guess of the unwinder. */
};

/* The samples of janky and smooth frames. */
struct dj_calls_sides {
    const struct dj_calls_tree *tree;
    const struct dj_calls_sample *samples; /* The samples may be in any order. */
    size_t sample_count;
    /* Frames 0 to janky_count − 1 are janky, and the next smooth_count frames are smooth.
     * A frame may have no samples. */
    size_t janky_count, smooth_count;
};

#endif
