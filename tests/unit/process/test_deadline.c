#include "process/deadline.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;
static int64_t latest_ns;

static int64_t tell_latest(void *user)
{
    (void)user;
    return alarms > 0 ? latest_ns : INT64_MAX;
}

static void on_alarm(int signal)
{
    (void)signal;
    alarms = alarms + 1;
}

static void alarm_after_ms(int ms)
{
    const struct itimerval timer = {.it_value = {.tv_usec = ms * 1000}};
    const struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Waits for a pipe that never becomes ready, and returns how long that took. */
static int64_t measure_wait(const struct dj_deadline *deadline, int expected)
{
    int fds[2];
    struct dj_error err = {0};
    cr_assert_eq(pipe(fds), 0);
    struct pollfd wait = {.fd = fds[0], .events = POLLIN};
    int64_t start_ns = dj_host_now_ns();
    cr_assert_eq(dj_deadline_poll(deadline, &wait, 1, &err), expected, "%s", err.message);
    cr_assert_eq(err.code, expected);
    close(fds[0]);
    close(fds[1]);
    return dj_host_now_ns() - start_ns;
}

Test(deadline, a_deadline_ends_with_a_timeout)
{
    const struct dj_deadline deadline = dj_deadline_in(250 * DJ_MILLISECOND_NS, NULL);
    int64_t took_ns = measure_wait(&deadline, DJ_E_TIMEOUT);
    cr_assert_geq(took_ns, 250 * DJ_MILLISECOND_NS);
    cr_assert_lt(took_ns, 5 * DJ_SECOND_NS);
}

Test(deadline, signals_do_not_end_a_deadline)
{
    const struct dj_deadline deadline = dj_deadline_in(250 * DJ_MILLISECOND_NS, NULL);
    alarm_after_ms(50);
    cr_assert_geq(measure_wait(&deadline, DJ_E_TIMEOUT), 250 * DJ_MILLISECOND_NS);
    cr_assert_eq(alarms, 1);
}

Test(deadline, an_interrupt_shortens_a_deadline)
{
    const struct dj_interrupt_request interrupt = {.latest_ns = tell_latest};
    const struct dj_deadline deadline = dj_deadline_in(60 * DJ_SECOND_NS, &interrupt);
    latest_ns = dj_host_now_ns() + 300 * DJ_MILLISECOND_NS;
    alarm_after_ms(50);
    int64_t took_ns = measure_wait(&deadline, DJ_E_INTERRUPTED);
    cr_assert_geq(took_ns, 290 * DJ_MILLISECOND_NS);
    cr_assert_lt(took_ns, 10 * DJ_SECOND_NS);
}

Test(deadline, an_interrupt_never_extends_a_deadline)
{
    const struct dj_interrupt_request interrupt = {.latest_ns = tell_latest};
    const struct dj_deadline deadline =
        dj_deadline_in(100 * DJ_MILLISECOND_NS, &interrupt);
    alarms = 1;
    latest_ns = dj_host_now_ns() + 60 * DJ_SECOND_NS;
    cr_assert_lt(measure_wait(&deadline, DJ_E_TIMEOUT), 10 * DJ_SECOND_NS);
}

Test(deadline, an_interrupt_in_the_past_ends_a_deadline_at_once)
{
    const struct dj_interrupt_request interrupt = {.latest_ns = tell_latest};
    const struct dj_deadline deadline = dj_deadline_in(60 * DJ_SECOND_NS, &interrupt);
    struct dj_error err = {0};
    cr_assert_eq(dj_deadline_check(&deadline, &err), 0);
    alarms = 1;
    cr_assert_eq(dj_deadline_check(&deadline, &err), DJ_E_INTERRUPTED);
    cr_assert_lt(measure_wait(&deadline, DJ_E_INTERRUPTED), DJ_SECOND_NS);
}

Test(deadline, ready_descriptors_are_reported)
{
    int fds[2];
    const struct dj_deadline deadline = dj_deadline_in(60 * DJ_SECOND_NS, NULL);
    cr_assert_eq(pipe(fds), 0);
    cr_assert_eq(write(fds[1], "x", 1), 1);
    struct pollfd wait = {.fd = fds[0], .events = POLLIN};
    cr_assert_eq(dj_deadline_poll(&deadline, &wait, 1, NULL), 0);
    cr_assert((wait.revents & POLLIN) != 0);
    close(fds[0]);
    close(fds[1]);
}
