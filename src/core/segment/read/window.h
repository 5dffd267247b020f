/* Reads one window slot of a segment. */
#ifndef DEJANK_SEGMENT_READ_WINDOW_H
#define DEJANK_SEGMENT_READ_WINDOW_H

#include "segment/read/checked_file.h"
#include "segment/snapshot.h"

/* Fills *window with the data of the slot since `reset`. The caller frees
 * window->frames, even after an error. */
int dj_window_read(struct dj_checked_file *reading, uint32_t slot,
                   const struct dj_snapshot_options *options,
                   const struct dj_reading_reset *reset,
                   struct dj_snapshot_window *window);

#endif
