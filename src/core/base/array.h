/* Growable arrays: a pointer and a count, which the array's owner keeps. */
#ifndef DEJANK_BASE_ARRAY_H
#define DEJANK_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/count_of.h"

/* reallocarray(), and where the array is large it is asked to lie in large pages: the
 * kernel then hands it out in steps of 2 MiB, not of 4 KiB, of which each costs as much
 * as reading ten rows. NULL: out of memory; the array is as it was. free() frees it. */
void *dj_array_resize(void *array, size_t count, size_t element_bytes);

/*
 * Arrays that grow only by these macros, from NULL and 0, need no capacity: it is at
 * least the smallest power of two that holds all elements, which may also be removed. An
 * array that was allocated in another way may have less room: do not pass it. `array` and
 * `count` are lvalues, and are evaluated more than once. free() frees the array.
 */

/* Makes room for one more element after `count`, which stays as it is. False: out of
 * memory; the array is unchanged. */
#define DJ_ARRAY_ROOM(array, count)                                                      \
    dj_array_make_room(&(array), (count), sizeof(*(array)))

/* Appends a value. False: out of memory; array and count are unchanged. */
#define DJ_ARRAY_PUSH(array, count, ...)                                                 \
    (DJ_ARRAY_ROOM(array, count) && ((array)[(count)++] = __VA_ARGS__, true))

/* Removes the last element of an array that is not empty, and returns it. */
#define DJ_ARRAY_POP(array, count) ((array)[--(count)])

/* Makes room for `count` elements in an array that keeps its capacity, which at least
 * doubles, because it is emptied and filled often or several are added at once. False: as
 * above. */
#define DJ_ARRAY_RESERVE(array, capacity, count)                                         \
    ((count) <= (capacity) ||                                                            \
     dj_array_reserve(&(array), &(capacity), (count), sizeof(*(array))))

/* For these macros. `array`: the address of the pointer. */
bool dj_array_double(void *array, size_t count, size_t element_bytes);
bool dj_array_reserve(void *array, size_t *capacity, size_t count, size_t element_bytes);

static inline bool dj_array_make_room(void *array, size_t count, size_t element_bytes)
{
    bool is_full = (count & (count - 1)) == 0;
    return !is_full || dj_array_double(array, count, element_bytes);
}

#endif
