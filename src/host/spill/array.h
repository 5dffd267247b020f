/* An array that moves from memory to a temporary file when it becomes large. The file is
 * mapped, so the array is used in the same way. The kernel may write its pages to the
 * disk. */
#ifndef DEJANK_SPILL_ARRAY_H
#define DEJANK_SPILL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "spill/spill.h"

enum { DJ_SPILL_MEMORY_BYTES = 64 << 20 };

/* Memory that several arrays use together. */
struct dj_spill_budget {
    size_t used_bytes;
    size_t most_bytes; /* 0: DJ_SPILL_MEMORY_BYTES */
};

/* Zero it. */
struct dj_spill_array {
    void *data; /* moves when the array grows; owned */
    size_t bytes;
    struct dj_spill spill; /* not open: the array is in memory */
};

/* Makes the array at least this large; new bytes are undefined. An array that exceeds the
 * budget moves to a file in $TMPDIR, /var/tmp or /tmp with reserved space. If none of
 * these has room, it stays in memory. False: out of memory; the array is unchanged. */
bool dj_spill_array_grow(struct dj_spill_array *array, size_t bytes,
                         struct dj_spill_budget *budget);
void dj_spill_array_finish(struct dj_spill_array *array, struct dj_spill_budget *budget);

#endif
