/*
 * Events of many packets, put in order of time: packets that hold one event each are
 * collected into runs, bundles of the kernel are opened when they come, and both wait
 * until nothing earlier can follow. Of this room only.
 */
#ifndef DEJANK_TRACE_PERFETTO_ORDER_H
#define DEJANK_TRACE_PERFETTO_ORDER_H

#include "trace/perfetto_bundle.h"
#include "trace/perfetto_tournament.h"

/* What a packet told, as far as it is read when it comes. */
struct dj_pf_item {
    int64_t at_ns;
    int64_t value;
    struct dj_str words; /* a name, or the message that is still to be read */
    int32_t track;       /* its place among the tracks; DJ_PF_NO_TRACK: none */
    uint32_t order;      /* of those with one stamp */
    uint8_t kind;        /* enum dj_event_kind, or enum dj_pf_item_kind */
};

/* Messages that are read when their time has come: by the number of their packets, which
 * are above those of events. */
enum dj_pf_item_kind {
    DJ_PF_ITEM_FRAME = DJ_PF_PACKET_FRAME_TIMELINE,
    DJ_PF_ITEM_TASK = DJ_PF_PACKET_TASK_STATE,
    DJ_PF_ITEM_FREQUENCY = DJ_PF_PACKET_TASK_FREQUENCY,
    DJ_PF_ITEM_RENAME = DJ_PF_PACKET_TASK_RENAME
};
_Static_assert((int)DJ_EVENT_KINDS <= (int)DJ_PF_ITEM_FRAME, "kinds of events and items");

struct dj_pf_run {
    struct dj_pf_item *items; /* owned */
    size_t count, capacity, at;
    bool unordered;
};

void dj_pf_run_put(struct dj_pf_run *run, const struct dj_pf_item *item);
void dj_pf_run_destroy(struct dj_pf_run *run); /* NULL is fine */

/* Sources in order: those before `from` are gone. */
struct dj_pf_queue {
    struct dj_pf_source *all; /* owned, and what it refers to */
    size_t from, count, capacity;
};

/*
 * Most sources wait for their beginning, one behind the other, and few are under way at
 * one time, of each CPU one: those lie apart, so that an event is put in order among few.
 */
struct dj_pf_order {
    struct dj_pf_queue queue; /* of those that wait, as long as none is before the last */
    struct dj_pf_tournament later; /* the others that wait */
    struct dj_pf_tournament begun;
    struct dj_pf_source next; /* the first of those that wait; that never comes: none */
    uint64_t added;
    struct dj_pf_run *spare_run;        /* one that has ended, for the next; owned */
    struct dj_pf_bundle *spare_bundles; /* the same of bundles; owned */
    size_t waiting;                     /* items, and bundles at their weight in memory */
};

void dj_pf_order_init(struct dj_pf_order *order);

/* An empty run. */
struct dj_pf_run *dj_pf_order_make_run(struct dj_pf_order *order);
/* A zeroed bundle. */
struct dj_pf_bundle *dj_pf_order_make_bundle(struct dj_pf_order *order);

/* Both take over what they are given. */
void dj_pf_order_add_run(struct dj_pf_order *order, struct dj_pf_run *run);
void dj_pf_order_add_bundle(struct dj_pf_order *order, struct dj_pf_bundle *bundle);

/* For dj_pf_order_first() and dj_pf_order_passed(): the first of those that wait begins;
 * one that is under way ends. */
void dj_pf_order_begin(struct dj_pf_order *order);
void dj_pf_order_end(struct dj_pf_order *order, struct dj_pf_source *source);

/* The source of the earliest event; NULL: there is none. */
static inline struct dj_pf_source *dj_pf_order_first(struct dj_pf_order *order)
{
    struct dj_pf_source *first = dj_pf_tournament_first(&order->begun);
    if (first != NULL && !dj_pf_is_before(&order->next, first)) {
        return first;
    }
    if (order->next.next_ns != INT64_MAX) {
        dj_pf_order_begin(order);
    }
    return dj_pf_tournament_first(&order->begun);
}

/* As long as its key is below that, the first one stays it. */
static inline dj_pf_key dj_pf_order_until(const struct dj_pf_order *order,
                                          const struct dj_pf_source *first)
{
    dj_pf_key until = dj_pf_tournament_until(&order->begun, first);
    dj_pf_key next = dj_pf_key_of(&order->next, 0);
    return next < until ? next : until;
}

/* Events of it have been read: its next_ns is set. */
static inline void dj_pf_order_passed(struct dj_pf_order *order,
                                      struct dj_pf_source *source)
{
    if (source->next_ns == INT64_MAX) {
        dj_pf_order_end(order, source);
    } else {
        dj_pf_tournament_changed(&order->begun, source);
    }
}

void dj_pf_order_finish(struct dj_pf_order *order);

#endif
