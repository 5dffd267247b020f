/* Appends packets to a Perfetto trace. */
#ifndef DEJANK_TRACE_SYMBOLIZE_APPEND_H
#define DEJANK_TRACE_SYMBOLIZE_APPEND_H

#include "base/error.h"
#include "base/str.h"

/* Checks that packets can be appended to a file. Returns 0 if the file is a Perfetto
 * trace that is not compressed as a whole. Otherwise returns DJ_E_UNSUPPORTED, or an
 * error of reading. */
int dj_append_check(const char *input, struct dj_error *err);

/* Writes the packets of `input` and then `packets` to `output`, which may be the same
 * file. Sets *incomplete to the size of a truncated packet at the end of `input`. Such a
 * packet is not copied, because a reader would treat the next packets as a part of it.
 * Returns 0 or an error. */
int dj_append_packets(const char *input, const char *output, struct dj_str packets,
                      uint64_t *incomplete, struct dj_error *err);

#endif
