/* Sums of slices by name. The file also contains dj_trace_sum_up() of trace/trace.h. */
#ifndef DEJANK_TRACE_SUMS_H
#define DEJANK_TRACE_SUMS_H

#include "trace/trace.h"

/* Returns an empty fold of struct dj_trace_sum. */
struct dj_fold dj_sums_fold(size_t memory_bytes);

#endif
