/* The layers of an app, and the times of their frames, from the texts of
 * `dumpsys SurfaceFlinger --list` and `--latency`. */
#ifndef DEJANK_MEASURE_WINDOW_SURFACE_ROWS_H
#define DEJANK_MEASURE_WINDOW_SURFACE_ROWS_H

#include "gfxinfo/dump.h"

enum {
    DJ_SURFACE_RING_ROWS = 127, /* Number of frames that SurfaceFlinger keeps. */
    DJ_SURFACE_LAYERS_MAX = 16  /* Maximum number of layers of an app. */
};

struct dj_surface_layer {
    char *name;
    bool is_listed;  /* True if the last list contains it. */
    int64_t last_ns; /* Latest present of the last reading, or 0 if there is none. */
    size_t gaps;     /* Number of gaps so far. The rows after a gap are another window. */
    size_t asked;    /* Number of readings so far. */
};

struct dj_surface_layers {
    struct dj_surface_layer at[DJ_SURFACE_LAYERS_MAX];
    size_t count;
    int64_t period_ns; /* Refresh period of the display, or 0 if unknown. */
};

/* Reads the output of --list: adds the layers of the package that may have frames.
 * Returns false if memory runs out. */
bool dj_surface_layers_list(struct dj_surface_layers *layers, const char *list,
                            const char *package);

/* Reads the output of --latency for a layer, and adds its frames to the process as rows
 * of which only the present is known. If the frame of the last reading is no longer in
 * the ring, frames may be lost, so the rows are added to a new window. Returns false if
 * memory runs out. */
bool dj_surface_layers_add_rows(struct dj_surface_layers *layers,
                                struct dj_surface_layer *layer,
                                const struct dj_dump_surface *rows,
                                struct dj_dump_process *process);

void dj_surface_layers_finish(struct dj_surface_layers *layers);

#endif
