/* The clock of all time stamps in recorded frames. */
#ifndef DEJANK_RECORDER_CLOCK_H
#define DEJANK_RECORDER_CLOCK_H

#include <stdint.h>

/* Returns CLOCK_MONOTONIC in ns. Returns 0 if the app has confined itself so that
 * reading the clock would need a forbidden system call. */
int64_t dj_recorder_clock_ns(void);

#endif
