/* Compressed parts within a trace. Of this room only. */
#ifndef DEJANK_TRACE_UNPACK_H
#define DEJANK_TRACE_UNPACK_H

#include "trace/event.h"

/* No part may unfold to more. */
enum { DJ_UNPACK_MOST = 256 << 20 };

/* Unfolds bytes by the method of that name ("zstd", "zlib") into exactly `size` bytes.
 * DJ_E_INVALID: they are damaged, or not of that size; DJ_E_UNSUPPORTED: another method.
 */
int dj_unpack(struct dj_str method, struct dj_str packed, uint8_t *bytes, size_t size,
              struct dj_error *err);

#endif
