/*
 * Sums up sections by name while they are read. This needs little memory and no sorting,
 * but the edges must come in order of time. An edge is the begin or the end of a section.
 */
#ifndef DEJANK_TRACE_MODEL_RUNNING_SUMS_H
#define DEJANK_TRACE_MODEL_RUNNING_SUMS_H

#include "base/map.h"
#include "trace/model/slices.h"

struct dj_lane;

/* Zero the struct and set `trace`. The functions below set trace->slice_count and
 * trace->endings, and add the sums to trace->sums. The caller creates trace->sums with
 * dj_slice_sums_create_fold(). */
struct dj_running_sums {
    struct dj_trace *trace;
    /* True if edges were not in order of time, or if open sections need more memory than
     * trace->memory_bytes. The caller must then read the trace again and use
     * dj_slices_pair_edges(). */
    bool needs_second_read;
    struct dj_map places;  /* Maps a thread id to an index in `lanes`. */
    struct dj_lane *lanes; /* Lanes. Owned by this struct. */
    size_t lane_count, lane;
    /* Open async slices. Maps a hash to a pointer to the slice. The slices are owned by
     * this struct. */
    struct dj_map asyncs;
    bool async_seen;   /* True after the first async edge was added. */
    int64_t async_ns;  /* Time of the latest async edge. */
    size_t open_bytes; /* Memory for open slices in bytes. */
};

/* Adds an edge. Does nothing if needs_second_read is set. If needs_second_read is not set
 * at the end, the sums are the same as those of the slices of dj_slices_pair_edges(). */
void dj_running_sums_add_edge(struct dj_running_sums *running_sums,
                              const struct dj_edge *edge);

/* Adds the sections that are still open to the number of open sections. Call this
 * function after the last edge. */
void dj_running_sums_complete(struct dj_running_sums *running_sums);
/* Frees all memory. Does not change needs_second_read. */
void dj_running_sums_finish(struct dj_running_sums *running_sums);

#endif
