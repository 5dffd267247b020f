#include "measure/row_store.h"

#include <stdlib.h>
#include <string.h>

#include "frame/recovery.h"

void dj_row_store_finish(struct dj_row_store *store)
{
    free(store->frames);
    free(store->vendor);
    free(store->before);
    *store = (struct dj_row_store){0};
}

/* Room for one more element; the array may move. */
static bool grow(void **array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    size_t wanted = *capacity == 0 ? 128 : *capacity * 2;
    void *bigger = reallocarray(*array, wanted, size);
    if (bigger == NULL) {
        return false;
    }
    *array = bigger;
    *capacity = wanted;
    return true;
}

static int64_t start_of(const struct dj_frame *frame)
{
    return frame->value[DJ_COLUMN_INTENDED_VSYNC];
}

/* Rows come almost in order: the search starts at the end. First index whose key is not
 * below `key`. */
static size_t find_frame(const struct dj_row_store *store, int64_t key)
{
    size_t low = 0;
    size_t high = store->count;
    if (high > 0 && start_of(&store->frames[high - 1]) < key) {
        return high;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (start_of(&store->frames[middle]) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static size_t find_before(const struct dj_row_store *store, int64_t key)
{
    size_t low = 0;
    size_t high = store->before_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (store->before[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_excluded(const struct dj_row_store *store, int64_t key)
{
    size_t at = find_before(store, key);
    return at < store->before_count && store->before[at] == key;
}

bool dj_row_store_exclude(struct dj_row_store *store, const struct dj_frame *frame)
{
    if (!dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC)) {
        return true;
    }
    size_t at = find_before(store, start_of(frame));
    void *array = store->before;
    if (!grow(&array, store->before_count, &store->before_capacity,
              sizeof(*store->before))) {
        return false;
    }
    store->before = array;
    memmove(store->before + at + 1, store->before + at,
            (store->before_count - at) * sizeof(*store->before));
    store->before[at] = start_of(frame);
    store->before_count++;
    return true;
}

/* Room for one more frame and the vendor's numbers beside it. */
static bool grow_rows(struct dj_row_store *store)
{
    size_t capacity = store->capacity;
    void *array = store->frames;
    if (!grow(&array, store->count, &store->capacity, sizeof(*store->frames))) {
        return false;
    }
    store->frames = array;
    if (store->vendor_count == 0 || store->capacity == capacity) {
        return true;
    }
    struct dj_number *bigger = reallocarray(store->vendor, store->capacity,
                                            store->vendor_count * sizeof(*bigger));
    if (bigger == NULL) {
        store->capacity = capacity; /* of both */
        return false;
    }
    store->vendor = bigger;
    return true;
}

static void put_vendor(struct dj_row_store *store, size_t at,
                       const struct dj_number *vendor)
{
    for (size_t i = 0; i < store->vendor_count; i++) {
        store->vendor[at * store->vendor_count + i] =
            vendor != NULL ? vendor[i] : (struct dj_number){0};
    }
}

/* Makes room at an index. */
static void shift_rows(struct dj_row_store *store, size_t at)
{
    size_t moved = store->count - at;
    size_t numbers = store->vendor_count;
    memmove(store->frames + at + 1, store->frames + at, moved * sizeof(*store->frames));
    if (numbers > 0) {
        memmove(store->vendor + (at + 1) * numbers, store->vendor + at * numbers,
                moved * numbers * sizeof(*store->vendor));
    }
}

bool dj_row_store_put(struct dj_row_store *store, const struct dj_frame *frame,
                      const struct dj_number *vendor, bool *added)
{
    *added = false;
    if (!dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC) ||
        is_excluded(store, start_of(frame))) {
        return true;
    }
    size_t at = find_frame(store, start_of(frame));
    bool seen = at < store->count && start_of(&store->frames[at]) == start_of(frame);
    if (!seen) {
        if (!grow_rows(store)) {
            return false;
        }
        shift_rows(store, at);
        store->count++;
        *added = true;
    }
    store->frames[at] = *frame;
    put_vendor(store, at, vendor);
    return true;
}

void dj_row_store_trim(struct dj_row_store *store, int64_t start_ns, int64_t end_ns)
{
    const struct dj_span span = {start_ns, end_ns};
    size_t kept = 0;
    for (size_t i = 0; i < store->count; i++) {
        if (dj_span_holds(&span, &store->frames[i]) &&
            dj_frame_complete(&store->frames[i])) {
            store->frames[kept] = store->frames[i];
            put_vendor(store, kept,
                       store->vendor_count > 0 ? store->vendor + i * store->vendor_count
                                               : NULL);
            kept++;
        }
    }
    store->count = kept;
}
