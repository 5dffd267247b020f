/* CLOCK_MONOTONIC from the CPU's time-stamp counter, at a third of the clock's cost.
 *
 * Used only if that counter is invariant and the kernel trusts it, otherwise this is
 * the clock itself. Each thread keeps one pair of both values and the rate, and reads
 * a new pair after 10 ms. So the error of the counter (a drifting clock, a suspended
 * or moved machine) is limited to what can happen in that time. */
#ifndef DEJANK_RECORDER_TICKS_H
#define DEJANK_RECORDER_TICKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/clock.h"

extern atomic_bool dj_ticks_usable;

/* All zero: unknown so far. Each thread has its own. */
struct dj_ticks {
    uint64_t base_ticks;
    int64_t base_ns;
    uint64_t rate;        /* ns per tick, times 2³² */
    uint64_t valid_ticks; /* the pair is valid for this number of ticks; 0: read the
                           * clock */
    int64_t last_ns;      /* stamps of a thread never decrease */
};

/* Finds out whether the counter can be used. Call it once; file I/O. */
void dj_ticks_load(void);

/* Returns true if reading CLOCK_MONOTONIC is a system call or may be one: there is no
 * vDSO, or it cannot read the kernel's clock source. Returns `otherwise` if the source
 * is unknown, without /sys or without a descriptor. File I/O. */
bool dj_ticks_clock_needs_call(bool otherwise);

/* Returns whether the counter is used. */
static inline bool dj_ticks_are_used(void)
{
    return atomic_load_explicit(&dj_ticks_usable, memory_order_relaxed);
}

/* Reads the clock, and reads a new pair if one is due. */
int64_t dj_ticks_update(struct dj_ticks *ticks);

static inline uint64_t dj_ticks_read(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* Returns CLOCK_MONOTONIC in ns; never less than before on this thread. */
static inline int64_t dj_ticks_ns(struct dj_ticks *ticks)
{
    if (!dj_ticks_are_used()) { /* an unusable counter is never read */
        return dj_recorder_clock_ns();
    }
    uint64_t passed = dj_ticks_read() - ticks->base_ticks;
    if (passed >= ticks->valid_ticks) {
        return dj_ticks_update(ticks);
    }
    int64_t now_ns = ticks->base_ns + (int64_t)((passed * ticks->rate) >> 32);
    ticks->last_ns = now_ns > ticks->last_ns ? now_ns : ticks->last_ns;
    return ticks->last_ns;
}

#endif
