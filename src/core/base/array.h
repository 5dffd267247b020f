/* Growable arrays. The owner stores a pointer to the elements and their count. */
#ifndef DEJANK_BASE_ARRAY_H
#define DEJANK_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/count_of.h"

/* Like reallocarray(), but requests large pages for a large array. With large pages, the
 * kernel provides memory in steps of 2 MiB instead of 4 KiB, so there are fewer page
 * faults. Returns NULL if there is no memory, and leaves the array unchanged. The caller
 * frees the array with free(). */
void *dj_array_resize(void *array, size_t count, size_t element_bytes);

/* The next three macros work on an array whose capacity is not stored. Such an array
 * starts with NULL and a count of 0, and may grow only with these macros. They ensure
 * that its capacity is at least the smallest power of two that fits all elements. An
 * array that was allocated in another way may have less space, so do not pass one.
 * `array` and `count` are lvalues and are evaluated more than once. The caller frees the
 * array with free(). */

/* Makes space for one more element, and leaves `count` unchanged. Returns false if there
 * is no memory; the array is then unchanged. */
#define DJ_ARRAY_ROOM(array, count)                                                      \
    dj_array_reserve_one(&(array), (count), sizeof(*(array)))

/* Appends a value. Returns false if there is no memory; array and count are then
 * unchanged. */
#define DJ_ARRAY_PUSH(array, count, ...)                                                 \
    (DJ_ARRAY_ROOM(array, count) && ((array)[(count)++] = __VA_ARGS__, true))

/* Removes the last element and returns it. The array must not be empty. */
#define DJ_ARRAY_POP(array, count) ((array)[--(count)])

/* Makes space for `count` elements in an array with a stored capacity. If the array must
 * grow, the capacity at least doubles. Suits arrays that are often emptied and filled, or
 * that grow by several elements at once. Returns false if there is no memory; the array
 * is then unchanged. */
#define DJ_ARRAY_RESERVE(array, capacity, count)                                         \
    ((count) <= (capacity) ||                                                            \
     dj_array_reserve(&(array), &(capacity), (count), sizeof(*(array))))

/* A part of the macros above, which callers do not use directly. `array` is the
 * address of the pointer to the elements. */
bool dj_array_double(void *array, size_t count, size_t element_bytes);
bool dj_array_reserve(void *array, size_t *capacity, size_t count, size_t element_bytes);

static inline bool dj_array_reserve_one(void *array, size_t count, size_t element_bytes)
{
    bool is_full = (count & (count - 1)) == 0;
    return !is_full || dj_array_double(array, count, element_bytes);
}

#endif
