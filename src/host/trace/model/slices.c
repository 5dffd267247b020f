#include "trace/model/slices.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/compare.h"
#include "memory/memory.h"

static bool is_async(const struct dj_edge *edge)
{
    return edge->kind == DJ_EDGE_ASYNC_BEGIN || edge->kind == DJ_EDGE_ASYNC_END;
}

/* Sorts edges so that the edges of a slice are next to each other. Async edges come
 * first, sorted by key, cookie and process. The other edges are sorted by thread. Edges
 * that are equal in these fields are sorted by time. */
static int by_partner(const void *a, const void *b)
{
    const struct dj_edge *left = a, *right = b;
    int order = is_async(right) - is_async(left);
    if (order == 0 && is_async(left)) {
        order = DJ_COMPARE((uintptr_t)left->key, (uintptr_t)right->key);
        order = order != 0 ? order : DJ_COMPARE(left->cookie, right->cookie);
        order = order != 0 ? order : DJ_COMPARE(left->pid, right->pid);
    } else if (order == 0) {
        order = DJ_COMPARE(left->tid, right->tid);
        order = order != 0 ? order : DJ_COMPARE(left->life, right->life);
    }
    order = order != 0 ? order : DJ_COMPARE(left->at_ns, right->at_ns);
    return order != 0 ? order : DJ_COMPARE(left->order, right->order);
}

/* Computes the rank of an edge, which must agree with the order of by_partner(). The rank
 * of an async edge contains only its key. The rank of any other edge contains the thread
 * id, the number of earlier threads with this id, and the time. If this number does not
 * fit into the rank, the rank does not contain the time. */
static struct dj_trace_rows_rank compute_rank(const void *edge)
{
    enum { LIFE_BITS = 31 };
    static const uint32_t most = (UINT32_C(1) << LIFE_BITS) - 1;
    const struct dj_edge *of = edge;
    if (is_async(of)) {
        return (struct dj_trace_rows_rank){0, (uintptr_t)of->key};
    }
    bool fits = of->life < most;
    return (struct dj_trace_rows_rank){
        UINT64_C(1) << 63 | (uint64_t)of->tid << LIFE_BITS | (fits ? of->life : most),
        fits ? (uint64_t)of->at_ns ^ UINT64_C(1) << 63 : 0};
}

struct dj_trace_rows dj_slices_create_edge_rows(size_t memory_bytes)
{
    return (struct dj_trace_rows){.row_bytes = sizeof(struct dj_edge),
                                  .order = by_partner,
                                  .memory_bytes = memory_bytes,
                                  .rank = compute_rank};
}

static int by_start(const void *a, const void *b)
{
    const struct dj_trace_slice *left = a, *right = b;
    int order = DJ_COMPARE(left->start_ns, right->start_ns);
    order = order != 0 ? order : DJ_COMPARE(left->tid, right->tid);
    return order != 0 ? order : DJ_COMPARE(left->depth, right->depth);
}

/* The state while edges are paired. */
struct pairing {
    struct dj_trace *trace;
    /* Open slices of one thread, the outermost first, or one open async slice. Owned by
     * this struct. */
    struct dj_trace_slice *open;
    size_t depth, capacity;
};

static void add_slice(struct pairing *pairing, const struct dj_trace_slice *slice)
{
    dj_trace_rows_add(&pairing->trace->slice_rows, slice);
}

/* Begins a slice. If an async slice with the same key, cookie and process is already
 * open, adds the earlier one as a slice without an end. */
static void begin_slice(struct pairing *pairing, const struct dj_edge *edge)
{
    if (is_async(edge) && pairing->depth > 0) {
        add_slice(pairing, &pairing->open[--pairing->depth]);
    }
    DJ_XRESERVE(pairing->open, pairing->capacity, pairing->depth + 1);
    pairing->open[pairing->depth] =
        (struct dj_trace_slice){.name = edge->name,
                                .start_ns = edge->at_ns,
                                .cookie = edge->cookie,
                                .tid = edge->tid,
                                .end_tid = edge->tid,
                                .depth = (uint32_t)pairing->depth,
                                .async = is_async(edge),
                                .open = true};
    pairing->depth++;
}

/* Ends the innermost slice. Subtracts its duration from the self time of the slice
 * around it. */
static void end_slice(struct pairing *pairing, const struct dj_edge *edge)
{
    if (pairing->depth == 0) {
        pairing->trace->endings++;
        return;
    }
    struct dj_trace_slice *slice = &pairing->open[--pairing->depth];
    slice->open = false;
    slice->end_ns = edge->at_ns;
    slice->end_tid = edge->tid;
    if (!slice->async) {
        int64_t length_ns = dj_checked_subtract_saturated(edge->at_ns, slice->start_ns);
        slice->self_ns = dj_checked_add_saturated(slice->self_ns, length_ns);
        if (pairing->depth > 0) {
            slice[-1].self_ns =
                dj_checked_subtract_saturated(slice[-1].self_ns, length_ns);
        }
    }
    add_slice(pairing, slice);
}

static bool is_partner(const struct dj_edge *a, const struct dj_edge *b)
{
    return is_async(a) ? is_async(b) && a->key == b->key && a->cookie == b->cookie &&
                             a->pid == b->pid
                       : !is_async(b) && a->tid == b->tid && a->life == b->life;
}

/* Adds the slices that are still open. They have no end. */
static void end_lane(struct pairing *pairing)
{
    for (size_t i = 0; i < pairing->depth; i++) {
        pairing->open[i].self_ns = 0;
        add_slice(pairing, &pairing->open[i]);
    }
    pairing->depth = 0;
}

static void pair_all(struct pairing *pairing, struct dj_trace_rows *edges)
{
    struct dj_edge before = {0};
    const struct dj_edge *edge;
    dj_trace_rows_sort(edges);
    for (bool first = true; (edge = dj_trace_rows_next(edges)) != NULL; first = false) {
        if (!first && !is_partner(&before, edge)) {
            end_lane(pairing);
        }
        bool begins = edge->kind == DJ_EDGE_BEGIN || edge->kind == DJ_EDGE_ASYNC_BEGIN;
        (begins ? begin_slice : end_slice)(pairing, edge);
        before = *edge;
    }
    end_lane(pairing);
}

int dj_slices_pair_edges(struct dj_trace *trace, struct dj_trace_rows *edges,
                         struct dj_error *err)
{
    struct pairing pairing = {.trace = trace};
    trace->slice_rows = (struct dj_trace_rows){.row_bytes = sizeof(*trace->slices),
                                               .order = by_start,
                                               .memory_bytes = trace->memory_bytes};
    pair_all(&pairing, edges);
    int code = dj_trace_rows_get_error(edges, err);
    free(pairing.open);
    dj_trace_rows_finish(edges);
    code = code != 0 ? code : dj_trace_rows_get_error(&trace->slice_rows, err);
    trace->slices = dj_trace_rows_move_out(&trace->slice_rows, &trace->slice_rows,
                                           &trace->slice_count);
    return code;
}
