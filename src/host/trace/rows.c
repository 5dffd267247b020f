#include "trace/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "memory/memory.h"

enum {
    FIRST_ROWS = 1024,     /* Number of rows for which memory is allocated at first. */
    LEAST_BUFFER = 1 << 14 /* Minimum size of the buffer of a run in bytes. */
};

/* A run: rows that were sorted in memory and then written to the file. `buffer` contains
 * a part of them. */
struct dj_trace_rows_run {
    uint64_t begin, size;
    uint64_t read; /* Number of bytes of the run that were already read. */
    char *buffer;
    size_t at, end;
};

void dj_trace_rows_finish(struct dj_trace_rows *rows)
{
    dj_spill_close(&rows->spill);
    free(rows->rows);
    free(rows->runs);
    free(rows->heap);
    free(rows->buffers);
    *rows = (struct dj_trace_rows){.row_bytes = rows->row_bytes,
                                   .order = rows->order,
                                   .memory_bytes = rows->memory_bytes,
                                   .rank = rows->rank};
}

/* A row and its rank. If ranks differ, the rows themselves are not accessed to compare
 * them. */
struct ranked {
    struct dj_trace_rows_rank rank;
    const char *row;
};

static int by_rank(const void *a, const void *b, void *user)
{
    const struct ranked *left = a, *right = b;
    int (*const *last)(const void *, const void *) = user;
    int order = DJ_COMPARE(left->rank.first, right->rank.first);
    order = order != 0 ? order : DJ_COMPARE(left->rank.second, right->rank.second);
    order = order != 0 ? order : (*last)(left->row, right->row);
    return order != 0 ? order : DJ_COMPARE(left->row, right->row);
}

static void sort_ranked(struct dj_trace_rows *rows)
{
    struct ranked *ranked = dj_xresize(NULL, rows->count, sizeof(*ranked));
    char *sorted = dj_xresize(NULL, rows->capacity, rows->row_bytes);
    for (size_t i = 0; i < rows->count; i++) {
        const char *row = rows->rows + i * rows->row_bytes;
        ranked[i] = (struct ranked){rows->rank(row), row};
    }
    qsort_r(ranked, rows->count, sizeof(*ranked), by_rank, &rows->order);
    for (size_t i = 0; i < rows->count; i++) {
        memcpy(sorted + i * rows->row_bytes, ranked[i].row, rows->row_bytes);
    }
    free(rows->rows);
    rows->rows = sorted;
    free(ranked);
}

static void sort_memory(struct dj_trace_rows *rows)
{
    if (rows->unsorted && rows->rank != NULL) {
        sort_ranked(rows);
    } else if (rows->unsorted) {
        qsort(rows->rows, rows->count, rows->row_bytes, rows->order);
    }
    rows->unsorted = false;
}

/* Sorts the rows in memory and appends them to the file as a run. */
static void write_run(struct dj_trace_rows *rows)
{
    size_t bytes = rows->count * rows->row_bytes;
    if (rows->spill.file == 0 && dj_spill_open(&rows->spill, 0) != 0) {
        rows->code = DJ_E_IO;
        return;
    }
    DJ_XPUSH(rows->runs, rows->run_count,
             (struct dj_trace_rows_run){.begin = rows->spill.bytes, .size = bytes});
    sort_memory(rows);
    if (dj_spill_append(&rows->spill, rows->rows, bytes) != 0) {
        rows->code = DJ_E_IO;
    }
    rows->count = 0;
}

static void make_room(struct dj_trace_rows *rows)
{
    size_t most = rows->memory_bytes / rows->row_bytes;
    size_t more = 2 * rows->capacity + FIRST_ROWS;
    if (most > 0 && rows->capacity >= most) {
        write_run(rows);
    } else {
        rows->capacity = most > 0 && more > most ? most : more;
        rows->rows = dj_xresize(rows->rows, rows->capacity, rows->row_bytes);
    }
}

void dj_trace_rows_add(struct dj_trace_rows *rows, const void *row)
{
    if (rows->count == rows->capacity) {
        make_room(rows);
    }
    if (rows->code != 0) {
        return;
    }
    char *place = rows->rows + rows->count * rows->row_bytes;
    memcpy(place, row, rows->row_bytes);
    rows->unsorted |= rows->count > 0 && rows->order(place - rows->row_bytes, place) > 0;
    rows->count++;
    rows->total++;
}

static bool is_before(const struct dj_trace_rows *rows, const struct dj_trace_rows_run *a,
                      const struct dj_trace_rows_run *b)
{
    int order = rows->order(a->buffer + a->at, b->buffer + b->at);
    /* If rows are equal, the one of the earlier run is first, because it was added
     * earlier. */
    return order != 0 ? order < 0 : a < b;
}

