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

struct dj_thread_slot {
    uint32_t tid;
    struct dj_thread *thread; /* NULL: the slot is free; owned */
};

/* All zero is none. */
struct dj_threads {
    struct dj_thread_slot *slots; /* by hash, three of four or more free */
    size_t count, capacity;
};

/* Where to look for a thread first. */
static inline size_t dj_threads_place(const struct dj_threads *threads, uint32_t tid)
{
    enum { LEAST_MIXED_BITS = 8 };
    uint32_t mixed = tid * UINT32_C(2654435761);
    return (mixed >> LEAST_MIXED_BITS) & (threads->capacity - 1);
}

struct dj_thread *dj_threads_get_far(struct dj_threads *threads, uint32_t tid);

/* The thread of this id, made where there is none; it stays where it is. NULL: out of
 * memory. Each event asks for some: nearly all are where they belong. */
static inline struct dj_thread *dj_threads_get(struct dj_threads *threads, uint32_t tid)
{
    if (threads->capacity > 0) {
        const struct dj_thread_slot *slot =
            &threads->slots[dj_threads_place(threads, tid)];
        if (slot->tid == tid && slot->thread != NULL) {
            return slot->thread;
        }
    }
    return dj_threads_get_far(threads, tid);
}
/* The same, but NULL where there is none. */
const struct dj_thread *dj_threads_find(const struct dj_threads *threads, uint32_t tid);
void dj_threads_finish(struct dj_threads *threads);

#endif
