/*
 * Merges all rows with the same name into one row. There may be any number of rows: a
 * table in memory contains the most recent names, and full tables are moved to struct
 * dj_trace_rows.
 */
#ifndef DEJANK_TRACE_FOLD_H
#define DEJANK_TRACE_FOLD_H

#include "base/map.h"
#include "trace/rows.h"

/* Zero the struct and set row_bytes, order, add and memory_bytes, and `hash` if needed. A
 * row starts with a pointer to its name (const char *), which must not be NULL. */
struct dj_trace_fold {
    size_t row_bytes;
    int (*order)(const void *a,
                 /* Compares two rows. Rows for which the function returns 0 are
                  * merged. */
                 const void *b);
    void (*add)(void *to,
                /* Merges the row `more`, which was added later, into the row `to`. */
                const void *more);
    size_t memory_bytes; /* Maximum memory for rows, as in struct dj_trace_rows. */
    /* Returns the hash of a row. Rows that are merged must have equal hashes. If NULL,
     * the pointer to the name is hashed. */
    uint64_t (*hash)(const void *row);
    struct dj_trace_rows flushed;
    char *table;          /* Array of rows. Owned by this struct. */
    struct dj_map places; /* Maps a hash to an index in `table`. */
    size_t count;
};

/* Adds a row. If rows cannot be written to the disk, sets fold->flushed.code, and rows
 * are lost. */
void dj_trace_fold_add(struct dj_trace_fold *fold, const void *row);

/* Writes the merged rows to `rows`, sorted by `order`. Call this function after the last
 * row was added. Returns 0 or the error of dj_trace_rows_get_error(). */
int dj_trace_fold_complete(struct dj_trace_fold *fold, struct dj_trace_rows *rows,
                           struct dj_error *err);
void dj_trace_fold_finish(struct dj_trace_fold *fold);

#endif
