/* The process of each thread, as the kernel stores it for all that ever ran
 * (saved_tgids). Only threads in the capture's events are passed on. */
#ifndef DEJANK_CAPTURE_LINUX_KNOWN_THREADS_H
#define DEJANK_CAPTURE_LINUX_KNOWN_THREADS_H

#include "base/map.h"
#include "trace/event.h"

/* Zero it, except for the sink. */
struct dj_known_threads {
    struct dj_event_sink sink; /* receives the events */
    struct dj_map pids;        /* by tid, of threads that were not passed on yet; owned */
};

/* An event sink's `take`, `user` is the struct: stores the thread of a DJ_EVENT_THREAD,
 * in any order, and ignores other events. */
int dj_known_threads_add(void *known, const struct dj_event *event);
/* The same for the capture's events: passes them on, each thread's process before the
 * first event that names it. */
int dj_known_threads_write(void *known, const struct dj_event *event);
void dj_known_threads_finish(struct dj_known_threads *known);

#endif
