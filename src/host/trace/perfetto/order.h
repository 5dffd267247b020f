/*
 * Sorts the events of many packets by time. A packet contains either one event or many
 * kernel events of one CPU (a bundle). Single events are collected in runs. A run or a
 * bundle is called a source. The events of all sources are stored until no earlier event
 * can follow.
 */
#ifndef DEJANK_TRACE_PERFETTO_ORDER_H
#define DEJANK_TRACE_PERFETTO_ORDER_H

#include "trace/perfetto/bundle.h"
#include "trace/perfetto/tournament.h"

/* An event of a packet with one event. Some items contain only the encoded message, which
 * is decoded later. */
struct dj_perfetto_item {
    int64_t at_ns;
    int64_t value;
    union {
        struct dj_str words; /* Name of the event, or a message that is decoded later. */
        /* For DJ_EVENT_STACK: properties of the sample, and the number of its stack in
         * reader->stacks. */
        struct {
            uint32_t stack;
            int32_t pid, tid;
            int16_t cpu;
            uint8_t source : 2, end : 2;
            bool in_kernel : 1, lost : 1;
        } sample;
    };
    int32_t track;  /* Index of the track, or DJ_PF_NO_TRACK. */
    uint32_t order; /* Determines the order of items with equal times. */
    uint8_t kind;   /* A value of enum dj_event_kind or enum dj_perfetto_item_kind. */
};

/* Kinds of items whose message is decoded when the item is converted to an event. Each
 * value is the number of the message in its packet. These values are larger than all
 * values of enum dj_event_kind. */
enum dj_perfetto_item_kind {
    DJ_PF_ITEM_FRAME = DJ_PF_PACKET_FRAME_TIMELINE,
    DJ_PF_ITEM_TASK = DJ_PF_PACKET_TASK_STATE,
    DJ_PF_ITEM_FREQUENCY = DJ_PF_PACKET_TASK_FREQUENCY,
    DJ_PF_ITEM_RENAME = DJ_PF_PACKET_TASK_RENAME
};
_Static_assert((int)DJ_EVENT_KINDS <= (int)DJ_PF_ITEM_FRAME, "kinds of events and items");

struct dj_perfetto_run {
    struct dj_perfetto_item *items; /* Items of the run. Owned by this struct. */
    size_t count, capacity, at;
    bool unordered;
};

void dj_perfetto_run_add(struct dj_perfetto_run *run,
                         const struct dj_perfetto_item *item);
/* Frees a run. Does nothing if `run` is NULL. */
void dj_perfetto_run_destroy(struct dj_perfetto_run *run);

/* Sources in order of time. The sources before index `from` have been removed. */
struct dj_perfetto_queue {
    /* Sources. This struct owns the array, and the runs and bundles of the sources. */
    struct dj_perfetto_source *all;
    size_t from, count, capacity;
};

/* All sources. Most of them wait until their first event is needed. Only few are being
 * read at a time, about one for each CPU. The waiting sources and those that are being
 * read (`begun`) are stored separately, so that each event is compared with few others.
 */
struct dj_perfetto_order {
    /* Waiting sources that were added in order of their times. */
    struct dj_perfetto_queue queue;
    /* Waiting sources that were not added in order of their times. */
    struct dj_perfetto_tournament later;
    struct dj_perfetto_tournament begun;
    /* The waiting source with the earliest event. If no source waits, its next_ns is
     * INT64_MAX. */
    struct dj_perfetto_source next;
    uint64_t added;
    /* Unused run that will be used again, or NULL. Owned by this struct. */
    struct dj_perfetto_run *spare_run;
    /* Unused bundles that will be used again, as a list. Owned by this struct. */
    struct dj_perfetto_bundle *spare_bundles;
    size_t waiting; /* Number of items in memory. A bundle counts as several items. */
};

void dj_perfetto_order_init(struct dj_perfetto_order *order);

/* Returns an empty run. The caller owns it until dj_perfetto_order_add_run(). */
struct dj_perfetto_run *dj_perfetto_order_get_run(struct dj_perfetto_order *order);
/* Returns a zeroed bundle. The caller owns it until dj_perfetto_order_add_bundle(). */
struct dj_perfetto_bundle *dj_perfetto_order_get_bundle(struct dj_perfetto_order *order);

/* Adds a run to `order`, which owns it afterwards. */
void dj_perfetto_order_add_run(struct dj_perfetto_order *order,
                               struct dj_perfetto_run *run);

/* Adds a bundle to `order`, which owns it afterwards. */
void dj_perfetto_order_add_bundle(struct dj_perfetto_order *order,
                                  struct dj_perfetto_bundle *bundle);

/* Moves the waiting source with the earliest event to the sources that are being read.
 * Only the inline functions below call this function. */
void dj_perfetto_order_start_next(struct dj_perfetto_order *order);

/* Removes a source that has no more events. Only the inline functions below call this
 * function. */
void dj_perfetto_order_remove(struct dj_perfetto_order *order,
                              struct dj_perfetto_source *source);

/* Returns the source with the earliest event, or NULL if there are no more events. */
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

/* Returns the smallest key of all sources except `first`. While the key of `first` is
 * smaller, the next event of `first` comes before all events of other sources. */
static inline dj_perfetto_key
dj_perfetto_order_get_limit(const struct dj_perfetto_order *order,
                            const struct dj_perfetto_source *first)
{
    dj_perfetto_key until = dj_perfetto_tournament_get_limit(&order->begun, first);
    dj_perfetto_key next = dj_perfetto_source_get_key(&order->next, 0);
    return next < until ? next : until;
}

/* Updates the order. Call this function after events of the source were read and
 * source->next_ns was set. */
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
