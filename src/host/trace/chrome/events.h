/*
 * Sorts the events of Chrome's JSON format by time. Stores all events in rows (struct
 * dj_trace_rows), and passes them on when they are complete. Needs at most 32 MiB of
 * memory for rows, and memory for names.
 */
#ifndef DEJANK_TRACE_CHROME_EVENTS_H
#define DEJANK_TRACE_CHROME_EVENTS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/name_table.h"
#include "trace/rows.h"

/* Kinds of struct dj_chrome_event: DJ_EVENT_BEGIN to DJ_EVENT_ASYNC_END, DJ_EVENT_LOST,
 * and DJ_CHROME_COMPLETE. */
/* A complete section. It has a begin and a duration, which is `value` in ns. */
enum { DJ_CHROME_COMPLETE = DJ_EVENT_KINDS };

struct dj_chrome_event {
    int64_t at_ns;
    /* Same as in struct dj_event, with one exception: in DJ_EVENT_LOST, value_2 is the
     * CPU. */
    int64_t value, value_2;
    /* Name of the event, and name of its track (other_name of struct dj_event). */
    struct dj_str name, track;
    /* Index of the lane in `lanes`, as dj_chrome_events_get_lane() returns it. */
    int32_t lane;
    uint8_t kind;
    bool anywhere; /* True for an async section that may end in another process. */
};

/* A lane is one thread of the file. Its id in the file may differ from its id in the
 * events that are passed on. */
struct dj_chrome_lane {
    int32_t tid; /* Id of the thread in the events that are passed on. */
    int32_t pid; /* Id of the process, or DJ_PID_UNKNOWN. */
    /* End of the innermost open complete section. Valid if `inside` is set. */
    int64_t end_ns;
    /* True if a complete section of the thread has begun and not ended yet. */
    bool inside;
};

/* A complete section that has begun and not ended yet. */
struct dj_chrome_pending {
    int64_t end_ns, outer_ns; /* End of this section, and end of the section around it. */
    uint64_t order;
    int32_t lane;
    bool inside; /* True if there is a section around this one. */
};

/* Stores and sorts events. Zero the struct and set `sink`. */
struct dj_chrome_events {
    struct dj_event_sink sink;
    /* Number of complete sections that would end after the section around them. Such a
     * section is ended together with the section around it. */
    uint64_t overlaps;
    /* The following members are private. */
    struct dj_trace_rows rows;
    struct dj_trace_names names;
    /* Maps the hash of a thread's id in the file to the index of its lane in `lanes`. */
    struct dj_map places;
    struct dj_map used_tids;      /* Thread ids that are in use. */
    struct dj_chrome_lane *lanes; /* Lanes. Owned by this struct. */
    size_t lane_count;
    /* Open complete sections, as a heap. The section with the earliest end is first.
     * Owned by this struct. */
    struct dj_chrome_pending *pending;
    size_t pending_count, pending_capacity;
    uint64_t begun;
    const void *next; /* The next row to pass on. */
    bool is_sending;  /* True while rows are being passed to the sink. */
};

/* Returns the lane with the key `key`. If there is none, creates a lane with the thread
 * id `tid`. If this id is invalid or another lane has it, the new lane gets an id that
 * the kernel never assigns. */
int32_t dj_chrome_events_get_lane(struct dj_chrome_events *events, uint64_t key,
                                  int64_t tid, int32_t pid);

/* Stores an event. If earlier events are currently being passed on, first passes on all
 * of them. Returns 0, DJ_E_IO or the sink's result. */
int dj_chrome_events_add(struct dj_chrome_events *events,
                         const struct dj_chrome_event *event);

/* Returns a sink for additional events that use the same clock. Before each event that
 * this sink receives, it passes on all stored events that are earlier. Do not call
 * dj_chrome_events_add() while this sink is used. */
struct dj_event_sink dj_chrome_events_get_merging_sink(struct dj_chrome_events *events);

/* Passes the remaining events to the sink. Call this function after the last event was
 * added. */
int dj_chrome_events_flush(struct dj_chrome_events *events, struct dj_error *err);
void dj_chrome_events_finish(struct dj_chrome_events *events);

#endif
