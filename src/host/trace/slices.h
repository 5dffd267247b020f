/* Beginnings and ends become slices. Of this room only. */
#ifndef DEJANK_TRACE_SLICES_H
#define DEJANK_TRACE_SLICES_H

#include "trace/trace.h"

enum dj_edge_kind {
    DJ_EDGE_BEGIN,
    DJ_EDGE_END, /* of the slice its thread began last */
    DJ_EDGE_ASYNC_BEGIN,
    DJ_EDGE_ASYNC_END /* of the slice of this key, cookie and process */
};

struct dj_edge {
    int64_t at_ns;
    int64_t cookie;
    const char *name; /* equal names are one pointer */
    const char *key;  /* by which async ones are paired: their name, or their track's */
    uint64_t order;   /* of edges with one stamp */
    int32_t pid;      /* of async ones */
    uint32_t tid;
    uint32_t life; /* which of the threads that had this id one after the other */
    uint8_t kind;  /* enum dj_edge_kind */
};

/* Rows of edges that come out in the order in which they are paired. */
struct dj_rows dj_edges_rows(size_t memory_bytes);

/* Pairs the edges into the trace's slices, and counts lone ends; finishes the rows in
 * every case. As dj_rows_error(). */
int dj_trace_pair_rows(struct dj_trace *trace, struct dj_rows *edges,
                       struct dj_error *err);

#endif
