/* The host clock (CLOCK_MONOTONIC), and limits for everything that waits. */
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

/* Sleeps. A signal ends the sleep early. */
static inline void dj_host_sleep_ns(int64_t ns)
{
    if (ns > 0) {
        struct timespec span = {.tv_sec = (time_t)(ns / DJ_SECOND_NS),
                                .tv_nsec = (long)(ns % DJ_SECOND_NS)};
        nanosleep(&span, NULL);
    }
}

/* A request to end all waiting early. Functions that wait check it ten times a second. */
struct dj_interrupt_request {
    /* Returns the host time by which all waiting must end. INT64_MAX: no request. A time
     * in the past: at once. NULL: there are no requests. */
    int64_t (*latest_ns)(void *user);
    void *user;
};

/* Returns latest_ns(), or INT64_MAX for NULL. */
int64_t dj_interrupt_latest_ns(const struct dj_interrupt_request *interrupt);

/* Waits until a descriptor is ready, at most timeout_ns. Returns how many are ready, 0 if
 * none is in time, DJ_E_INTERRUPTED or DJ_E_IO. Ignores negative descriptors. */
int dj_interrupt_poll(const struct dj_interrupt_request *interrupt, int64_t timeout_ns,
                      struct pollfd *fds, nfds_t count, struct dj_error *err);

/* A time limit for one or more calls. */
struct dj_deadline {
    int64_t at_ns;                                /* host time */
    const struct dj_interrupt_request *interrupt; /* may end it earlier; NULL: none */
};

struct dj_deadline dj_deadline_in(int64_t timeout_ns,
                                  const struct dj_interrupt_request *interrupt);

/* Returns 0 before the deadline, DJ_E_TIMEOUT after it, DJ_E_INTERRUPTED if the request
 * ended it earlier. */
int dj_deadline_check(const struct dj_deadline *deadline, struct dj_error *err);

/* Calls poll() until a descriptor is ready. Returns 0 with `revents` set, DJ_E_IO, or the
 * error of dj_deadline_check(), also if a descriptor is ready too late. Signals do not
 * end it. */
int dj_deadline_poll(const struct dj_deadline *deadline, struct pollfd *fds, nfds_t count,
                     struct dj_error *err);

#endif
