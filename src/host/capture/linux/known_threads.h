/* The process of each thread, as the kernel stores it for all threads that ever ran
 * (saved_tgids). Only threads that occur in the capture's events are passed on. */
#ifndef DEJANK_CAPTURE_LINUX_KNOWN_THREADS_H
#define DEJANK_CAPTURE_LINUX_KNOWN_THREADS_H

#include "base/map.h"
#include "trace/event.h"

/* Set the sink and zero the other members. */
struct dj_known_threads {
    struct dj_event_sink sink; /* Receives the events. */
    struct dj_map pids;        /* Process ids by thread id, for threads that were not
                                * passed on yet. Owned by this struct. */
};

/* The function of an event sink. `known` is the struct above. Stores the thread of a
 * DJ_EVENT_THREAD and ignores other events. */
int dj_known_threads_add(void *known, const struct dj_event *event);
/* The function of the event sink for the capture's events. Passes each event on.
 * Before the first event that names a thread, also passes on a DJ_EVENT_THREAD with
 * the thread's process. */
int dj_known_threads_write(void *known, const struct dj_event *event);
void dj_known_threads_finish(struct dj_known_threads *known);

#endif
