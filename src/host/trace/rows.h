/*
 * Sorts rows of equal size: they are added in any order and returned in sorted order.
 * Rows stay in memory up to a limit. Above the limit, sorted runs of rows are written
 * to an unnamed temporary file (in $TMPDIR, /var/tmp or /tmp) and merged. This module
 * and writers of traces use it.
 */
#ifndef DEJANK_TRACE_ROWS_H
#define DEJANK_TRACE_ROWS_H

#include <stdbool.h>

#include "base/error.h"
#include "spill/spill.h"

struct dj_trace_rows_run;

/* The most significant part of the sort order. `first` is compared before `second`. */
struct dj_trace_rows_rank {
    uint64_t first, second;
};

/* Zero it and set the first three members, and `rank` if needed. The sort is stable: if
 * `order` returns 0 for two rows, the row that was added first comes first. */
struct dj_trace_rows {
    size_t row_bytes;
    int (*order)(const void *a, const void *b);
    size_t memory_bytes; /* Maximum memory for rows in bytes, or 0 for no limit. */
    /* Returns the rank of a row, or is NULL. Rows are sorted by rank first, and `order`
     * compares only rows with equal ranks. This is faster, but sorting needs twice the
     * memory. */
    struct dj_trace_rows_rank (*rank)(const void *row);
    uint64_t total; /* Number of rows that were added. */
    /* 0, or DJ_E_IO if the temporary file could not be written or read. Then rows are
     * lost. */
    int code;
    /* The following members are private, except that `rows` contains all rows after
     * sorting if memory_bytes is 0. */
    char *rows;
    size_t count, capacity;
    bool unsorted;         /* The rows in memory are not sorted. */
    struct dj_spill spill; /* Not open while all rows are in memory. */
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

/* Sorts the rows. Call it after the last row was added. After each further call,
 * dj_trace_rows_next() starts again with the first row. */
void dj_trace_rows_sort(struct dj_trace_rows *rows);

/* Restarts dj_trace_rows_next() at the first row like dj_trace_rows_sort(), but does
 * not sort rows in memory. For callers that do not need an order. */
void dj_trace_rows_rewind(struct dj_trace_rows *rows);

/* Returns the next row, or NULL at the end or after an error. The row is valid until
 * the next call. */
const void *dj_trace_rows_next(struct dj_trace_rows *rows);

/* Moves all rows out and leaves `rows` empty. Call it after the last row was added. If
 * memory_bytes is 0, returns a sorted array, which the caller frees, or NULL if there
 * are no rows. Otherwise moves the rows to *moved and returns NULL. Sets *count in both
 * cases. */
void *dj_trace_rows_move_out(struct dj_trace_rows *rows, struct dj_trace_rows *moved,
                             size_t *count);

/* Returns rows->code. Sets an error message if the code is not 0. */
int dj_trace_rows_get_error(const struct dj_trace_rows *rows, struct dj_error *err);

#endif
