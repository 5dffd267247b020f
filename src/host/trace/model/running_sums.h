/*
 * Sums up sections by name while they are read. The edges (begins and ends) must come
 * in order of time. This needs little memory and no sorting.
 */
#ifndef DEJANK_TRACE_MODEL_RUNNING_SUMS_H
#define DEJANK_TRACE_MODEL_RUNNING_SUMS_H

#include "base/map.h"
#include "trace/model/slices.h"

struct dj_lane;

/* Zero it and set `trace`. Sets slice_count and endings of the trace, and adds the sums
 * to trace->sums, which the caller creates with dj_slice_sums_create_fold(). */
struct dj_running_sums {
    struct dj_trace *trace;
    /* Edges were not in order of time, or open sections need more memory than
     * memory_bytes. The caller must read the trace again and use
     * dj_slices_pair_edges(). */
    bool needs_second_read;
    struct dj_map places;  /* Maps a thread id to an index in `lanes`. */
    struct dj_lane *lanes; /* Owned. */
    size_t lane_count, lane;
    struct dj_map asyncs; /* Open async slices, by hash. The values are owned pointers. */
    bool async_seen;      /* At least one async edge was added. */
    int64_t async_ns;     /* Time of the latest async edge. */
    size_t open_bytes;    /* Memory for open slices in bytes. */
};

/* Adds an edge. Does nothing if needs_second_read is set. Otherwise, the result is
 * equal to the sums of the slices that dj_slices_pair_edges() returns. */
void dj_running_sums_add_edge(struct dj_running_sums *running_sums,
                              const struct dj_edge *edge);

/* Counts sections without an end as open. Call it after the last edge. */
void dj_running_sums_complete(struct dj_running_sums *running_sums);
/* Frees all memory. Does not change needs_second_read. */
void dj_running_sums_finish(struct dj_running_sums *running_sums);

#endif
