/* Pairs begins and ends of sections to slices. A begin or an end is called an edge. */
#ifndef DEJANK_TRACE_MODEL_SLICES_H
#define DEJANK_TRACE_MODEL_SLICES_H

#include "trace/trace.h"

enum dj_edge_kind {
    DJ_EDGE_BEGIN,
    DJ_EDGE_END, /* Ends the slice that the thread began last. */
    DJ_EDGE_ASYNC_BEGIN,
    DJ_EDGE_ASYNC_END /* Ends the slice with the same key, cookie and process. */
};

struct dj_edge {
    int64_t at_ns;
    int64_t cookie;
    const char *name; /* Equal names have equal pointers. */
    /* Text that pairs async edges: the name of the track if the event has one,
     * otherwise the name of the section. */
    const char *key;
    uint64_t order; /* Orders edges with equal times. */
    int32_t pid;    /* Used only for async edges. */
    uint32_t tid;
    uint32_t life; /* Index of the thread among all threads that had this id. */
    uint8_t kind;  /* A value of enum dj_edge_kind. */
};

/* Returns empty rows for edges. They are sorted in the order in which
 * dj_slices_pair_edges() needs them. */
struct dj_trace_rows dj_slices_create_edge_rows(size_t memory_bytes);

/* Pairs the edges, and sets the trace's slices and endings. Finishes *edges, also after
 * an error. Returns 0 or the error of dj_trace_rows_get_error(). */
int dj_slices_pair_edges(struct dj_trace *trace, struct dj_trace_rows *edges,
                         struct dj_error *err);

#endif
