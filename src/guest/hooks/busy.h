/* A lock that hooks try and never wait for: the thread that holds it may be another
 * one, or this one in a call that a signal handler interrupted. */
#ifndef DEJANK_HOOKS_BUSY_H
#define DEJANK_HOOKS_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>

/* Returns false if the lock is held. */
static inline bool dj_busy_enter(atomic_flag *busy)
{
    return !atomic_flag_test_and_set_explicit(busy, memory_order_acquire);
}

/* The same for locks that are held rarely and briefly: a thousand attempts take longer
 * than that. */
static inline bool dj_busy_try_enter(atomic_flag *busy)
{
    int attempts = 1000;
    while (!dj_busy_enter(busy)) {
        if (--attempts == 0) {
            return false;
        }
    }
    return true;
}

static inline void dj_busy_leave(atomic_flag *busy)
{
    atomic_flag_clear_explicit(busy, memory_order_release);
}

#endif
