/* Sums up slices by name. The source file also contains dj_trace_sum_slices() of
 * trace/trace.h. */
#ifndef DEJANK_TRACE_MODEL_SLICE_SUMS_H
#define DEJANK_TRACE_MODEL_SLICE_SUMS_H

#include "trace/trace.h"

/* Returns an empty fold for rows of type struct dj_trace_sum. */
struct dj_trace_fold dj_slice_sums_create_fold(size_t memory_bytes);

#endif
