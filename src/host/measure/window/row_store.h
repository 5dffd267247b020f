/* The rows of one window, each frame once. Overlapping readings are merged into sorted
 * rows. */
#ifndef DEJANK_MEASURE_WINDOW_ROW_STORE_H
#define DEJANK_MEASURE_WINDOW_ROW_STORE_H

#include "gfxinfo/dump.h"
#include "spill/array.h"

/* Set the budget and initialize the rest with zero. */
struct dj_row_store {
    struct dj_frame *frames; /* by rising IntendedVsync; in frame_array */
    size_t count;
    size_t vendor_count;      /* vendor's columns per frame */
    struct dj_number *vendor; /* vendor_count numbers per frame; in vendor_array */
    struct dj_spill_array frame_array, vendor_array;
    struct dj_spill_budget *budget; /* shared with other stores; must outlive the store */
    int64_t *before; /* rising IntendedVsync of frames that were complete before the
                      * window; owned */
    size_t before_count;
};

void dj_row_store_finish(struct dj_row_store *store);

/* Notes a row from before the window, so that dj_row_store_add() ignores it. Rows without
 * IntendedVsync are ignored. Returns false if memory runs out. */
bool dj_row_store_exclude(struct dj_row_store *store, const struct dj_frame *frame);

/* Adds a row, or replaces an earlier row of the same frame. *added: the frame is new.
 * `vendor` has vendor_count numbers; NULL: unknown. Returns false if memory runs out. */
bool dj_row_store_add(struct dj_row_store *store, const struct dj_frame *frame,
                      const struct dj_number *vendor, bool *added);

/* Removes rows that never became complete, and rows outside [start_ns, end_ns). */
void dj_row_store_trim(struct dj_row_store *store, int64_t start_ns, int64_t end_ns);

#endif
