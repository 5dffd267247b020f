/* Stores what is known about each thread while a trace is read. */
#ifndef DEJANK_TRACE_MODEL_THREADS_H
#define DEJANK_TRACE_MODEL_THREADS_H

#include "base/map.h"
#include "trace/trace.h"

struct dj_live_thread {
    struct dj_trace_thread known;
    /* Current state of the thread. It has no end yet. Valid if `seen` is set. */
    struct dj_trace_state now;
    bool seen; /* True if `now` is valid. */
    /* Last sleep of the thread that has ended. Its reason may be reported later. Valid if
     * `slept` is set. */
    struct dj_trace_state sleep;
    bool slept;    /* True if `sleep` is valid. */
    uint32_t life; /* Number of earlier threads with the same id. */
    bool lived;    /* True if the thread was active or was woken. */
    bool exited;   /* True if an event has reported the end of the thread. */
};

/* A zeroed struct is empty. */
struct dj_threads {
    struct dj_map by_tid; /* Maps a thread id to a pointer to the thread. */
};

/* Adds a thread whose id is not in the map yet. */
struct dj_live_thread *dj_threads_add(struct dj_threads *threads, uint32_t tid);

/* Returns the thread with this id. If there is none, creates it. The pointer stays valid.
 * The function is inline because it is called for each event. */
static inline struct dj_live_thread *dj_threads_get(struct dj_threads *threads,
                                                    uint32_t tid)
{
    size_t found = dj_map_get(&threads->by_tid, tid);
    if (found != DJ_MAP_NONE) {
        return (struct dj_live_thread *)found;
    }
    return dj_threads_add(threads, tid);
}
/* Returns the next thread, or NULL at the end. The threads have no particular order. Set
 * *at to 0 before the first call. */
struct dj_live_thread *dj_threads_next(const struct dj_threads *threads, size_t *at);
void dj_threads_finish(struct dj_threads *threads);

#endif
