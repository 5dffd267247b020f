/* Stores the rows of one window. Readings overlap, so a row may be read several times.
 * The store has one row for each frame, and its rows are sorted. */
#ifndef DEJANK_MEASURE_WINDOW_ROW_STORE_H
#define DEJANK_MEASURE_WINDOW_ROW_STORE_H

#include "gfxinfo/dump.h"
#include "spill/array.h"

struct dj_row_store {
    /* Rows, sorted by IntendedVsync. The memory belongs to frame_array. */
    struct dj_frame *frames;
    size_t count;
    /* Number of the vendor's columns. A vendor of a device may add columns to each row.
     */
    size_t vendor_count;
    /* Values of the vendor's columns, vendor_count per frame. The memory belongs to
     * vendor_array. */
    struct dj_number *vendor;
    struct dj_spill_array frame_array, vendor_array;
    /* Limit for memory that several stores share. It must outlive the store. */
    struct dj_spill_budget *budget;
    /* IntendedVsync of the frames that were complete before the window, in ascending
     * order. Owned by this struct. */
    int64_t *before;
    size_t before_count;
};

void dj_row_store_finish(struct dj_row_store *store);

/* Excludes the frame of a row that was read before the window. dj_row_store_add() then
 * ignores later rows of this frame. Does nothing if the row has no time
 * (dj_frame_find_time()). Returns false if memory runs out. */
bool dj_row_store_exclude(struct dj_row_store *store, const struct dj_frame *frame);

/* Adds a row. If the store already has a row of the same frame, replaces this row. Sets
 * *added to true if the frame is new. `vendor` has vendor_count numbers. It is NULL if
 * the numbers are unknown. Returns false if memory runs out. */
bool dj_row_store_add(struct dj_row_store *store, const struct dj_frame *frame,
                      const struct dj_number *vendor, bool *added);

/* Removes incomplete rows, and rows that start before start_ns or not before end_ns. */
void dj_row_store_trim(struct dj_row_store *store, int64_t start_ns, int64_t end_ns);

#endif
