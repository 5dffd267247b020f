/* Decides when to read the rows of a ring next: early enough to lose no row, and rarely
 * enough not to disturb the app. */
#ifndef DEJANK_MEASURE_WINDOW_POLL_PLAN_H
#define DEJANK_MEASURE_WINDOW_POLL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* Initialize it with zero. Set the members about the ring from each reading. */
struct dj_poll_plan {
    uint32_t ring_rows; /* Rows that the device keeps per window. */
    /* Frame interval of the display, or 0 if it is unknown. Then 60 Hz is assumed. */
    int64_t interval_ns;
    int64_t cost_ns; /* Duration of the last reading. */
    double rate_hz;  /* Estimated frames per second of the busiest window. */
    bool observed;   /* dj_poll_plan_observe() has been called. */
};

/* Adds an observation: the busiest window drew `frames` in span_ns. A higher rate is used
 * at once. A lower rate lowers the estimate gradually, because the next burst is probably
 * as fast as the last one. */
void dj_poll_plan_observe(struct dj_poll_plan *plan, uint64_t frames, int64_t span_ns);

/* Returns the delay from the end of one reading to the start of the next. */
int64_t dj_poll_plan_delay_ns(const struct dj_poll_plan *plan);

#endif
