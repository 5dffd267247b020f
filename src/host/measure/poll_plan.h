/* When to read the rows of a ring next: early enough to lose none, seldom enough not to
 * disturb. */
#ifndef DEJANK_MEASURE_POLL_PLAN_H
#define DEJANK_MEASURE_POLL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* Zero it; set the fields of the ring as readings tell them. */
struct dj_poll_plan {
    uint32_t ring_rows;  /* rows the device keeps per window */
    int64_t interval_ns; /* the display's frame interval; 0: unknown, 60 Hz is taken */
    int64_t cost_ns;     /* what the last reading took */
    double rate_hz;      /* frames per second of the busiest window, as far as known */
    bool observed;       /* dj_poll_observe() was called */
};

/* `frames` were counted in `span_ns`, by the busiest window. A rate that rises counts at
 * once, one that falls is believed by and by: the next burst is likely to be like the
 * last. */
void dj_poll_observe(struct dj_poll_plan *plan, uint64_t frames, int64_t span_ns);

/* From the end of one reading to the start of the next. */
int64_t dj_poll_delay_ns(const struct dj_poll_plan *plan);

#endif
