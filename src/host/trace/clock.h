/* How a trace's clock stands to CLOCK_MONOTONIC, from what it tells of both. Of this room
 * only. */
#ifndef DEJANK_TRACE_CLOCK_H
#define DEJANK_TRACE_CLOCK_H

#include "trace/event.h"
#include "trace/trace.h"

/* All zero: nothing was told. */
struct dj_clock {
    uint64_t pairs; /* of stamps of both clocks */
    /* Each pair says where the difference lies, between two bounds. */
    int64_t lowest_ns, highest_low_ns, lowest_high_ns, highest_ns;
    char name[16];
    bool ticks;
};

/* Takes a DJ_EVENT_CLOCK in. */
void dj_clock_take(struct dj_clock *clock, const struct dj_event *event);

/* Where all pairs can be true at once, the difference is known as well as they tell
 * together; where the clocks drift apart, it lies among all that they tell. */
struct dj_trace_clock dj_clock_end(const struct dj_clock *clock);

#endif
