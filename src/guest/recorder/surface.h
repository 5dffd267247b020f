/* Surfaces, and references to recorded frames. */
#ifndef DEJANK_RECORDER_SURFACE_H
#define DEJANK_RECORDER_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "segment/layout.h"

/* A surface is one window of the dump. Hooks of swaps identify it by the drawable.
 * Toolkits and apps that declare frames use any number that is unique in their
 * pipeline. */
struct dj_surface {
    enum dj_pipeline pipeline;
    uint64_t id;
};

static inline bool dj_recorder_surface_is_equal(struct dj_surface one,
                                                struct dj_surface other)
{
    return one.id == other.id && one.pipeline == other.pipeline;
}

/* A reference to a recorded frame, with which values can be added to the frame later. */
struct dj_recorded_frame {
    struct dj_surface surface;
    uint64_t index; /* Index of the frame's row. */
    bool valid;     /* False if the frame was not recorded. */
};

#endif
