#include "measure/window/row_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/compare.h"
#include "frame/recovery.h"

enum { FIRST_ROWS = 128 };

void dj_row_store_finish(struct dj_row_store *store)
{
    dj_spill_array_finish(&store->frame_array, store->budget);
    dj_spill_array_finish(&store->vendor_array, store->budget);
    free(store->before);
    *store = (struct dj_row_store){0};
}

static int64_t get_start(const struct dj_frame *frame)
{
    return dj_frame_get_time(frame, 0);
}

/* Returns the index of the first row that starts at or after `key`. Checks the end of the
 * array first, because most new rows belong there. */
static size_t find_frame(const struct dj_row_store *store, int64_t key)
{
    size_t low = 0;
    size_t high = store->count;
    if (high > 0 && get_start(&store->frames[high - 1]) < key) {
        return high;
    }
    DJ_SEARCH(low, high, middle, get_start(&store->frames[middle]) < key);
    return low;
}

static size_t find_before(const struct dj_row_store *store, int64_t key)
{
    size_t low = 0;
    size_t high = store->before_count;
    DJ_SEARCH(low, high, middle, store->before[middle] < key);
    return low;
}

static bool is_excluded(const struct dj_row_store *store, int64_t key)
{
    size_t at = find_before(store, key);
    return at < store->before_count && store->before[at] == key;
}

bool dj_row_store_exclude(struct dj_row_store *store, const struct dj_frame *frame)
{
    int64_t start_ns;
    if (!dj_frame_find_time(frame, &start_ns)) {
        return true;
    }
    size_t at = find_before(store, start_ns);
    if (!DJ_ARRAY_ROOM(store->before, store->before_count)) {
        return false;
    }
    memmove(store->before + at + 1, store->before + at,
            (store->before_count - at) * sizeof(*store->before));
    store->before[at] = start_ns;
    store->before_count++;
    return true;
}

/* Makes room for the element at index `count`. Returns false if memory runs out. */
static bool grow(struct dj_spill_array *array, size_t count, size_t element_bytes,
                 struct dj_spill_budget *budget)
{
    if ((count + 1) * element_bytes <= array->bytes) {
        return true;
    }
    /* In memory, the size of the array doubles. In a file, dj_spill_array_grow() chooses
     * the new size. */
    size_t wanted = array->spill.file > 0 ? count + 1
                    : count < FIRST_ROWS  ? FIRST_ROWS
                                          : 2 * count;
    return dj_spill_array_grow(array, wanted * element_bytes, budget);
}

/* Makes room for one more frame and its vendor's numbers. */
static bool grow_rows(struct dj_row_store *store)
{
    size_t numbers = store->vendor_count;
    if (!grow(&store->frame_array, store->count, sizeof(*store->frames), store->budget) ||
        (numbers > 0 && !grow(&store->vendor_array, store->count,
                              numbers * sizeof(*store->vendor), store->budget))) {
        return false;
    }
    store->frames = store->frame_array.data;
    store->vendor = store->vendor_array.data;
    return true;
}

static void set_vendor_numbers(struct dj_row_store *store, size_t at,
                               const struct dj_number *vendor)
{
    for (size_t i = 0; i < store->vendor_count; i++) {
        store->vendor[at * store->vendor_count + i] =
            vendor != NULL ? vendor[i] : (struct dj_number){0};
    }
}

/* Moves the rows from index `at` on by one index, so that a row can be inserted there. */
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

bool dj_row_store_add(struct dj_row_store *store, const struct dj_frame *frame,
                      const struct dj_number *vendor, bool *added)
{
    *added = false;
    int64_t start_ns;
    if (!dj_frame_find_time(frame, &start_ns) || is_excluded(store, start_ns)) {
        return true;
    }
    size_t at = find_frame(store, start_ns);
    bool seen = at < store->count && get_start(&store->frames[at]) == start_ns;
    if (!seen) {
        if (!grow_rows(store)) {
            return false;
        }
        shift_rows(store, at);
        store->count++;
        *added = true;
    }
    store->frames[at] = *frame;
    set_vendor_numbers(store, at, vendor);
    return true;
}

void dj_row_store_trim(struct dj_row_store *store, int64_t start_ns, int64_t end_ns)
{
    const struct dj_span span = {start_ns, end_ns};
    size_t count = 0;
    for (size_t i = 0; i < store->count; i++) {
        if (dj_frame_span_contains(&span, &store->frames[i]) &&
            dj_frame_is_complete(&store->frames[i])) {
            store->frames[count] = store->frames[i];
            set_vendor_numbers(
                store, count,
                store->vendor_count > 0 ? store->vendor + i * store->vendor_count : NULL);
            count++;
        }
    }
    store->count = count;
}
