/* The decoded stacks of a Perfetto trace. Samples wait until earlier events were passed
 * on, and the entries to which they refer may be cleared before. So stacks are decoded
 * when a sample is read, and are stored until the end. Equal stacks are stored once. */
#ifndef DEJANK_TRACE_PERFETTO_STACKS_STACKS_H
#define DEJANK_TRACE_PERFETTO_STACKS_STACKS_H

#include "base/map.h"
#include "memory/strings.h"
#include "trace/event.h"
#include "trace/perfetto/order.h"

/* The stack without a function. */
enum { DJ_PF_NO_STACK = 0 };

/* A stack: a call, and the stack of its caller. */
struct dj_perfetto_stack {
    uint32_t caller, call;
    uint32_t depth; /* Number of calls. */
};

/* A zeroed struct is empty. The strings belong to the trace, or to `strings`. */
struct dj_perfetto_stacks {
    struct dj_event_call *calls;        /* `mapping` is not set. Owned. */
    uint32_t *mapping_of;               /* For each call: index of its mapping plus 1. */
    struct dj_event_mapping **mappings; /* Owned. */
    struct dj_perfetto_stack *all;      /* Owned. Empty or begins with DJ_PF_NO_STACK. */
    size_t call_count, mapping_of_count, mapping_count, count;
    struct dj_map call_places, mapping_places, places;
    struct dj_strings strings;
    uint64_t *lost; /* Numbers of lost samples. Owned. */
    size_t lost_count;
    /* The event that was filled last. */
    struct dj_event_call *frames;
    struct dj_event_stack event;
};

void dj_perfetto_stacks_finish(struct dj_perfetto_stacks *stacks);

/* Return the number of a mapping plus 1, of a call, and of a stack. Add it if it is new.
 * `mapping` of dj_perfetto_stacks_add_call() is such a number, or 0 if unknown; that of
 * `call` is ignored. */
uint32_t dj_perfetto_stacks_add_mapping(struct dj_perfetto_stacks *stacks,
                                        const struct dj_event_mapping *mapping);
uint32_t dj_perfetto_stacks_add_call(struct dj_perfetto_stacks *stacks, uint32_t mapping,
                                     const struct dj_event_call *call);
uint32_t dj_perfetto_stacks_add(struct dj_perfetto_stacks *stacks, uint32_t caller,
                                uint32_t call);

/* Completes a DJ_EVENT_STACK. The event is valid until the next call. */
void dj_perfetto_stacks_fill(struct dj_perfetto_stacks *stacks,
                             const struct dj_perfetto_item *item, struct dj_event *event);

#endif
