/*
 * Merges all rows with the same name into one row, for any number of rows. Frequent
 * names stay in a table in memory, the other rows are stored by trace/rows.h. This
 * module and writers of traces use it.
 */
#ifndef DEJANK_TRACE_FOLD_H
#define DEJANK_TRACE_FOLD_H

#include "base/map.h"
#include "trace/rows.h"

/* Zero it and set the first four members, and `hash` if needed. A row starts with a
 * pointer to its name (const char *) that is not NULL. */
struct dj_trace_fold {
    size_t row_bytes;
    int (*order)(const void *a,
                 const void *b); /* Compares two rows. Rows are merged if it returns 0. */
    void (*add)(
        void *to,
        const void *more); /* Merges the row `more` into `to`. `more` was added later. */
    size_t memory_bytes;   /* As in struct dj_trace_rows. */
    /* Returns equal hashes for rows that are merged. If it is NULL, the name pointer is
     * hashed. */
    uint64_t (*hash)(const void *row);
    struct dj_trace_rows flushed;
    char *table;          /* Array of rows. Owned. */
    struct dj_map places; /* Maps a hash to an index in `table`. */
    size_t count;
};

/* Adds a row. After a write error, fold->flushed.code is not 0 and rows are lost. */
void dj_trace_fold_add(struct dj_trace_fold *fold, const void *row);

/* Writes the merged rows to `rows`, sorted by `order`. Call it after the last row was
 * added. Returns 0 or the error of dj_trace_rows_get_error(). */
int dj_trace_fold_complete(struct dj_trace_fold *fold, struct dj_trace_rows *rows,
                           struct dj_error *err);
void dj_trace_fold_finish(struct dj_trace_fold *fold);

#endif
