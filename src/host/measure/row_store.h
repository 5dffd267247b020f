/* The rows of one window, each frame once: overlapping readings go in, sorted rows come
 * out. */
#ifndef DEJANK_MEASURE_ROW_STORE_H
#define DEJANK_MEASURE_ROW_STORE_H

#include "gfxinfo/dump.h"
#include "spill/array.h"

/* Zero it but for the budget. */
struct dj_row_store {
    struct dj_frame *frames; /* by rising IntendedVsync; in frame_array */
    size_t count;
    size_t vendor_count;      /* numbers of a vendor's columns beside each frame */
    struct dj_number *vendor; /* vendor_count for each frame; in vendor_array */
    struct dj_spill_array frame_array, vendor_array;
    struct dj_spill_budget *budget; /* shared with other stores; outlives the store */
    int64_t *before; /* rising IntendedVsync of frames that were complete before; owned */
    size_t before_count;
};

void dj_row_store_finish(struct dj_row_store *store);

/* Notes a row that belongs to the time before the window: dj_row_store_put() will pass it
 * over. Rows without IntendedVsync are ignored. False: out of memory. */
bool dj_row_store_exclude(struct dj_row_store *store, const struct dj_frame *frame);

/* Adds a row, or puts it in the place of an earlier sighting of the same frame. *added
 * tells which. `vendor` has vendor_count numbers; NULL: they are unknown. */
bool dj_row_store_put(struct dj_row_store *store, const struct dj_frame *frame,
                      const struct dj_number *vendor, bool *added);

/* Drops the rows that never were complete, and those outside [start_ns, end_ns). */
void dj_row_store_trim(struct dj_row_store *store, int64_t start_ns, int64_t end_ns);

#endif
