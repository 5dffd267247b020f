/* What is known of the threads of a trace while it is read, by thread id. */
#ifndef DEJANK_TRACE_MODEL_THREADS_H
#define DEJANK_TRACE_MODEL_THREADS_H

#include "base/map.h"
#include "trace/trace.h"

struct dj_live_thread {
    struct dj_trace_thread known;
    struct dj_trace_state now; /* its current state, which has not ended */
    bool seen;                 /* `now` is valid */
    /* its last sleep that has ended; the reason may still follow */
    struct dj_trace_state sleep;
    bool slept;    /* `sleep` is valid */
    uint32_t life; /* number of threads that had its id before */
    bool lived;    /* it did something, or was woken */
    bool exited;   /* an event reported its end */
};

/* All zero is empty. */
struct dj_threads {
    struct dj_map by_tid; /* pointers to threads */
};

/* Adds a thread that does not exist yet. */
struct dj_live_thread *dj_threads_add(struct dj_threads *threads, uint32_t tid);

/* Returns the thread of this id, creates it if needed. The pointer stays valid. Each
 * event calls this. */
static inline struct dj_live_thread *dj_threads_get(struct dj_threads *threads,
                                                    uint32_t tid)
{
    size_t found = dj_map_get(&threads->by_tid, tid);
    if (found != DJ_MAP_NONE) {
        return (struct dj_live_thread *)found;
    }
    return dj_threads_add(threads, tid);
}
/* Iterates over all threads in any order. Set *at to 0 before the first call. Returns
 * NULL at the end. */
struct dj_live_thread *dj_threads_next(const struct dj_threads *threads, size_t *at);
void dj_threads_finish(struct dj_threads *threads);

#endif
