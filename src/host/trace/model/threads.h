/* Stores the state of each thread while a trace is read. */
#ifndef DEJANK_TRACE_MODEL_THREADS_H
#define DEJANK_TRACE_MODEL_THREADS_H

#include "base/map.h"
#include "trace/trace.h"

struct dj_live_thread {
    struct dj_trace_thread known;
    struct dj_trace_state now; /* The current state of the thread, without an end. */
    bool seen;                 /* `now` is valid. */
    /* The last sleep that has ended. Its reason may be reported after its end. */
    struct dj_trace_state sleep;
    bool slept;    /* `sleep` is valid. */
    uint32_t life; /* Number of earlier threads with the same id. */
    bool lived;    /* The thread was active or was woken. */
    bool exited;   /* An event reported the end of the thread. */
};

/* A zeroed struct is empty. */
struct dj_threads {
    struct dj_map by_tid; /* Maps a thread id to a pointer to the thread. */
};

/* Adds a thread whose id is not in the map yet. */
struct dj_live_thread *dj_threads_add(struct dj_threads *threads, uint32_t tid);

/* Returns the thread with this id, and creates it if needed. The pointer stays valid.
 * Inline because it is called for each event. */
static inline struct dj_live_thread *dj_threads_get(struct dj_threads *threads,
                                                    uint32_t tid)
{
    size_t found = dj_map_get(&threads->by_tid, tid);
    if (found != DJ_MAP_NONE) {
        return (struct dj_live_thread *)found;
    }
    return dj_threads_add(threads, tid);
}
/* Returns the next of all threads, in any order, or NULL at the end. Set *at to 0
 * before the first call. */
struct dj_live_thread *dj_threads_next(const struct dj_threads *threads, size_t *at);
void dj_threads_finish(struct dj_threads *threads);

#endif
