/* Decides when to read the rows of the device's ring next. Readings must be frequent
 * enough to lose no row, and rare enough not to disturb the app. */
#ifndef DEJANK_MEASURE_POLL_PLAN_H
#define DEJANK_MEASURE_POLL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* Initialize it with zero. Set ring_rows, interval_ns and cost_ns after each reading. */
struct dj_poll_plan {
    uint32_t ring_rows; /* Number of rows that the device keeps for each window. */
    /* Frame interval of the display, or 0 if unknown. If unknown, 60 Hz is assumed. */
    int64_t interval_ns;
    int64_t cost_ns; /* Duration of the last reading. */
    double rate_hz;  /* Estimated frames per second of the window with the most frames. */
    bool observed;   /* True after the first call of dj_measure_poll_plan_observe(). */
};

/* Adds an observation: the window with the most frames drew `frames` frames in `span_ns`.
 * If the rate is higher than the estimate, the estimate rises at once. If it is lower,
 * the estimate falls gradually, because the app may draw as fast again at any time. */
void dj_measure_poll_plan_observe(struct dj_poll_plan *plan, uint64_t frames,
                                  int64_t span_ns);

/* Returns the time to wait between the end of a reading and the start of the next one. */
int64_t dj_measure_poll_plan_delay_ns(const struct dj_poll_plan *plan);

#endif
