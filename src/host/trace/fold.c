#include "trace/fold.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

enum { TABLE_ROWS = 1 << 12 };

static char *row_at(const struct dj_fold *fold, size_t index)
{
    return fold->table + index * fold->row_bytes;
}

static uint64_t hash_of(const struct dj_fold *fold, const void *row)
{
    const char *name;
    memcpy(&name, row, sizeof(name));
    return fold->hash != NULL ? fold->hash(row) : (uintptr_t)name;
}

static void put_parts(struct dj_fold *fold)
{
    for (size_t i = 0; i < fold->count; i++) {
        dj_rows_put(&fold->parts, row_at(fold, i));
    }
    fold->count = 0;
    dj_map_clear(&fold->places);
}

void dj_fold_put(struct dj_fold *fold, const void *row)
{
    if (fold->table == NULL) {
        fold->parts = (struct dj_rows){.row_bytes = fold->row_bytes,
                                       .order = fold->order,
                                       .memory_bytes = fold->memory_bytes};
        fold->table = dj_xresize(NULL, TABLE_ROWS, fold->row_bytes);
    }
    uint64_t hash = hash_of(fold, row);
    size_t at, found = dj_map_first(&fold->places, hash, &at);
    while (found != DJ_MAP_NONE && fold->order(row_at(fold, found), row) != 0) {
        found = dj_map_next(&fold->places, hash, &at);
    }
    if (found != DJ_MAP_NONE) {
        fold->add(row_at(fold, found), row);
        return;
    }
    dj_xcheck(dj_map_add(&fold->places, hash, fold->count));
    memcpy(row_at(fold, fold->count++), row, fold->row_bytes);
    if (fold->count == TABLE_ROWS) {
        put_parts(fold);
    }
}

/* Rows of one name now follow each other. */
static void join(struct dj_fold *fold, struct dj_rows *rows)
{
    const void *part = dj_rows_next(&fold->parts);
    char *whole = dj_xcalloc(1, fold->row_bytes);
    if (part != NULL) {
        memcpy(whole, part, fold->row_bytes);
        while ((part = dj_rows_next(&fold->parts)) != NULL) {
            if (fold->order(whole, part) == 0) {
                fold->add(whole, part);
            } else {
                dj_rows_put(rows, whole);
                memcpy(whole, part, fold->row_bytes);
            }
        }
        dj_rows_put(rows, whole);
    }
    free(whole);
}

int dj_fold_end(struct dj_fold *fold, struct dj_rows *rows, struct dj_error *err)
{
    if (fold->table != NULL) {
        put_parts(fold);
        dj_rows_sort(&fold->parts);
        join(fold, rows);
    }
    dj_rows_sort(rows);
    int code = dj_rows_error(&fold->parts, err);
    return code != 0 ? code : dj_rows_error(rows, err);
}

void dj_fold_finish(struct dj_fold *fold)
{
    dj_rows_finish(&fold->parts);
    free(fold->table);
    dj_map_finish(&fold->places);
    fold->table = NULL;
    fold->count = 0;
}
