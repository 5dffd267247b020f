/* Reads CLOCK_MONOTONIC from the CPU's time-stamp counter, at a third of the cost of
 * clock_gettime().
 *
 * The counter is used only if it is invariant and the kernel trusts it. Otherwise these
 * functions call clock_gettime(). Each thread stores one pair of readings (counter and
 * clock at the same instant) and the rate of the counter. After 10 ms, the thread reads a
 * new pair. So an error from a drifting clock, or from a machine that was suspended or
 * migrated, lasts at most 10 ms. */
#ifndef DEJANK_RECORDER_TICKS_H
#define DEJANK_RECORDER_TICKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/clock.h"

extern atomic_bool dj_ticks_usable;

/* One thread's pair of readings. All zero before the first reading. */
struct dj_ticks {
    uint64_t base_ticks;
    int64_t base_ns;
    uint64_t rate;        /* Rate of the counter in ns per tick, times 2³². */
    uint64_t valid_ticks; /* Number of ticks for which the pair is valid, or 0 if the
                           * clock must be read. */
    int64_t last_ns;      /* Last time that was returned. The times of a thread never
                           * decrease. */
};

/* Finds out whether the counter can be used. Call this function once. File I/O. */
void dj_ticks_load(void);

/* Returns true if reading CLOCK_MONOTONIC is or may be a system call, because there is
 * no vDSO or because the vDSO cannot read the kernel's clock source. Returns
 * `otherwise` if the clock source is unknown (/sys cannot be read). File I/O. */
bool dj_ticks_clock_needs_call(bool otherwise);

static inline bool dj_ticks_are_used(void)
{
    return atomic_load_explicit(&dj_ticks_usable, memory_order_relaxed);
}

/* Returns CLOCK_MONOTONIC in ns. Reads a new pair if the old one is no longer valid. */
int64_t dj_ticks_update(struct dj_ticks *ticks);

static inline uint64_t dj_ticks_read(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* Returns CLOCK_MONOTONIC in ns. The result never decreases on one thread. */
static inline int64_t dj_ticks_ns(struct dj_ticks *ticks)
{
    if (!dj_ticks_are_used()) {
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
