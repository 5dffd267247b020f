#include "cli/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* The time (host_ns) by which all work must have ended. */
static _Atomic int64_t stop_by_ns = INT64_MAX;
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a signal handler may write it");

/* Returns whether this process ignores a signal. Under nohup, it ignores SIGHUP so that
 * it continues after the terminal is closed. */
static bool is_ignored(int signal)
{
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void set_handler(void (*handler)(int signal))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        sigaddset(&action.sa_mask, signals[i]);
    }
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        if (signals[i] != SIGHUP || !is_ignored(SIGHUP)) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

static void on_signal(int signal)
{
    (void)signal;
    if (stop_by_ns == INT64_MAX) {
        stop_by_ns = dj_host_now_ns() + DJ_STOP_NS;
    } else {
        stop_by_ns = 0;
        set_handler(SIG_DFL);
    }
}

static int64_t get_latest_ns(void *user)
{
    (void)user;
    return stop_by_ns;
}

static int64_t get_abort_ns(void *user)
{
    (void)user;
    return stop_by_ns == 0 ? 0 : INT64_MAX;
}

void dj_stop_handle_signals(void)
{
    set_handler(on_signal);
}

struct dj_interrupt_request dj_stop_interrupt(void)
{
    return (struct dj_interrupt_request){.latest_ns = get_latest_ns};
}

struct dj_interrupt_request dj_stop_abort_interrupt(void)
{
    return (struct dj_interrupt_request){.latest_ns = get_abort_ns};
}

bool dj_stop_is_requested(void)
{
    return stop_by_ns != INT64_MAX;
}
