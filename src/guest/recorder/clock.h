/* The clock of all stamps. */
#ifndef DEJANK_RECORDER_CLOCK_H
#define DEJANK_RECORDER_CLOCK_H

#include <stdint.h>

/* Returns CLOCK_MONOTONIC in ns. Returns 0 if an app has confined itself and the clock
 * cannot be read without a system call. */
int64_t dj_recorder_clock_ns(void);

#endif
