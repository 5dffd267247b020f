/* Adds the process of each thread to a trace. The kernel stores the process of all
 * threads that ever ran (saved_tgids). The trace contains the processes only of threads
 * that occur in the captured events. */
#ifndef DEJANK_CAPTURE_LINUX_KNOWN_THREADS_H
#define DEJANK_CAPTURE_LINUX_KNOWN_THREADS_H

#include "base/map.h"
#include "trace/event.h"

/* The processes of threads. Set `sink` and zero the other members. */
struct dj_known_threads {
    /* Receives the captured events and the added DJ_EVENT_THREAD events. */
    struct dj_event_sink sink;
    /* Maps the id of a thread to the id of its process. Contains the threads that have
     * not occurred in an event yet. Owned by this struct. */
    struct dj_map pids;
};

/* Stores the thread and the process of each DJ_EVENT_THREAD, and ignores other events.
 * This is an event sink function for saved_tgids, and `known` is a struct
 * dj_known_threads. */
int dj_known_threads_add(void *known, const struct dj_event *event);
/* Passes each event to `sink`. If an event is the first one that refers to a stored
 * thread, first passes a DJ_EVENT_THREAD with the process of this thread. This is an
 * event sink function for the captured events. */
int dj_known_threads_write(void *known, const struct dj_event *event);
void dj_known_threads_finish(struct dj_known_threads *known);

#endif
