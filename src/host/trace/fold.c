#include "trace/fold.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

enum { TABLE_ROWS = 1 << 12 };

static char *get_row(const struct dj_trace_fold *fold, size_t index)
{
    return fold->table + index * fold->row_bytes;
}

static uint64_t compute_hash(const struct dj_trace_fold *fold, const void *row)
{
    const char *name;
    memcpy(&name, row, sizeof(name));
    return fold->hash != NULL ? fold->hash(row) : (uintptr_t)name;
}

static void flush_table(struct dj_trace_fold *fold)
{
    for (size_t i = 0; i < fold->count; i++) {
        dj_trace_rows_add(&fold->flushed, get_row(fold, i));
    }
    fold->count = 0;
    dj_map_clear(&fold->places);
}

void dj_trace_fold_add(struct dj_trace_fold *fold, const void *row)
{
    if (fold->table == NULL) {
        fold->flushed = (struct dj_trace_rows){.row_bytes = fold->row_bytes,
                                               .order = fold->order,
                                               .memory_bytes = fold->memory_bytes};
        fold->table = dj_xresize(NULL, TABLE_ROWS, fold->row_bytes);
    }
    uint64_t hash = compute_hash(fold, row);
    size_t at, found = dj_map_first(&fold->places, hash, &at);
    while (found != DJ_MAP_NONE && fold->order(get_row(fold, found), row) != 0) {
        found = dj_map_next(&fold->places, hash, &at);
    }
    if (found != DJ_MAP_NONE) {
        fold->add(get_row(fold, found), row);
        return;
    }
    dj_xcheck(dj_map_add(&fold->places, hash, fold->count));
    memcpy(get_row(fold, fold->count++), row, fold->row_bytes);
    if (fold->count == TABLE_ROWS) {
        flush_table(fold);
    }
}

/* Merges rows with the same name. fold->flushed is sorted, so these rows are consecutive.
 */
static void merge_rows(struct dj_trace_fold *fold, struct dj_trace_rows *rows)
{
    const void *part = dj_trace_rows_next(&fold->flushed);
    char *whole = dj_xcalloc(1, fold->row_bytes);
    if (part != NULL) {
        memcpy(whole, part, fold->row_bytes);
        while ((part = dj_trace_rows_next(&fold->flushed)) != NULL) {
            if (fold->order(whole, part) == 0) {
                fold->add(whole, part);
            } else {
                dj_trace_rows_add(rows, whole);
                memcpy(whole, part, fold->row_bytes);
            }
        }
        dj_trace_rows_add(rows, whole);
    }
    free(whole);
}

int dj_trace_fold_complete(struct dj_trace_fold *fold, struct dj_trace_rows *rows,
                           struct dj_error *err)
{
    if (fold->table != NULL) {
        flush_table(fold);
        dj_trace_rows_sort(&fold->flushed);
        merge_rows(fold, rows);
    }
    dj_trace_rows_sort(rows);
    int code = dj_trace_rows_get_error(&fold->flushed, err);
    return code != 0 ? code : dj_trace_rows_get_error(rows, err);
}

void dj_trace_fold_finish(struct dj_trace_fold *fold)
{
    dj_trace_rows_finish(&fold->flushed);
    free(fold->table);
    dj_map_finish(&fold->places);
    fold->table = NULL;
    fold->count = 0;
}
