#include "trace/fold.h"

#include <stdlib.h>
#include <string.h>

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

static bool begin(struct dj_fold *fold)
{
    fold->parts = (struct dj_rows){.row_bytes = fold->row_bytes,
                                   .order = fold->order,
                                   .memory_bytes = fold->memory_bytes};
    fold->table = reallocarray(NULL, TABLE_ROWS, fold->row_bytes);
    fold->parts.code = fold->table == NULL ? DJ_E_NO_MEMORY : 0;
    return fold->table != NULL;
}

static bool put_parts(struct dj_fold *fold)
{
    bool fits = true;
    for (size_t i = 0; i < fold->count && fits; i++) {
        fits = dj_rows_put(&fold->parts, row_at(fold, i));
    }
    fold->count = 0;
    dj_map_clear(&fold->places);
    return fits;
}

bool dj_fold_put(struct dj_fold *fold, const void *row)
{
    if (fold->parts.code != 0 || (fold->table == NULL && !begin(fold))) {
        return false;
    }
    uint64_t hash = hash_of(fold, row);
    size_t at, found = dj_map_first(&fold->places, hash, &at);
    while (found != DJ_MAP_NONE && fold->order(row_at(fold, found), row) != 0) {
        found = dj_map_next(&fold->places, hash, &at);
    }
    if (found != DJ_MAP_NONE) {
        fold->add(row_at(fold, found), row);
        return true;
    }
    if (!dj_map_add(&fold->places, hash, fold->count)) {
        fold->parts.code = DJ_E_NO_MEMORY;
        return false;
    }
    memcpy(row_at(fold, fold->count++), row, fold->row_bytes);
    return fold->count < TABLE_ROWS || put_parts(fold);
}

/* The parts of one name lie behind each other now. */
static void join(struct dj_fold *fold, struct dj_rows *rows, char *whole)
{
    const void *part = dj_rows_next(&fold->parts);
    bool fits = true;
    if (part != NULL) {
        memcpy(whole, part, fold->row_bytes);
        while (fits && (part = dj_rows_next(&fold->parts)) != NULL) {
            if (fold->order(whole, part) == 0) {
                fold->add(whole, part);
            } else {
                fits = dj_rows_put(rows, whole);
                memcpy(whole, part, fold->row_bytes);
            }
        }
        dj_rows_put(rows, whole);
    }
}

int dj_fold_end(struct dj_fold *fold, struct dj_rows *rows, struct dj_error *err)
{
    char *whole = malloc(fold->row_bytes);
    if (whole == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for sums");
    }
    if (fold->table != NULL && put_parts(fold) && dj_rows_sort(&fold->parts)) {
        join(fold, rows, whole);
    }
    dj_rows_sort(rows);
    free(whole);
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
