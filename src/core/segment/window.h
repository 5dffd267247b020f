/* Reads one window slot of a segment. */
#ifndef DEJANK_SEGMENT_WINDOW_H
#define DEJANK_SEGMENT_WINDOW_H

#include "segment/reading.h"
#include "segment/snapshot.h"

/* Fills *window with the slot's data since `reset`. The caller frees window->frames,
 * also after errors. */
int dj_reading_snapshot_window(struct dj_reading *reading, uint32_t slot,
                               const struct dj_snapshot_options *options,
                               const struct dj_reading_reset *reset,
                               struct dj_snapshot_window *window);

#endif
