/*
 * Estimates the offset from a trace's clock to CLOCK_MONOTONIC. The input is pairs of
 * times: the values of both clocks at about the same moment.
 */
#ifndef DEJANK_TRACE_MODEL_CLOCK_OFFSET_H
#define DEJANK_TRACE_MODEL_CLOCK_OFFSET_H

#include "trace/event.h"
#include "trace/trace.h"

/* The bounds of the offset. In a zeroed struct, the offset is unknown. */
struct dj_clock_offset {
    uint64_t pairs; /* Number of pairs. */
    /* Each pair gives a lower and an upper bound of the offset. These members are the
     * lowest lower bound, the highest lower bound, the lowest upper bound and the highest
     * upper bound. */
    int64_t lowest_ns, highest_low_ns, lowest_high_ns, highest_ns;
    char name[16];
    bool ticks;
};

/* Adds a DJ_EVENT_CLOCK: the name of the clock if the event contains it, whether the
 * clock's times are ticks, and the pair of times if the event contains one. */
void dj_clock_offset_add_event(struct dj_clock_offset *clock,
                               const struct dj_event *event);

/* Estimates the offset. If one offset satisfies all bounds, the result is the range of
 * such offsets. Otherwise the clocks drift apart, and the result is a range that contains
 * all bounds. */
struct dj_trace_clock dj_clock_offset_estimate(const struct dj_clock_offset *clock);

#endif
