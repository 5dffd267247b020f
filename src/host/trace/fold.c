#include "trace/fold.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 13, MOST = SLOTS / 2 };

static const char *name_of(const char *row)
{
    const char *name;
    memcpy(&name, row, sizeof(const char *));
    return name;
}

/* Where the row is, or would be; free slots have no name. */
static char *slot_of(const struct dj_fold *fold, const char *row)
{
    uint64_t told = fold->hash != NULL ? fold->hash(row) : (uintptr_t)name_of(row);
    uint64_t key = told * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(key >> 32) % SLOTS;
    char *slot = fold->table + at * fold->row_bytes;
    while (name_of(slot) != NULL && fold->order(slot, row) != 0) {
        at = (at + 1) % SLOTS;
        slot = fold->table + at * fold->row_bytes;
    }
    return slot;
}

static bool begin(struct dj_fold *fold)
{
    fold->parts = (struct dj_rows){.row_bytes = fold->row_bytes,
                                   .order = fold->order,
                                   .memory_bytes = fold->memory_bytes};
    fold->table = calloc(SLOTS, fold->row_bytes);
    if (fold->table == NULL) {
        fold->parts.code = DJ_E_NO_MEMORY;
    }
    return fold->table != NULL;
}

static bool empty_table(struct dj_fold *fold)
{
    bool fits = true;
    for (size_t i = 0; i < SLOTS && fits; i++) {
        const char *slot = fold->table + i * fold->row_bytes;
        fits = name_of(slot) == NULL || dj_rows_put(&fold->parts, slot);
    }
    memset(fold->table, 0, SLOTS * fold->row_bytes);
    fold->count = 0;
    return fits;
}

bool dj_fold_put(struct dj_fold *fold, const void *row)
{
    if (fold->parts.code != 0 || (fold->table == NULL && !begin(fold))) {
        return false;
    }
    char *slot = slot_of(fold, row);
    if (name_of(slot) != NULL) {
        fold->add(slot, row);
        return true;
    }
    memcpy(slot, row, fold->row_bytes);
    return ++fold->count < MOST || empty_table(fold);
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
    if (fold->table != NULL && empty_table(fold) && dj_rows_sort(&fold->parts)) {
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
    fold->table = NULL;
    fold->count = 0;
}
