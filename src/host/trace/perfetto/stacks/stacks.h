/* Stores the decoded stacks of a Perfetto trace until the end of reading. A sample waits
 * until earlier events were passed on, and the entries of its stack may be cleared before
 * that. So each stack is decoded when its sample is read. Equal stacks are stored
 * once. */
#ifndef DEJANK_TRACE_PERFETTO_STACKS_STACKS_H
#define DEJANK_TRACE_PERFETTO_STACKS_STACKS_H

#include "base/map.h"
#include "memory/strings.h"
#include "trace/event.h"
#include "trace/perfetto/order.h"

/* The stack without a function. */
enum { DJ_PF_NO_STACK = 0 };

/* Decoded stacks. A zeroed struct is empty. The strings belong to the trace or to
 * `strings`. */
struct dj_perfetto_stack {
    uint32_t caller, call;
    uint32_t depth; /* Number of calls. */
};

/* A zeroed struct is empty. The strings belong to the trace, or to `strings`. */
struct dj_perfetto_stacks {
    /* Calls of all stacks. Their member `mapping` is not set. Owned by this struct. */
    struct dj_event_call *calls;
    /* For each element of `calls`, the index of its mapping plus 1, or 0 if it has
     * none. */
    uint32_t *mapping_of;
    struct dj_event_mapping **mappings; /* Owned by this struct. */
    /* Stacks. Empty, or begins with DJ_PF_NO_STACK. Owned by this struct. */
    struct dj_perfetto_stack *all;
    size_t call_count, mapping_of_count, mapping_count, count;
    struct dj_map call_places, mapping_places, places;
    struct dj_strings strings;
    /* Numbers of lost samples, one for each event that reports a loss. Owned by this
     * struct. */
    uint64_t *lost;
    size_t lost_count;
    /* Buffer for the frames of the event that was completed last. */
    struct dj_event_call *frames;
    struct dj_event_stack event;
};

void dj_perfetto_stacks_finish(struct dj_perfetto_stacks *stacks);

/* Each function returns the number of a mapping, call or stack, and adds it if it is new.
 * dj_perfetto_stacks_add_mapping() returns the number plus 1.
 * dj_perfetto_stacks_add_call() ignores call->mapping. Its argument `mapping` is a result
 * of dj_perfetto_stacks_add_mapping(), or 0 if the mapping is unknown. */
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
