/*
 * Computes the offset from a trace's clock to CLOCK_MONOTONIC from pairs of times, one
 * of each clock.
 */
#ifndef DEJANK_TRACE_MODEL_CLOCK_OFFSET_H
#define DEJANK_TRACE_MODEL_CLOCK_OFFSET_H

#include "trace/event.h"
#include "trace/trace.h"

/* A zeroed struct means that the offset is unknown. */
struct dj_clock_offset {
    uint64_t pairs; /* Number of pairs. */
    /* Each pair gives a lower and an upper bound of the offset. These are the lowest
     * and the highest lower bound, and the lowest and the highest upper bound. */
    int64_t lowest_ns, highest_low_ns, lowest_high_ns, highest_ns;
    char name[16];
    bool ticks;
};

/* Adds the pair in a DJ_EVENT_CLOCK, if it contains one. */
void dj_clock_offset_add_event(struct dj_clock_offset *clock,
                               const struct dj_event *event);

/* Estimates the offset. If all bounds are consistent, the result is their intersection.
 * Otherwise the clocks drift apart, and the result covers all bounds. */
struct dj_trace_clock dj_clock_offset_estimate(const struct dj_clock_offset *clock);

#endif
