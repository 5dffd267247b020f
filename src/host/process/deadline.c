#include "process/deadline.h"

#include <errno.h>
#include <string.h>

/* poll() waits at most this long before the interrupt request is checked again, because a
 * signal that arrives just before poll() does not end poll(). */
#define SLICE_NS (100 * DJ_MILLISECOND_NS)

struct dj_deadline dj_deadline_in(int64_t timeout_ns,
                                  const struct dj_interrupt_request *interrupt)
{
    return (struct dj_deadline){dj_host_now_ns() + timeout_ns, interrupt};
}

static _Thread_local struct dj_interrupt_request thread_request;

void dj_process_set_thread_interrupt(struct dj_interrupt_request request)
{
    thread_request = request;
}

struct dj_interrupt_request dj_process_get_thread_interrupt(void)
{
    return thread_request;
}

int64_t dj_interrupt_latest_ns(const struct dj_interrupt_request *interrupt)
{
    if (interrupt == NULL || interrupt->latest_ns == NULL) {
        interrupt = &thread_request;
    }
    return interrupt->latest_ns != NULL ? interrupt->latest_ns(interrupt->user)
                                        : INT64_MAX;
}

int dj_deadline_check(const struct dj_deadline *deadline, struct dj_error *err)
{
    int64_t now_ns = dj_host_now_ns();
    if (now_ns >= dj_interrupt_latest_ns(deadline->interrupt)) {
        return dj_error_set(err, DJ_E_INTERRUPTED,
                            "interrupted before the answer arrived");
    }
    return now_ns >= deadline->at_ns
               ? dj_error_set(err, DJ_E_TIMEOUT, "no answer in time")
               : 0;
}

/* Returns the time for poll() in ms, rounded up, at most SLICE_NS. */
static int slice_ms(const struct dj_deadline *deadline)
{
    int64_t latest = dj_interrupt_latest_ns(deadline->interrupt);
    int64_t left_ns =
        (latest < deadline->at_ns ? latest : deadline->at_ns) - dj_host_now_ns();
    left_ns = left_ns < 0 ? 0 : left_ns < SLICE_NS ? left_ns : SLICE_NS;
    return (int)((left_ns + DJ_MILLISECOND_NS - 1) / DJ_MILLISECOND_NS);
}

int dj_deadline_poll(const struct dj_deadline *deadline, struct pollfd *fds, nfds_t count,
                     struct dj_error *err)
{
    for (;;) {
        int code = dj_deadline_check(deadline, err);
        if (code != 0) {
            return code;
        }
        int ready = poll(fds, count, slice_ms(deadline));
        if (ready > 0) {
            return 0;
        }
        if (ready < 0 && errno != EINTR) {
            return dj_error_set(err, DJ_E_IO, "poll() failed: %s", strerror(errno));
        }
    }
}

int dj_interrupt_poll(const struct dj_interrupt_request *interrupt, int64_t timeout_ns,
                      struct pollfd *fds, nfds_t count, struct dj_error *err)
{
    if (dj_host_now_ns() >= dj_interrupt_latest_ns(interrupt)) {
        return dj_error_set(err, DJ_E_INTERRUPTED,
                            "interrupted before the answer arrived");
    }
    int ready = poll(fds, count, 0);
    if (ready == 0 && timeout_ns > 0) {
        const struct dj_deadline deadline = dj_deadline_in(timeout_ns, interrupt);
        struct dj_error why = {0};
        int code = dj_deadline_poll(&deadline, fds, count, &why);
        if (code != DJ_E_TIMEOUT) {
            return code == 0 ? 1 : dj_error_set(err, code, "%s", why.message);
        }
    }
    if (ready < 0 && errno != EINTR) {
        return dj_error_set(err, DJ_E_IO, "poll() failed: %s", strerror(errno));
    }
    return ready > 0 ? ready : 0;
}
