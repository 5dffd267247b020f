/* Arrays that may grow to many megabytes. */
#ifndef DEJANK_BASE_ARRAY_H
#define DEJANK_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/count_of.h"

/* reallocarray(), and where the array is large it is asked to lie in large pages: the
 * kernel then hands it out in steps of 2 MiB, not of 4 KiB, of which each costs as much
 * as reading ten rows. NULL: out of memory; the array is as it was. free() frees it. */
void *dj_array_resize(void *array, size_t count, size_t element_bytes);

/* Room for one more behind `count` elements of an array that grows by this alone. Its
 * capacity need not be kept: it is the least power of two that ever held them, so that
 * the array is taken for full where count is 0 or a power of two. The array, which may
 * have moved. NULL: out of memory; it is as it was. free() frees it. */
static inline void *dj_array_room(void *array, size_t count, size_t element_bytes)
{
    bool full = (count & (count - 1)) == 0;
    return full ? dj_array_resize(array, count == 0 ? 1 : 2 * count, element_bytes)
                : array;
}

#endif
