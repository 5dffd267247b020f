/*
 * Sums up sections by name as they come. Edges in order of time need neither memory nor
 * sorting.
 */
#ifndef DEJANK_TRACE_SUMMING_H
#define DEJANK_TRACE_SUMMING_H

#include "base/map.h"
#include "trace/slices.h"

struct dj_lane;

/* Zero it and set the trace. It fills slice_count and endings of the trace, and adds the
 * sums to trace->sums, which the caller creates with dj_sums_fold(). */
struct dj_summing {
    struct dj_trace *trace;
    bool unfit; /* edges came out of order, or too many are open for memory_bytes: the
                   caller must read the trace again and use dj_trace_pair_rows() */
    struct dj_map places;  /* index in `lanes`, by thread */
    struct dj_lane *lanes; /* owned */
    size_t lane_count, lane;
    struct dj_map asyncs; /* open async slices, by hash: owned pointers */
    bool async_seen;      /* at least one async edge came */
    int64_t async_ns;     /* stamp of the latest async edge */
    size_t open_bytes;    /* memory in bytes for open slices */
};

/* Adds an edge. Unless `unfit` is set, the result equals the sums of the slices that
 * dj_trace_pair_rows() would return. */
void dj_summing_take(struct dj_summing *summing, const struct dj_edge *edge);

/* Counts what has no end as open. Call it after the last edge. */
void dj_summing_end(struct dj_summing *summing);
/* Frees all memory. Keeps `unfit`. */
void dj_summing_finish(struct dj_summing *summing);

#endif