static void sift_down(struct dj_trace_rows *rows, size_t at)
{
    for (size_t child = 2 * at + 1; child < rows->heap_count; child = 2 * at + 1) {
        if (child + 1 < rows->heap_count &&
            is_before(rows, rows->heap[child + 1], rows->heap[child])) {
            child++;
        }
        if (!is_before(rows, rows->heap[child], rows->heap[at])) {
            return;
        }
        struct dj_trace_rows_run *moved = rows->heap[at];
        rows->heap[at] = rows->heap[child];
        rows->heap[child] = moved;
        at = child;
    }
}

/* Reads the next rows of a run into its buffer. Sets run->end to 0 if there are no more
 * rows. Returns false after a read error. */
static bool refill_run(struct dj_trace_rows *rows, struct dj_trace_rows_run *run,
                       size_t most)
{
    uint64_t left = run->size - run->read;
    size_t bytes = left < most ? (size_t)left : most;
    run->at = run->end = 0;
    if (dj_spill_read(&rows->spill, run->begin + run->read, run->buffer, bytes) != 0) {
        rows->code = DJ_E_IO;
        return false;
    }
    run->end = bytes;
    run->read += bytes;
    return true;
}

static size_t compute_buffer_bytes(const struct dj_trace_rows *rows)
{
    size_t share = rows->memory_bytes / rows->run_count;
    share = share > LEAST_BUFFER ? share : LEAST_BUFFER;
    size_t whole = share / rows->row_bytes;
    return (whole > 0 ? whole : 1) * rows->row_bytes;
}

static void begin_merge(struct dj_trace_rows *rows)
{
    size_t bytes = compute_buffer_bytes(rows);
    free(rows->rows);
    rows->rows = NULL;
    rows->capacity = 0;
    rows->heap_count = 0;
    if (rows->buffers == NULL) {
        rows->buffers = dj_xcalloc(rows->run_count, bytes);
        rows->heap = dj_xcalloc(rows->run_count, sizeof(struct dj_trace_rows_run *));
    }
    for (size_t i = 0; i < rows->run_count; i++) {
        struct dj_trace_rows_run *run = &rows->runs[i];
        run->buffer = rows->buffers + i * bytes;
        run->read = 0;
        if (!refill_run(rows, run, bytes)) {
            return;
        }
        rows->heap[rows->heap_count++] = run;
    }
    for (size_t i = rows->heap_count / 2; i-- > 0;) {
        sift_down(rows, i);
    }
}

void dj_trace_rows_sort(struct dj_trace_rows *rows)
{
    rows->at = 0;
    if (rows->run_count == 0) {
        sort_memory(rows);
        return;
    }
    if (rows->count > 0) {
        write_run(rows);
    }
    if (rows->code == 0) {
        begin_merge(rows);
    }
}

void dj_trace_rows_rewind(struct dj_trace_rows *rows)
{
    rows->at = 0;
    if (rows->run_count > 0) {
        dj_trace_rows_sort(rows);
    }
}

/* Skips the row that was returned last, and finds the run that contains the next row. */
static bool advance_merge(struct dj_trace_rows *rows)
{
    struct dj_trace_rows_run *first = rows->heap[0];
    first->at += rows->row_bytes;
    if (first->at == first->end && !refill_run(rows, first, compute_buffer_bytes(rows))) {
        return false;
    }
    if (first->end == 0) {
        rows->heap[0] = rows->heap[--rows->heap_count];
    }
    sift_down(rows, 0);
    return true;
}

const void *dj_trace_rows_next(struct dj_trace_rows *rows)
{
    if (rows->run_count == 0) {
        return rows->code == 0 && rows->at < rows->count
                   ? rows->rows + rows->row_bytes * rows->at++
                   : NULL;
    }
    if (rows->code != 0 ||
        (rows->at > 0 && rows->heap_count > 0 && !advance_merge(rows)) ||
        rows->heap_count == 0) {
        return NULL;
    }
    rows->at = 1;
    return rows->heap[0]->buffer + rows->heap[0]->at;
}

void *dj_trace_rows_move_out(struct dj_trace_rows *rows, struct dj_trace_rows *moved,
                             size_t *count)
{
    struct dj_trace_rows all = *rows;
    *rows = (struct dj_trace_rows){0};
    *count = (size_t)all.total;
    if (all.memory_bytes > 0) {
        *moved = all;
        return NULL;
    }
    sort_memory(&all);
    return all.rows;
}

int dj_trace_rows_get_error(const struct dj_trace_rows *rows, struct dj_error *err)
{
    return rows->code == 0
               ? 0
               : dj_error_set(err, rows->code,
                              "cannot write or read a temporary file for a large trace; "
                              "check the free space in $TMPDIR (or /var/tmp)");
}
