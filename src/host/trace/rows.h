/*
 * Sorts rows. All rows have the same size. They may be added in any order and are
 * returned in sorted order. Rows are in memory up to a limit. Above the limit, rows are
 * sorted in parts (runs), which are written to a temporary file (in $TMPDIR, /var/tmp or
 * /tmp) and merged when they are read.
 */
#ifndef DEJANK_TRACE_ROWS_H
#define DEJANK_TRACE_ROWS_H

#include <stdbool.h>

#include "base/error.h"
#include "spill/spill.h"

struct dj_trace_rows_run;

/* The rank of a row contains the most significant part of the sort order. `first` is
 * compared before `second`. */
struct dj_trace_rows_rank {
    uint64_t first, second;
};

/* Zero the struct and set row_bytes, `order` and memory_bytes, and `rank` if needed. If
 * `order` returns 0 for two rows, the row that was added first is returned first. */
struct dj_trace_rows {
    size_t row_bytes;
    int (*order)(const void *a, const void *b);
    size_t memory_bytes; /* Maximum memory for rows in bytes, or 0 for no limit. */
    /* Returns the rank of a row. Rows are then sorted by rank, and `order` compares only
     * rows with equal ranks. This is faster, but needs twice the memory while rows are
     * sorted. May be NULL. */
    struct dj_trace_rows_rank (*rank)(const void *row);
    uint64_t total; /* Number of rows that were added. */
    /* 0, or DJ_E_IO if the temporary file could not be written or read. Rows are lost
     * after DJ_E_IO. */
    int code;
    /* The following members are private. There is one exception: if memory_bytes is 0,
     * `rows` contains all rows after they were sorted. */
    char *rows;
    size_t count, capacity;
    bool unsorted; /* True if the rows in memory are not sorted. */
    /* Temporary file. It is not open while all rows are in memory. */
    struct dj_spill spill;
    struct dj_trace_rows_run *runs;
    size_t run_count;
    struct dj_trace_rows_run **heap;
    size_t heap_count;
    size_t at;
    char *buffers;
};

void dj_trace_rows_finish(struct dj_trace_rows *rows);

/* Copies a row into `rows`. Does nothing if rows->code is not 0. */
void dj_trace_rows_add(struct dj_trace_rows *rows, const void *row);

/* Sorts the rows, and sets the position of dj_trace_rows_next() to the first row. Call
 * this function after the last row was added. It may be called again to start again with
 * the first row. */
void dj_trace_rows_sort(struct dj_trace_rows *rows);

/* Sets the position of dj_trace_rows_next() to the first row, but does not sort rows in
 * memory. Use it if the order of the rows does not matter. */
void dj_trace_rows_rewind(struct dj_trace_rows *rows);

/* Returns the next row, or NULL at the end or after an error. The row is valid until
 * the next call. */
const void *dj_trace_rows_next(struct dj_trace_rows *rows);

/* Moves all rows out of `rows`, which is empty afterwards. Call this function after the
 * last row was added. If memory_bytes is 0, returns a sorted array, which the caller
 * frees, or NULL if there are no rows. If memory_bytes is not 0, moves the rows to *moved
 * and returns NULL. Sets *count to the number of rows in both cases. */
void *dj_trace_rows_move_out(struct dj_trace_rows *rows, struct dj_trace_rows *moved,
                             size_t *count);

/* Returns rows->code. Sets an error message if the code is not 0. */
int dj_trace_rows_get_error(const struct dj_trace_rows *rows, struct dj_error *err);

#endif
