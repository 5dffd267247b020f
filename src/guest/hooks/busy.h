/* A lock that hooks try and never wait for: what it guards may be in use by another
 * thread, or by the call that a signal handler interrupted. */
#ifndef DEJANK_HOOKS_BUSY_H
#define DEJANK_HOOKS_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>

/* False: somebody is within. */
static inline bool dj_busy_enter(atomic_flag *busy)
{
    return !atomic_flag_test_and_set_explicit(busy, memory_order_acquire);
}

/* The same for what others hold seldom and for a short time: a thousand looks at the flag
 * are longer than that. */
static inline bool dj_busy_enter_soon(atomic_flag *busy)
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
