/*
 * Sorts rows of one size: they are added in any order and returned in sorted order. They
 * stay in memory, or, above a memory limit, in an unnamed temporary file (in $TMPDIR,
 * /var/tmp or /tmp), from which sorted runs are merged. The trace module and writers of
 * traces use it.
 */
#ifndef DEJANK_TRACE_ROWS_H
#define DEJANK_TRACE_ROWS_H

#include <stdbool.h>

#include "base/error.h"
#include "spill/spill.h"

struct dj_trace_rows_run;

/* The most significant part of the sort order; `first` is compared before `second`. */
struct dj_trace_rows_rank {
    uint64_t first, second;
};

/* Zero it and set the first three members, and `rank` if needed. The sort is stable: rows
 * that `order` calls equal keep the order in which they were added. */
struct dj_trace_rows {
    size_t row_bytes;
    int (*order)(const void *a, const void *b);
    size_t memory_bytes; /* maximum in memory; 0: unlimited */
    /* NULL, or the rank of a row: rows are sorted by rank first, and `order` compares
     * only rows of equal rank. This is faster, but sorting needs twice the memory. */
    struct dj_trace_rows_rank (*rank)(const void *row);
    uint64_t total; /* number of rows that were added */
    int code;       /* DJ_E_IO: the file cannot be written or read, and rows are lost */
    /* The rest is private. Exception: without a limit, all rows are in `rows`
     * after sorting. */
    char *rows;
    size_t count, capacity;
    bool unsorted;         /* the rows in memory are not sorted */
    struct dj_spill spill; /* not open: all rows are in memory */
    struct dj_trace_rows_run *runs;
    size_t run_count;
    struct dj_trace_rows_run **heap;
    size_t heap_count;
    size_t at;
    char *buffers;
};

void dj_trace_rows_finish(struct dj_trace_rows *rows);

/* Copies a row in. Does nothing if rows->code is not 0. */
void dj_trace_rows_add(struct dj_trace_rows *rows, const void *row);

/* Sorts the rows. Call it after the last row. It can be called again:
 * dj_trace_rows_next() then returns the first row. */
void dj_trace_rows_sort(struct dj_trace_rows *rows);

/* The same, but leaves rows in memory unsorted. For callers that do not need the order.
 */
void dj_trace_rows_rewind(struct dj_trace_rows *rows);

/* Returns the next row, valid until the next call; NULL at the end or after an error. */
const void *dj_trace_rows_next(struct dj_trace_rows *rows);

/* Moves the rows out after the last one was added. Without a memory limit, returns a
 * sorted array that the caller frees (NULL if there are no rows). With a limit, moves the
 * rows to *moved and returns NULL. `rows` is empty afterwards. */
void *dj_trace_rows_move_out(struct dj_trace_rows *rows, struct dj_trace_rows *moved,
                             size_t *count);

/* Returns rows->code and sets an error message; 0: no error. */
int dj_trace_rows_get_error(const struct dj_trace_rows *rows, struct dj_error *err);

#endif
