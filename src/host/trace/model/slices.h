/* Converts begins and ends of sections to slices. An edge is the begin or the end of a
 * section. */
#ifndef DEJANK_TRACE_MODEL_SLICES_H
#define DEJANK_TRACE_MODEL_SLICES_H

#include "trace/trace.h"

enum dj_edge_kind {
    DJ_EDGE_BEGIN,
    DJ_EDGE_END, /* Ends the innermost open slice of the thread. */
    DJ_EDGE_ASYNC_BEGIN,
    /* Ends the open async slice with the same key, cookie and process. */
    DJ_EDGE_ASYNC_END
};

struct dj_edge {
    int64_t at_ns;
    int64_t cookie;
    const char *name; /* Name of the section. Equal names have equal pointers. */
    /* Text by which the begin and the end of an async section are matched: the name of
     * the track, or the name of the section if there is no track. */
    const char *key;
    uint64_t order; /* Determines the order of edges with equal times. */
    int32_t pid;    /* Process of an async edge. Not used for other edges. */
    uint32_t tid;
    uint32_t life; /* Number of earlier threads with the same id. */
    uint8_t kind;  /* A value of enum dj_edge_kind. */
};

/* Returns empty rows for edges. The rows are sorted in the order that
 * dj_slices_pair_edges() needs. */
struct dj_trace_rows dj_slices_create_edge_rows(size_t memory_bytes);

/* Pairs the edges and sets the slices of the trace and trace->endings. Finishes *edges,
 * even after an error. Returns 0 or the error of dj_trace_rows_get_error(). */
int dj_slices_pair_edges(struct dj_trace *trace, struct dj_trace_rows *edges,
                         struct dj_error *err);

#endif
