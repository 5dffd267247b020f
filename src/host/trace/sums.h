/* How sections of one name become one sum. Of this room only. */
#ifndef DEJANK_TRACE_SUMS_H
#define DEJANK_TRACE_SUMS_H

#include "trace/trace.h"

/* A fold of struct dj_trace_sum, empty. `names_are_kept`: equal ones are one pointer. */
struct dj_fold dj_sums_fold(size_t memory_bytes, bool names_are_kept);

#endif
