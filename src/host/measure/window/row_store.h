/* The rows of one window. Merges overlapping readings, so that each frame has one row and
 * rows are sorted. */
#ifndef DEJANK_MEASURE_WINDOW_ROW_STORE_H
#define DEJANK_MEASURE_WINDOW_ROW_STORE_H

#include "gfxinfo/dump.h"
#include "spill/array.h"

/* Set `budget` and initialize the rest with zero. */
struct dj_row_store {
    /* Sorted by IntendedVsync. The memory belongs to frame_array. */
    struct dj_frame *frames;
    size_t count;
    size_t vendor_count; /* Number of vendor's columns per frame. */
    /* vendor_count numbers per frame. The memory belongs to vendor_array. */
    struct dj_number *vendor;
    struct dj_spill_array frame_array, vendor_array;
    /* Shared with other stores. It must outlive the store. */
    struct dj_spill_budget *budget;
    /* IntendedVsync of frames that were complete before the window, in rising order.
     * Owned. */
    int64_t *before;
    size_t before_count;
};

void dj_row_store_finish(struct dj_row_store *store);

/* Records a row from before the window, so that dj_row_store_add() ignores its frame.
 * Rows without IntendedVsync are ignored. Returns false if memory runs out. */
bool dj_row_store_exclude(struct dj_row_store *store, const struct dj_frame *frame);

/* Adds a row, or replaces an earlier row of the same frame. Sets *added to whether the
 * frame is new. `vendor` has vendor_count numbers, or is NULL if they are unknown.
 * Returns false if memory runs out. */
bool dj_row_store_add(struct dj_row_store *store, const struct dj_frame *frame,
                      const struct dj_number *vendor, bool *added);

/* Removes rows that are incomplete, and rows that are not from start_ns until before
 * end_ns. */
void dj_row_store_trim(struct dj_row_store *store, int64_t start_ns, int64_t end_ns);

#endif
