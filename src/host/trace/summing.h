/*
 * Sections that are summed up by name as they come, for who asks for no more than that:
 * edges in order of time need neither be kept nor sorted. Of this room only.
 */
#ifndef DEJANK_TRACE_SUMMING_H
#define DEJANK_TRACE_SUMMING_H

#include "base/map.h"
#include "trace/slices.h"

struct dj_lane;

/* Zero it but for the trace, which gets its slice_count and endings, and sums in the fold
 * that it has (dj_sums_fold()). */
struct dj_summing {
    struct dj_trace *trace;
    bool unfit; /* edges came out of order, or too many are open for memory_bytes: all
                   has to be read again, and paired by dj_trace_pair_rows() */
    struct dj_map places;  /* of lanes, by thread */
    struct dj_lane *lanes; /* owned */
    size_t lane_count, lane;
    struct dj_map asyncs; /* those under way, by hash: owned pointers */
    bool async_seen;      /* there was an async edge */
    int64_t async_ns;     /* of the latest one */
    size_t open_bytes;    /* of memory for what is open */
};

/* What dj_trace_pair_rows() would make of the same edges, added up, unless it is unfit.
 */
void dj_summing_take(struct dj_summing *summing, const struct dj_edge *edge);

/* All edges are in: what is under way stays open. */
void dj_summing_end(struct dj_summing *summing);
/* All of it but `unfit`. */
void dj_summing_finish(struct dj_summing *summing);

/* A fold of struct dj_trace_sum, empty. */
struct dj_fold dj_sums_fold(size_t memory_bytes);

#endif
