/*
 * Puts the events of many packets in order of time. It collects packets with one event
 * each into runs, and opens bundles of kernel events when they come. Both wait until no
 * earlier event can follow.
 */
#ifndef DEJANK_TRACE_PERFETTO_ORDER_H
#define DEJANK_TRACE_PERFETTO_ORDER_H

#include "trace/perfetto/bundle.h"
#include "trace/perfetto/tournament.h"

/* The content of a packet that is read when the packet comes. */
struct dj_perfetto_item {
    int64_t at_ns;
    int64_t value;
    struct dj_str words; /* a name, or a message that is read later */
    int32_t track;       /* index among the tracks, or DJ_PF_NO_TRACK */
    uint32_t order;      /* order of items with equal stamps */
    uint8_t kind;        /* enum dj_event_kind or enum dj_perfetto_item_kind */
};

/* Messages that are read when their time has come, by the number of their packets. These
 * numbers are above the kinds of events. */
enum dj_perfetto_item_kind {
    DJ_PF_ITEM_FRAME = DJ_PF_PACKET_FRAME_TIMELINE,
    DJ_PF_ITEM_TASK = DJ_PF_PACKET_TASK_STATE,
    DJ_PF_ITEM_FREQUENCY = DJ_PF_PACKET_TASK_FREQUENCY,
    DJ_PF_ITEM_RENAME = DJ_PF_PACKET_TASK_RENAME
};
_Static_assert((int)DJ_EVENT_KINDS <= (int)DJ_PF_ITEM_FRAME, "kinds of events and items");

struct dj_perfetto_run {
    struct dj_perfetto_item *items; /* owned */
    size_t count, capacity, at;
    bool unordered;
};

void dj_perfetto_run_add(struct dj_perfetto_run *run,
                         const struct dj_perfetto_item *item);
void dj_perfetto_run_destroy(struct dj_perfetto_run *run); /* NULL is allowed */

/* Sources in order. Those before `from` have been removed. */
struct dj_perfetto_queue {
    struct dj_perfetto_source *all; /* owned, with everything they refer to */
    size_t from, count, capacity;
};

/* Most sources wait for their begin, one after the other. Few are being read at one time,
 * one of each CPU. These are separate, so that an event is sorted among few. */
struct dj_perfetto_order {
    struct dj_perfetto_queue queue;      /* waiting sources that came in order */
    struct dj_perfetto_tournament later; /* the other waiting sources */
    struct dj_perfetto_tournament begun;
    struct dj_perfetto_source
        next; /* the first waiting source; never, if there is none */
    uint64_t added;
    struct dj_perfetto_run *spare_run;        /* an unused run to reuse; owned */
    struct dj_perfetto_bundle *spare_bundles; /* unused bundles to reuse; owned */
    size_t waiting; /* items in memory; a bundle counts as several */
};

void dj_perfetto_order_init(struct dj_perfetto_order *order);

/* Returns an empty run. */
struct dj_perfetto_run *dj_perfetto_order_get_run(struct dj_perfetto_order *order);
/* Returns a zeroed bundle. */
struct dj_perfetto_bundle *dj_perfetto_order_get_bundle(struct dj_perfetto_order *order);

/* Both functions take ownership of the second argument. */
void dj_perfetto_order_add_run(struct dj_perfetto_order *order,
                               struct dj_perfetto_run *run);
void dj_perfetto_order_add_bundle(struct dj_perfetto_order *order,
                                  struct dj_perfetto_bundle *bundle);

/* Only dj_perfetto_order_get_first() and dj_perfetto_order_update() call these: the first
 * begins the first waiting source, the second ends a source that was being read. */
void dj_perfetto_order_start_next(struct dj_perfetto_order *order);
void dj_perfetto_order_remove(struct dj_perfetto_order *order,
                              struct dj_perfetto_source *source);

/* Returns the source of the earliest event; NULL: none. */
static inline struct dj_perfetto_source *
dj_perfetto_order_get_first(struct dj_perfetto_order *order)
{
    struct dj_perfetto_source *first = dj_perfetto_tournament_get_first(&order->begun);
    if (first != NULL && !dj_perfetto_source_is_before(&order->next, first)) {
        return first;
    }
    if (order->next.next_ns != INT64_MAX) {
        dj_perfetto_order_start_next(order);
    }
    return dj_perfetto_tournament_get_first(&order->begun);
}

/* While its key is below the result, the source `first` stays the first one. */
static inline dj_perfetto_key
dj_perfetto_order_get_limit(const struct dj_perfetto_order *order,
                            const struct dj_perfetto_source *first)
{
    dj_perfetto_key until = dj_perfetto_tournament_get_limit(&order->begun, first);
    dj_perfetto_key next = dj_perfetto_source_get_key(&order->next, 0);
    return next < until ? next : until;
}

/* Updates the order after events of the source were read and its next_ns was set. */
static inline void dj_perfetto_order_update(struct dj_perfetto_order *order,
                                            struct dj_perfetto_source *source)
{
    if (source->next_ns == INT64_MAX) {
        dj_perfetto_order_remove(order, source);
    } else {
        dj_perfetto_tournament_update(&order->begun, source);
    }
}

void dj_perfetto_order_finish(struct dj_perfetto_order *order);

#endif
