/* Arrays that may grow to many megabytes. */
#ifndef DEJANK_BASE_ARRAY_H
#define DEJANK_BASE_ARRAY_H

#include <stddef.h>

/* reallocarray(), and where the array is large it is asked to lie in large pages: the
 * kernel then hands it out in steps of 2 MiB, not of 4 KiB, of which each costs as much
 * as reading ten rows. NULL: out of memory; the array is as it was. free() frees it. */
void *dj_array_resize(void *array, size_t count, size_t element_bytes);

#endif
