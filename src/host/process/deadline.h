/* The clock of the host (CLOCK_MONOTONIC), and time limits for all functions that
 * wait. */
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

/* Sleeps for this time. Returns early if a signal arrives. */
static inline void dj_host_sleep_ns(int64_t ns)
{
    if (ns > 0) {
        struct timespec span = {.tv_sec = (time_t)(ns / DJ_SECOND_NS),
                                .tv_nsec = (long)(ns % DJ_SECOND_NS)};
        nanosleep(&span, NULL);
    }
}

/* A way to end waiting early, for example after Ctrl-C. Functions that wait check the
 * request ten times per second. */
struct dj_interrupt_request {
    /* Returns the host time at which all waiting must end, or INT64_MAX if there is no
     * request. A time in the past ends waiting at once. NULL if requests are
     * impossible. */
    int64_t (*latest_ns)(void *user);
    void *user;
};

/* Sets the request for all later waits of this thread that have no request of their own.
 * Then also functions that take no request can be ended early. */
void dj_process_set_thread_interrupt(struct dj_interrupt_request request);
struct dj_interrupt_request dj_process_get_thread_interrupt(void);

/* Returns the result of latest_ns(). If `interrupt` or its latest_ns is NULL, that of the
 * thread's request, or INT64_MAX if there is none. */
int64_t dj_interrupt_latest_ns(const struct dj_interrupt_request *interrupt);

/* Waits until a descriptor is ready, but at most timeout_ns. Returns the number of ready
 * descriptors, 0 after the timeout, DJ_E_INTERRUPTED or DJ_E_IO. Ignores negative
 * descriptors. */
int dj_interrupt_poll(const struct dj_interrupt_request *interrupt, int64_t timeout_ns,
                      struct pollfd *fds, nfds_t count, struct dj_error *err);

/* A time limit for one or more calls. */
struct dj_deadline {
    int64_t at_ns; /* Host time of the deadline. */
    /* A request to end earlier. May be NULL. */
    const struct dj_interrupt_request *interrupt;
};

struct dj_deadline dj_deadline_in(int64_t timeout_ns,
                                  const struct dj_interrupt_request *interrupt);

/* Returns 0 before the deadline, DJ_E_TIMEOUT after it, or DJ_E_INTERRUPTED if the
 * interrupt request set an earlier end that has passed. */
int dj_deadline_check(const struct dj_deadline *deadline, struct dj_error *err);

/* Waits until a descriptor is ready. Returns 0 with `revents` set, DJ_E_IO, or the error
 * of dj_deadline_check(). Signals do not end the wait. May return DJ_E_TIMEOUT although a
 * descriptor became ready, if that was after the deadline. */
int dj_deadline_poll(const struct dj_deadline *deadline, struct pollfd *fds, nfds_t count,
                     struct dj_error *err);

#endif
