#include "trace/fold.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 7, MOST_SLOTS = 1 << 13 };

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
    size_t mask = fold->slots - 1;
    size_t at = (size_t)(key >> 32) & mask;
    char *slot = fold->table + at * fold->row_bytes;
    while (name_of(slot) != NULL && fold->order(slot, row) != 0) {
        at = (at + 1) & mask;
        slot = fold->table + at * fold->row_bytes;
    }
    return slot;
}

/* The rows move to a table of so many slots. */
static bool make_table(struct dj_fold *fold, uint32_t slots)
{
    struct dj_fold grown = *fold;
    grown.table = calloc(slots, fold->row_bytes);
    grown.slots = slots;
    if (grown.table == NULL) {
        fold->parts.code = DJ_E_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < fold->slots; i++) {
        const char *slot = fold->table + i * fold->row_bytes;
        if (name_of(slot) != NULL) {
            memcpy(slot_of(&grown, slot), slot, fold->row_bytes);
        }
    }
    free(fold->table);
    *fold = grown;
    return true;
}

static bool begin(struct dj_fold *fold)
{
    fold->parts = (struct dj_rows){.row_bytes = fold->row_bytes,
                                   .order = fold->order,
                                   .memory_bytes = fold->memory_bytes};
    return make_table(fold, FIRST_SLOTS);
}

static bool put_parts(struct dj_fold *fold)
{
    bool fits = true;
    for (size_t i = 0; i < fold->slots && fits; i++) {
        const char *slot = fold->table + i * fold->row_bytes;
        fits = name_of(slot) == NULL || dj_rows_put(&fold->parts, slot);
    }
    return fits;
}

/* It is half full. */
static bool make_room(struct dj_fold *fold)
{
    if (fold->slots < MOST_SLOTS) {
        return make_table(fold, 4 * fold->slots);
    }
    bool fits = put_parts(fold);
    memset(fold->table, 0, fold->slots * fold->row_bytes);
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
    return ++fold->count < fold->slots / 2 || make_room(fold);
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
    fold->table = NULL;
    fold->slots = fold->count = 0;
}
