/*
 * Rows of one size that are put in any order and come out sorted: all in memory, or,
 * where that has a limit, beyond it in a file without a name (in $TMPDIR, /var/tmp or
 * /tmp), from where sorted pieces are merged. Of this room and for who writes a trace
 * out.
 */
#ifndef DEJANK_TRACE_ROWS_H
#define DEJANK_TRACE_ROWS_H

#include <stdbool.h>

#include "base/error.h"
#include "spill/spill.h"

struct dj_rows_run;

/* What decides most of an order, the first number before the second. */
struct dj_rows_rank {
    uint64_t first, second;
};

/* Zero it but for the first three, and for `rank` where there is one. Rows that `order`
 * calls equal stay in the order in which they were put. */
struct dj_rows {
    size_t row_bytes;
    int (*order)(const void *a, const void *b);
    size_t memory_bytes; /* most that is kept in memory; 0: all */
    /* NULL, or such that only rows of one rank need `order`: sorts faster, and takes as
     * much memory again while it does. */
    struct dj_rows_rank (*rank)(const void *row);
    uint64_t total; /* rows that were put */
    int code;       /* DJ_E_IO: the file cannot be written or read, and rows are lost */
    /* Of rows.c alone, but that without a limit all rows are here once they are sorted.
     */
    char *rows;
    size_t count, capacity;
    bool unsorted;         /* those in memory are */
    struct dj_spill spill; /* not open: all rows are in memory */
    struct dj_rows_run *runs;
    size_t run_count;
    struct dj_rows_run **heap;
    size_t heap_count;
    size_t at;
    char *buffers;
};

void dj_rows_finish(struct dj_rows *rows);

/* Copies a row in, unless rows->code says that rows are lost. */
void dj_rows_put(struct dj_rows *rows, const void *row);

/* All are in. Also begins anew: dj_rows_next() then hands out the first one. */
void dj_rows_sort(struct dj_rows *rows);

/* The same, but rows that are all in memory stay as they are: where the order is nothing
 * to the caller. */
void dj_rows_begin(struct dj_rows *rows);

/* The next row, valid until the next call; NULL: there are no more, or it failed. */
const void *dj_rows_next(struct dj_rows *rows);

/* All are in: those without a limit become a sorted array, which is returned and the
 * caller's to free; NULL where there are none. The others go to *kept. `rows` is empty.
 */
void *dj_rows_hand_over(struct dj_rows *rows, struct dj_rows *kept, size_t *count);

/* rows->code with words; 0 where nothing failed. */
int dj_rows_error(const struct dj_rows *rows, struct dj_error *err);

#endif
