#include "trace/slices.h"

#include <stdlib.h>

#include "base/array.h"

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static bool is_async(const struct dj_edge *edge)
{
    return edge->kind == DJ_EDGE_ASYNC_BEGIN || edge->kind == DJ_EDGE_ASYNC_END;
}

/* Async ones by name and cookie, then the others by thread; each in order of time. */
static int by_partner(const void *a, const void *b)
{
    const struct dj_edge *left = a;
    const struct dj_edge *right = b;
    int order = is_async(right) - is_async(left);
    if (order == 0 && is_async(left)) {
        order = ((uintptr_t)left->key > (uintptr_t)right->key) -
                ((uintptr_t)left->key < (uintptr_t)right->key);
        order = order != 0 ? order : compare(left->cookie, right->cookie);
        order = order != 0 ? order : compare(left->pid, right->pid);
    } else if (order == 0) {
        order = compare(left->tid, right->tid);
    }
    order = order != 0 ? order : compare(left->at_ns, right->at_ns);
    return order != 0 ? order
                      : (left->order > right->order) - (left->order < right->order);
}

static int by_start(const void *a, const void *b)
{
    const struct dj_trace_slice *left = a;
    const struct dj_trace_slice *right = b;
    int order = compare(left->start_ns, right->start_ns);
    order = order != 0 ? order : compare(left->tid, right->tid);
    return order != 0 ? order : compare(left->depth, right->depth);
}

/* Slices of a thread that have begun and not ended: their numbers, outermost first. */
struct stack {
    size_t *slices;
    size_t depth, capacity;
};

static bool push(struct stack *stack, size_t slice)
{
    if (stack->depth == stack->capacity) {
        size_t capacity = 2 * stack->capacity + 64;
        size_t *grown = dj_array_resize(stack->slices, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        stack->slices = grown;
        stack->capacity = capacity;
    }
    stack->slices[stack->depth++] = slice;
    return true;
}

static struct dj_trace_slice *begin_slice(struct dj_trace *trace,
                                          const struct dj_edge *edge)
{
    struct dj_trace_slice *slice = &trace->slices[trace->slice_count++];
    *slice = (struct dj_trace_slice){.name = edge->name,
                                     .start_ns = edge->at_ns,
                                     .cookie = edge->cookie,
                                     .tid = edge->tid,
                                     .end_tid = edge->tid,
                                     .async = is_async(edge),
                                     .open = true};
    return slice;
}

/* What an inner slice took is not its outer one's own. */
static void end_slice(struct dj_trace *trace, struct stack *stack,
                      const struct dj_edge *edge)
{
    if (stack->depth == 0) {
        trace->endings++;
        return;
    }
    struct dj_trace_slice *slice = &trace->slices[stack->slices[--stack->depth]];
    int64_t length_ns = edge->at_ns - slice->start_ns;
    slice->open = false;
    slice->end_ns = edge->at_ns;
    slice->self_ns += length_ns;
    if (stack->depth > 0) {
        trace->slices[stack->slices[stack->depth - 1]].self_ns -= length_ns;
    }
}

/* One thread's edges. */
static bool pair_thread(struct dj_trace *trace, struct stack *stack,
                        const struct dj_edge *edges, size_t count)
{
    stack->depth = 0;
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == DJ_EDGE_END) {
            end_slice(trace, stack, &edges[i]);
            continue;
        }
        begin_slice(trace, &edges[i])->depth = (uint32_t)stack->depth;
        if (!push(stack, trace->slice_count - 1)) {
            return false;
        }
    }
    for (size_t i = 0; i < stack->depth; i++) {
        trace->slices[stack->slices[i]].self_ns = 0;
    }
    return true;
}

/* A second beginning of what is under way already leaves the first one open. */
static void pair_async(struct dj_trace *trace, const struct dj_edge *edges, size_t count)
{
    struct dj_trace_slice *slice = NULL;
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == DJ_EDGE_ASYNC_BEGIN) {
            slice = begin_slice(trace, &edges[i]);
        } else if (slice != NULL) {
            slice->open = false;
            slice->end_ns = edges[i].at_ns;
            slice->end_tid = edges[i].tid;
            slice = NULL;
        } else {
            trace->endings++;
        }
    }
}

static bool is_partner(const struct dj_edge *a, const struct dj_edge *b)
{
    return is_async(a) ? is_async(b) && a->key == b->key && a->cookie == b->cookie &&
                             a->pid == b->pid
                       : !is_async(b) && a->tid == b->tid;
}

int dj_trace_pair(struct dj_trace *trace, struct dj_edge *edges, size_t count,
                  struct dj_error *err)
{
    struct stack stack = {0};
    bool fits = true;
    trace->slices = dj_array_resize(NULL, count + 1, sizeof(*trace->slices));
    if (trace->slices == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for slices");
    }
    if (count > 0) {
        qsort(edges, count, sizeof(*edges), by_partner);
    }
    for (size_t from = 0, to; from < count && fits; from = to) {
        for (to = from + 1; to < count && is_partner(&edges[from], &edges[to]); to++) {
        }
        if (is_async(&edges[from])) {
            pair_async(trace, edges + from, to - from);
        } else {
            fits = pair_thread(trace, &stack, edges + from, to - from);
        }
    }
    free(stack.slices);
    if (!fits) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for slices");
    }
    if (trace->slice_count > 0) {
        qsort(trace->slices, trace->slice_count, sizeof(*trace->slices), by_start);
    }
    return 0;
}
