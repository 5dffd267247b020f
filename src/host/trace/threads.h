/* The threads of a trace while it is read: what is known of each, by its id. Of this room
 * only. */
#ifndef DEJANK_TRACE_THREADS_H
#define DEJANK_TRACE_THREADS_H

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
    struct dj_thread *slots; /* by hash; those with used[i] 0 are free */
    uint8_t *used;
    size_t count, capacity;
};

/* Where to look for a thread first. */
static inline size_t dj_threads_place(const struct dj_threads *threads, uint32_t tid)
{
    return (tid * UINT32_C(2654435761)) & (threads->capacity - 1);
}

struct dj_thread *dj_threads_get_far(struct dj_threads *threads, uint32_t tid);

/* The thread of this id, made where there is none: valid until the next one is made.
 * NULL: out of memory. Each event asks for some: nearly all are where they belong. */
static inline struct dj_thread *dj_threads_get(struct dj_threads *threads, uint32_t tid)
{
    if (threads->capacity > 0 && tid != 0) { /* free slots have no other */
        struct dj_thread *slot = &threads->slots[dj_threads_place(threads, tid)];
        if (slot->known.tid == tid) {
            return slot;
        }
    }
    return dj_threads_get_far(threads, tid);
}
/* The same, but NULL where there is none. */
const struct dj_thread *dj_threads_find(const struct dj_threads *threads, uint32_t tid);
void dj_threads_finish(struct dj_threads *threads);

#endif
