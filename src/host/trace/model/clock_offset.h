/*
 * Computes the relation of a trace's clock to CLOCK_MONOTONIC from pairs of stamps of
 * both.
 */
#ifndef DEJANK_TRACE_MODEL_CLOCK_OFFSET_H
#define DEJANK_TRACE_MODEL_CLOCK_OFFSET_H

#include "trace/event.h"
#include "trace/trace.h"

/* All zero: nothing is known. */
struct dj_clock_offset {
    uint64_t pairs; /* number of pairs of stamps of both clocks */
    /* Each pair gives a lower and an upper bound of the difference. */
    int64_t lowest_ns, highest_low_ns, lowest_high_ns, highest_ns;
    char name[16];
    bool ticks;
};

/* Accepts a DJ_EVENT_CLOCK. */
void dj_clock_offset_add_event(struct dj_clock_offset *clock,
                               const struct dj_event *event);

/* If all pairs can be true at once, returns the intersection of their bounds. If the
 * clocks drift apart, returns the union. */
struct dj_trace_clock dj_clock_offset_estimate(const struct dj_clock_offset *clock);

#endif
