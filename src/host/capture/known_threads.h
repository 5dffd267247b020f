/* Which process each thread is of, as the kernel remembers it of all that ever ran
 * (saved_tgids): told only of those that a capture's events name. Of this room only. */
#ifndef DEJANK_CAPTURE_KNOWN_THREADS_H
#define DEJANK_CAPTURE_KNOWN_THREADS_H

#include "base/map.h"
#include "trace/event.h"

/* Zero it but for the sink. */
struct dj_known_threads {
    struct dj_event_sink sink; /* where events go on to */
    struct dj_map pids;        /* by tid, of threads that are not told yet; owned */
};

/* An event sink's `take`, user is the struct: keeps the thread of a DJ_EVENT_THREAD, in
 * any order. Other events are none of its. */
int dj_known_threads_learn(void *known, const struct dj_event *event);
/* The same for events: hands them on, each thread's process before the first one that
 * names it. */
int dj_known_threads_take(void *known, const struct dj_event *event);
void dj_known_threads_finish(struct dj_known_threads *known);

#endif
