/* Decides when to read the rows of a ring next: early enough to lose none, rarely enough
 * not to disturb the app. */
#ifndef DEJANK_MEASURE_WINDOW_POLL_PLAN_H
#define DEJANK_MEASURE_WINDOW_POLL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* Initialize it with zero. Set the fields of the ring from each reading. */
struct dj_poll_plan {
    uint32_t ring_rows;  /* rows that the device keeps per window */
    int64_t interval_ns; /* frame interval of the display; 0: unknown, 60 Hz is assumed */
    int64_t cost_ns;     /* duration of the last reading */
    double rate_hz;      /* frames per second of the busiest window, as far as known */
    bool observed;       /* dj_poll_plan_observe() was called */
};

/* Adds an observation: the busiest window drew `frames` in `span_ns`. A higher rate
 * counts at once. A lower rate counts gradually, because the next burst is probably like
 * the last one. */
void dj_poll_plan_observe(struct dj_poll_plan *plan, uint64_t frames, int64_t span_ns);

/* Returns the delay from the end of one reading to the start of the next. */
int64_t dj_poll_plan_delay_ns(const struct dj_poll_plan *plan);

#endif
