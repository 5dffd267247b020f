/*
 * Sums up sections by name as they come. Edges in order of time need neither memory nor
 * sorting.
 */
#ifndef DEJANK_TRACE_MODEL_RUNNING_SUMS_H
#define DEJANK_TRACE_MODEL_RUNNING_SUMS_H

#include "base/map.h"
#include "trace/model/slices.h"

struct dj_lane;

/* Zero it and set the trace. It fills slice_count and endings of the trace, and adds the
 * sums to trace->sums, which the caller creates with dj_slice_sums_create_fold(). */
struct dj_running_sums {
    struct dj_trace *trace;
    bool needs_second_read; /* edges came out of order, or too many are open for
                   memory_bytes: the caller must read the trace again and use
                   dj_slices_pair_edges() */
    struct dj_map places;   /* index in `lanes`, by thread */
    struct dj_lane *lanes;  /* owned */
    size_t lane_count, lane;
    struct dj_map asyncs; /* open async slices, by hash: owned pointers */
    bool async_seen;      /* at least one async edge came */
    int64_t async_ns;     /* stamp of the latest async edge */
    size_t open_bytes;    /* memory in bytes for open slices */
};

/* Adds an edge. Unless `needs_second_read` is set, the result equals the sums of the
 * slices that dj_slices_pair_edges() would return. */
void dj_running_sums_add_edge(struct dj_running_sums *running_sums,
                              const struct dj_edge *edge);

/* Counts what has no end as open. Call it after the last edge. */
void dj_running_sums_complete(struct dj_running_sums *running_sums);
/* Frees all memory. Keeps `needs_second_read`. */
void dj_running_sums_finish(struct dj_running_sums *running_sums);

#endif
