/*
 * Sorts the events of Chrome's JSON format by time. Stores all events in rows (struct
 * dj_trace_rows) until the last one was added. This needs at most 32 MiB of memory plus
 * the memory for names.
 */
#ifndef DEJANK_TRACE_CHROME_EVENTS_H
#define DEJANK_TRACE_CHROME_EVENTS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/name_table.h"
#include "trace/rows.h"

/* Kinds of struct dj_chrome_event: DJ_EVENT_BEGIN to DJ_EVENT_ASYNC_END, DJ_EVENT_LOST,
 * and DJ_CHROME_COMPLETE. */
/* A complete section: a begin and a duration of `value` ns. */
enum { DJ_CHROME_COMPLETE = DJ_EVENT_KINDS };

struct dj_chrome_event {
    int64_t at_ns;
    /* As in struct dj_event, except that in DJ_EVENT_LOST value_2 is the CPU. */
    int64_t value, value_2;
    /* The fields `name` and `other_name` of struct dj_event. */
    struct dj_str name, track;
    int32_t lane; /* Index of the event's lane, from dj_chrome_events_get_lane(). */
    uint8_t kind;
    bool anywhere; /* An async section that may end in another process. */
};

/* A lane is a thread as the file identifies it. */
struct dj_chrome_lane {
    int32_t tid; /* Id of the thread in the events that are passed on. */
    int32_t pid; /* Id of the process, or DJ_PID_UNKNOWN. */
    /* End of the innermost open complete section. Valid if `inside` is set. */
    int64_t end_ns;
    bool inside; /* A complete section of the thread is open. */
};

/* A complete section that has begun but not ended. */
struct dj_chrome_pending {
    int64_t end_ns, outer_ns; /* End of this section, and of the section around it. */
    uint64_t order;
    int32_t lane;
    bool inside; /* There is a section around this one. */
};

/* Zero it and set `sink`. */
struct dj_chrome_events {
    struct dj_event_sink sink;
    /* Number of complete sections that end after the section around them. They are
     * shortened to the end of that section. */
    uint64_t overlaps;
    /* The following members are private. */
    struct dj_trace_rows rows;
    struct dj_trace_names names;
    /* Maps the hash of the thread's id in the file to an index in `lanes`. */
    struct dj_map places;
    struct dj_map used_tids;      /* Thread ids that are in use. */
    struct dj_chrome_lane *lanes; /* Owned. */
    size_t lane_count;
    struct dj_chrome_pending *pending; /* A heap with the earliest end first. Owned. */
    size_t pending_count, pending_capacity;
    uint64_t begun;
    const void *next; /* The next row to pass on. */
    bool is_sending;  /* Rows are being passed to the sink. */
};

/* Returns the lane with this key, and creates it if needed. A new lane gets the thread
 * id `tid`. If this id is invalid or used by another lane, the new lane gets an id that
 * the kernel never assigns. */
int32_t dj_chrome_events_get_lane(struct dj_chrome_events *events, uint64_t key,
                                  int64_t tid, int32_t pid);

/* Stores an event. If stored events are already being passed on, passes on all of them
 * first. Returns 0, DJ_E_IO or the sink's code. */
int dj_chrome_events_add(struct dj_chrome_events *events,
                         const struct dj_chrome_event *event);

/* Returns a sink for other events of the same clock. Before each of these events, it
 * passes on all stored events that are earlier. Do not call dj_chrome_events_add()
 * while this sink is in use. */
struct dj_event_sink dj_chrome_events_get_merging_sink(struct dj_chrome_events *events);

/* Passes the remaining events to the sink. Call it after the last event was added. */
int dj_chrome_events_flush(struct dj_chrome_events *events, struct dj_error *err);
void dj_chrome_events_finish(struct dj_chrome_events *events);

#endif
