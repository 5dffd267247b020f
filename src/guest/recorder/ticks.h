/*
 * CLOCK_MONOTONIC by the processor's time-stamp counter: a third of the clock's price.
 *
 * Only where that counter is invariant and the kernel trusts it; elsewhere it is the
 * clock itself. Each thread holds a pair of both and the rate between them, and takes a
 * new pair after 10 ms: what the counter can be wrong by (a drifting clock, a suspended
 * or moved machine) is bounded by what can go wrong in that time.
 */
#ifndef DEJANK_RECORDER_TICKS_H
#define DEJANK_RECORDER_TICKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/recorder.h"

extern atomic_bool dj_ticks_usable;

/* All zero: nothing known yet. One thread's. */
struct dj_ticks {
    uint64_t base_ticks;
    int64_t base_ns;
    uint64_t rate;        /* ns per tick, times 2³² */
    uint64_t valid_ticks; /* the pair holds for so many ticks; 0: ask the clock */
    int64_t last_ns;      /* stamps of a thread never go back */
};

/* Finds out whether the counter can be used. Once; file I/O. */
void dj_ticks_load(void);

/* True where reading CLOCK_MONOTONIC is a system call, or may be one: there is no vDSO,
 * or it cannot read the kernel's clock source. `otherwise` if that source cannot be found
 * out: without /sys, or without a descriptor. File I/O. */
bool dj_clock_needs_call(bool otherwise);

/* True where it is. */
static inline bool dj_ticks_are_used(void)
{
    return atomic_load_explicit(&dj_ticks_usable, memory_order_relaxed);
}

/* The clock, with a new pair where one is due. */
int64_t dj_ticks_renew(struct dj_ticks *ticks);

static inline uint64_t dj_ticks_read(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* Now, in ns of CLOCK_MONOTONIC; never less than before on this thread. */
static inline int64_t dj_ticks_ns(struct dj_ticks *ticks)
{
    if (!dj_ticks_are_used()) { /* not even read, where it is no good */
        return dj_clock_ns();
    }
    uint64_t passed = dj_ticks_read() - ticks->base_ticks;
    if (passed >= ticks->valid_ticks) {
        return dj_ticks_renew(ticks);
    }
    int64_t now_ns = ticks->base_ns + (int64_t)((passed * ticks->rate) >> 32);
    ticks->last_ns = now_ns > ticks->last_ns ? now_ns : ticks->last_ns;
    return ticks->last_ns;
}

#endif
