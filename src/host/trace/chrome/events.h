/*
 * Sorts the events of Chrome's JSON by time. It keeps them in rows (struct dj_trace_rows)
 * until the last one came, in at most 32 MiB of memory plus their names.
 */
#ifndef DEJANK_TRACE_CHROME_EVENTS_H
#define DEJANK_TRACE_CHROME_EVENTS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/name_table.h"
#include "trace/rows.h"

/* Kinds: DJ_EVENT_BEGIN to DJ_EVENT_ASYNC_END, DJ_EVENT_LOST, and one more. */
enum { DJ_CHROME_COMPLETE = DJ_EVENT_KINDS }; /* a section with its duration, `value` */

struct dj_chrome_event {
    int64_t at_ns;
    int64_t value, value_2; /* as in struct dj_event; for a loss, `value_2` is the CPU */
    struct dj_str name, track; /* `name` and `other_name` of struct dj_event */
    int32_t lane;              /* index of its lane, from dj_chrome_events_get_lane() */
    uint8_t kind;
    bool anywhere; /* it may end in another process than the one it began in */
};

/* A thread, as the file identifies it. */
struct dj_chrome_lane {
    int32_t tid;    /* its id in the events */
    int32_t pid;    /* or DJ_PID_UNKNOWN */
    int64_t end_ns; /* end of the innermost complete section that is open */
    bool inside;    /* such a section is open */
};

/* A complete section that has begun. */
struct dj_chrome_pending {
    int64_t end_ns, outer_ns; /* end of the section around it */
    uint64_t order;
    int32_t lane;
    bool inside; /* there is a section around it */
};

/* Zero it and set the sink. */
struct dj_chrome_events {
    struct dj_event_sink sink;
    uint64_t overlaps; /* complete sections that end after the section around them; they
                          end with it */
    /* The rest is private. */
    struct dj_trace_rows rows;
    struct dj_trace_names names;
    /* index in `lanes`, by hash of the thread's identity in the file */
    struct dj_map places;
    struct dj_map used_tids;      /* thread ids that are in use */
    struct dj_chrome_lane *lanes; /* owned */
    size_t lane_count;
    struct dj_chrome_pending *pending; /* a heap, earliest end first; owned */
    size_t pending_count, pending_capacity;
    uint64_t begun;
    const void *next; /* the row that comes next */
    bool is_sending;  /* rows are being passed to the sink */
};

/* Returns the lane of that key. A new lane gets the thread id `tid`. If that is invalid
 * or in use, it gets an id that no kernel assigns. */
int32_t dj_chrome_events_get_lane(struct dj_chrome_events *events, uint64_t key,
                                  int64_t tid, int32_t pid);

/* Stores an event. Returns DJ_E_IO or the sink's code. If the output has already begun,
 * all stored events go to the sink first. */
int dj_chrome_events_add(struct dj_chrome_events *events,
                         const struct dj_chrome_event *event);

/* Returns a sink for other events of the same clock. Before each of them, it passes on
 * the stored events that are earlier. Do not store events meanwhile. */
struct dj_event_sink dj_chrome_events_get_merging_sink(struct dj_chrome_events *events);

/* Passes the remaining events to the sink. Call it after the last event. */
int dj_chrome_events_flush(struct dj_chrome_events *events, struct dj_error *err);
void dj_chrome_events_finish(struct dj_chrome_events *events);

#endif
