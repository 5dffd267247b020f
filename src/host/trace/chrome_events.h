/* Events of Chrome's JSON, which lie in any order, come out by time. They are kept in
 * rows (rows.h) until all are in, with 32 MiB of memory at most beside their names. Of
 * this room only. */
#ifndef DEJANK_TRACE_CHROME_EVENTS_H
#define DEJANK_TRACE_CHROME_EVENTS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/names.h"
#include "trace/rows.h"

/* Of DJ_EVENT_BEGIN to DJ_EVENT_ASYNC_END and DJ_EVENT_LOST, and one more. */
enum { DJ_CHROME_COMPLETE = DJ_EVENT_KINDS }; /* a section with its length, `value` */

struct dj_chrome_event {
    int64_t at_ns;
    int64_t value, value_2; /* as struct dj_event has them; of a loss `value_2` its CPU */
    struct dj_str name, track; /* that are `name` and `other_name` there */
    int32_t lane;              /* of dj_chrome_events_lane() */
    uint8_t kind;
    bool anywhere; /* it may end in another process than it began in */
};

/* A thread, by what the file calls it. */
struct dj_chrome_lane {
    int32_t tid;    /* by which the events have it */
    int32_t pid;    /* or DJ_PID_UNKNOWN */
    int64_t end_ns; /* of the innermost complete section it is in */
    bool inside;    /* there is one */
};

/* A complete section that has begun. */
struct dj_chrome_pending {
    int64_t end_ns, outer_ns; /* of the one around it */
    uint64_t order;
    int32_t lane;
    bool inside; /* there is one around it */
};

/* Zero it but for the sink. */
struct dj_chrome_events {
    struct dj_event_sink sink;
    uint64_t overlaps; /* complete sections that end after the one that they began in:
                          they end with it */
    /* Of chrome_events.c alone. */
    struct dj_rows rows;
    struct dj_names names;
    struct dj_map places;         /* of lanes, by hash of what the file calls them */
    struct dj_map taken;          /* ids of threads that events have */
    struct dj_chrome_lane *lanes; /* owned */
    size_t lane_count;
    struct dj_chrome_pending *pending; /* a heap, the first to end first; owned */
    size_t pending_count, pending_capacity;
    uint64_t begun;
    const void *next; /* row that is handed out next */
    bool handing;     /* rows are being handed out */
};

/* The lane of that key; where it is new its thread is to be `tid`, or, where that is
 * another's or none, an id that no kernel gives. */
int32_t dj_chrome_events_lane(struct dj_chrome_events *events, uint64_t key, int64_t tid,
                              int32_t pid);

/* Keeps an event. DJ_E_IO, or what the sink answers: where events have begun to go out,
 * all of them do before the next one is kept. */
int dj_chrome_events_put(struct dj_chrome_events *events,
                         const struct dj_chrome_event *event);

/* A sink for events of others, of one clock with these: before each one those go out that
 * are earlier. No event is kept meanwhile. */
struct dj_event_sink dj_chrome_events_between(struct dj_chrome_events *events);

/* All are in: hands out what is left. */
int dj_chrome_events_end(struct dj_chrome_events *events, struct dj_error *err);
void dj_chrome_events_finish(struct dj_chrome_events *events);

#endif
