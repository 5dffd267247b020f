/* Pairs begins and ends to slices. */
#ifndef DEJANK_TRACE_MODEL_SLICES_H
#define DEJANK_TRACE_MODEL_SLICES_H

#include "trace/trace.h"

enum dj_edge_kind {
    DJ_EDGE_BEGIN,
    DJ_EDGE_END, /* ends the slice that its thread began last */
    DJ_EDGE_ASYNC_BEGIN,
    DJ_EDGE_ASYNC_END /* ends the slice with the same key, cookie and process */
};

struct dj_edge {
    int64_t at_ns;
    int64_t cookie;
    const char *name; /* equal names have equal pointers */
    const char *key;  /* pairs async edges: their name, or that of their track */
    uint64_t order;   /* order of edges with equal stamps */
    int32_t pid;      /* only for async edges */
    uint32_t tid;
    uint32_t life; /* index among the threads that had this id one after the other */
    uint8_t kind;  /* enum dj_edge_kind */
};

/* Returns empty rows of edges that sort in the order of pairing. */
struct dj_trace_rows dj_slices_create_edge_rows(size_t memory_bytes);

/* Pairs the edges to the trace's slices and counts ends without a begin. Finishes the
 * rows, also after an error. Returns as dj_trace_rows_get_error(). */
int dj_slices_pair_edges(struct dj_trace *trace, struct dj_trace_rows *edges,
                         struct dj_error *err);

#endif
