/* An array that moves from memory to a temporary file when it becomes large. The file is
 * mapped, so the caller always uses the array through a pointer. The kernel may write the
 * pages of the file to the disk. */
#ifndef DEJANK_SPILL_ARRAY_H
#define DEJANK_SPILL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "spill/spill.h"

enum { DJ_SPILL_MEMORY_BYTES = 64 << 20 };

/* Limit for the memory of several arrays together. */
struct dj_spill_budget {
    size_t used_bytes;
    size_t most_bytes; /* Maximum of used_bytes, or 0 for DJ_SPILL_MEMORY_BYTES. */
};

/* An array in memory or in a file. An array that is all zero is empty. */
struct dj_spill_array {
    /* The elements. The address changes when the array grows. Owned by this struct. */
    void *data;
    size_t bytes;
    struct dj_spill spill; /* The file. Not open while the array is in memory. */
};

/* Makes the array at least `bytes` large. New bytes are uninitialized. If the memory of
 * all arrays would exceed the budget, moves the array to a file in $TMPDIR, /var/tmp or
 * /tmp. If none of these folders has space, the array stays in memory. Returns false if
 * there is no memory; the array is then unchanged. */
bool dj_spill_array_grow(struct dj_spill_array *array, size_t bytes,
                         struct dj_spill_budget *budget);
void dj_spill_array_finish(struct dj_spill_array *array, struct dj_spill_budget *budget);

#endif
