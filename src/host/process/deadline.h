/* Time on the host's CLOCK_MONOTONIC, and how long anything that waits may go on. */
#ifndef DEJANK_PROCESS_DEADLINE_H
#define DEJANK_PROCESS_DEADLINE_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"

#define DJ_SECOND_NS INT64_C(1000000000)
#define DJ_MILLISECOND_NS INT64_C(1000000)

static inline int64_t dj_host_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * DJ_SECOND_NS + now.tv_nsec;
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

/* Somebody who may want everything to end before its time. Whoever waits looks here ten
 * times a second. */
struct dj_interrupt {
    /* host_ns by which all waiting must be over: INT64_MAX while nobody wants that, in
     * the past: at once. NULL: nobody ever does. */
    int64_t (*latest_ns)(void *user);
    void *user;
};

/* host_ns as latest_ns() tells it; INT64_MAX for NULL. */
int64_t dj_interrupt_latest_ns(const struct dj_interrupt *interrupt);

/* Waits until one of the descriptors is ready, at most timeout_ns: returns how many are,
 * 0 where none is in time, DJ_E_INTERRUPTED or DJ_E_IO. Skips negative descriptors. */
int dj_interrupt_poll(const struct dj_interrupt *interrupt, int64_t timeout_ns,
                      struct pollfd *fds, nfds_t count, struct dj_error *err);

/* The end of somebody's patience. */
struct dj_deadline {
    int64_t at_ns;                        /* host_ns */
    const struct dj_interrupt *interrupt; /* may end it earlier; NULL: nobody */
};

struct dj_deadline dj_deadline_in(int64_t timeout_ns,
                                  const struct dj_interrupt *interrupt);

/* 0 while it lies ahead; DJ_E_TIMEOUT, or DJ_E_INTERRUPTED where it was moved up. */
int dj_deadline_check(const struct dj_deadline *deadline, struct dj_error *err);

/* poll() until something is ready: 0 then, with `revents` set; else as
 * dj_deadline_check(), also where something is ready too late, or DJ_E_IO. Signals do not
 * end it. */
int dj_deadline_poll(const struct dj_deadline *deadline, struct pollfd *fds, nfds_t count,
                     struct dj_error *err);

#endif
