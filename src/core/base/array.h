/* Growable arrays: a pointer and a count in the owner's storage. */
#ifndef DEJANK_BASE_ARRAY_H
#define DEJANK_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/count_of.h"

/* Like reallocarray(), but requests large pages for large arrays: the kernel then
 * provides memory in steps of 2 MiB instead of 4 KiB, each of which costs as much as
 * reading ten rows. Returns NULL without memory; then the array is unchanged. free()
 * frees it. */
void *dj_array_resize(void *array, size_t count, size_t element_bytes);

/* Arrays that grow only with these macros, starting with NULL and 0, need no capacity:
 * it is at least the smallest power of two that fits all elements, which may also be
 * removed. Do not pass an array that was allocated in another way: it may have less
 * space. `array` and `count` are lvalues and are evaluated more than once. free()
 * frees the array. */

/* Makes space for one more element after `count`, which does not change. Returns false
 * without memory; then the array is unchanged. */
#define DJ_ARRAY_ROOM(array, count)                                                      \
    dj_array_reserve_one(&(array), (count), sizeof(*(array)))

/* Appends a value. Returns false without memory; then array and count are unchanged. */
#define DJ_ARRAY_PUSH(array, count, ...)                                                 \
    (DJ_ARRAY_ROOM(array, count) && ((array)[(count)++] = __VA_ARGS__, true))

/* Removes the last element of an array that is not empty, and returns it. */
#define DJ_ARRAY_POP(array, count) ((array)[--(count)])

/* Makes space for `count` elements in an array with a stored capacity, which at least
 * doubles. For arrays that are often emptied and filled, or that grow by several
 * elements at once. Returns false as above. */
#define DJ_ARRAY_RESERVE(array, capacity, count)                                         \
    ((count) <= (capacity) ||                                                            \
     dj_array_reserve(&(array), &(capacity), (count), sizeof(*(array))))

/* Used by these macros. `array` is the address of the pointer. */
bool dj_array_double(void *array, size_t count, size_t element_bytes);
bool dj_array_reserve(void *array, size_t *capacity, size_t count, size_t element_bytes);

static inline bool dj_array_reserve_one(void *array, size_t count, size_t element_bytes)
{
    bool is_full = (count & (count - 1)) == 0;
    return !is_full || dj_array_double(array, count, element_bytes);
}

#endif
