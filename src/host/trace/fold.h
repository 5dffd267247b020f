/* Rows of one name become one row, however many there are: what is often lies in a table,
 * the rest in rows (trace/rows.h). Of this room and for who writes a trace out. */
#ifndef DEJANK_TRACE_FOLD_H
#define DEJANK_TRACE_FOLD_H

#include "base/map.h"
#include "trace/rows.h"

/* Zero it but for the first four, and for `hash` where there is one. A row begins with
 * its name (const char *), not NULL. */
struct dj_fold {
    size_t row_bytes;
    int (*order)(const void *a, const void *b); /* 0: these are to be one */
    void (*add)(void *to, const void *more);    /* `more` came later */
    size_t memory_bytes;                        /* as in struct dj_rows */
    /* The same of rows that are to be one; NULL: their name tells them apart. */
    uint64_t (*hash)(const void *row);
    struct dj_rows parts;
    char *table;          /* rows; owned */
    struct dj_map places; /* indices of them, by hash */
    size_t count;
};

/* Rows are lost where fold->parts.code says so. */
void dj_fold_put(struct dj_fold *fold, const void *row);

/* All are in: puts the rows that remain, each once and by `order`, into `rows`. As
 * dj_rows_error(). */
int dj_fold_end(struct dj_fold *fold, struct dj_rows *rows, struct dj_error *err);
void dj_fold_finish(struct dj_fold *fold);

#endif
