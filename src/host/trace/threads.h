/* The threads of a trace while it is read: what is known of each, by its id. Of this room
 * only. */
#ifndef DEJANK_TRACE_THREADS_H
#define DEJANK_TRACE_THREADS_H

#include "base/map.h"
#include "trace/trace.h"

struct dj_thread {
    struct dj_trace_thread known;
    struct dj_trace_state now;   /* its state, that has not ended */
    bool seen;                   /* `now` is known */
    struct dj_trace_state sleep; /* its last one that has ended: why may be told yet */
    bool slept;                  /* there is one */
    uint32_t life;               /* how many threads had its id before */
    bool lived;                  /* it did something, or was woken */
    bool exited;                 /* it was told to end */
};

/* All zero is none. */
struct dj_threads {
    struct dj_map by_tid; /* pointers to them */
};

/* Adds one that is not there. */
struct dj_thread *dj_threads_add(struct dj_threads *threads, uint32_t tid);

/* The thread of this id, made where there is none; it stays where it is. Each event asks
 * for some. */
static inline struct dj_thread *dj_threads_get(struct dj_threads *threads, uint32_t tid)
{
    size_t found = dj_map_get(&threads->by_tid, tid);
    if (found != DJ_MAP_NONE) {
        return (struct dj_thread *)found;
    }
    return dj_threads_add(threads, tid);
}
/* One after the other, in any order: the next one from slot *at on, which begins at 0.
 * NULL: no more. */
struct dj_thread *dj_threads_next(const struct dj_threads *threads, size_t *at);
void dj_threads_finish(struct dj_threads *threads);

#endif
