/* Deadlines on the host's CLOCK_MONOTONIC, for everything that waits. */
#ifndef DEJANK_DEVICE_DEADLINE_H
#define DEJANK_DEVICE_DEADLINE_H

#include <stdint.h>
#include <time.h>

#define DJ_SECOND_NS INT64_C(1000000000)
#define DJ_MILLISECOND_NS INT64_C(1000000)

static inline int64_t dj_host_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * DJ_SECOND_NS + now.tv_nsec;
}

/* What is left until the deadline as poll() takes it: ms rounded up, 0 once it has
 * passed. */
static inline int dj_deadline_poll_ms(int64_t deadline_ns)
{
    int64_t left_ns = deadline_ns - dj_host_now_ns();
    if (left_ns <= 0) {
        return 0;
    }
    int64_t left_ms = (left_ns + DJ_MILLISECOND_NS - 1) / DJ_MILLISECOND_NS;
    return left_ms > 3600000 ? 3600000 : (int)left_ms;
}

/* Sleeps; a signal ends it early. */
static inline void dj_host_sleep_ns(int64_t ns)
{
    if (ns > 0) {
        struct timespec span = {.tv_sec = (time_t)(ns / DJ_SECOND_NS),
                                .tv_nsec = (long)(ns % DJ_SECOND_NS)};
        nanosleep(&span, NULL);
    }
}

#endif
