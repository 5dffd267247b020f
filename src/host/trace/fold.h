/*
 * Merges all rows of one name to one row, for any number of rows: frequent names stay in
 * a table, the rest goes to rows (trace/rows.h). The trace module and writers of traces
 * use it.
 */
#ifndef DEJANK_TRACE_FOLD_H
#define DEJANK_TRACE_FOLD_H

#include "base/map.h"
#include "trace/rows.h"

/* Zero it and set the first four members, and `hash` if needed. A row begins with its
 * name (const char *), which is not NULL. */
struct dj_trace_fold {
    size_t row_bytes;
    int (*order)(const void *a, const void *b); /* 0: the two rows become one */
    void (*add)(void *to, const void *more); /* adds `more`, which came later, to `to` */
    size_t memory_bytes;                     /* as in struct dj_trace_rows */
    /* Equal for rows that become one; NULL: hashes the name pointer. */
    uint64_t (*hash)(const void *row);
    struct dj_trace_rows parts;
    char *table;          /* rows; owned */
    struct dj_map places; /* index in `table`, by hash */
    size_t count;
};

/* Adds a row. If rows are lost, fold->parts.code is not 0. */
void dj_trace_fold_add(struct dj_trace_fold *fold, const void *row);

/* Writes the merged rows into `rows`, each once, by `order`. Call it after the last row.
 * Returns as dj_trace_rows_get_error(). */
int dj_trace_fold_complete(struct dj_trace_fold *fold, struct dj_trace_rows *rows,
                           struct dj_error *err);
void dj_trace_fold_finish(struct dj_trace_fold *fold);

#endif
