/* A lock that a hook never waits for. This thread may hold the lock itself: if a hook
 * runs in a signal handler, the handler may have interrupted the call that holds the
 * lock. In that case, waiting would last forever. */
#ifndef DEJANK_HOOKS_BUSY_H
#define DEJANK_HOOKS_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>

/* Acquires the lock. Returns false if the lock is already held. */
static inline bool dj_busy_enter(atomic_flag *busy)
{
    return !atomic_flag_test_and_set_explicit(busy, memory_order_acquire);
}

/* Acquires a lock that is only held briefly. Tries a thousand times. This takes longer
 * than such a lock is usually held. Returns false if the lock is still held. */
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
