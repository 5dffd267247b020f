/* Hooks of the C library's calls that wait: where a frame starts, and what swap waits
 * for. */
#include <errno.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "hooks/confine.h"
#include "hooks/hooks.h"
#include "recorder/recorder.h"

#define EXPORT __attribute__((visibility("default")))
#define STACK ((uintptr_t)__builtin_frame_address(0))
#define CALLER __builtin_return_address(0)

static int is_zero(const struct timespec *timeout)
{
    return timeout != NULL && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
}

/* Tells the recorder which descriptor ended a poll, if it was one. */
static void polled(const struct pollfd *fds, nfds_t count, int result, int64_t begin_ns,
                   uintptr_t stack)
{
    int ready = -1;
    for (nfds_t i = 0; result == 1 && ready < 0 && i < count; i++) {
        ready = fds[i].revents != 0 ? fds[i].fd : -1;
    }
    dj_recorder_polled_fd(ready, count == 1, begin_ns, stack);
}

/* select leaves only the ready ones in its sets; whether there were others it does not
 * say. The kernel takes a count beyond all descriptors (getdtablesize()) for a smaller
 * one: the set may be no larger than usual. */
static void selected(int count, const fd_set *readable, int result, int64_t begin_ns,
                     uintptr_t stack)
{
    int ready = -1, most = count < FD_SETSIZE ? count : FD_SETSIZE;
    for (int fd = 0; result == 1 && readable != NULL && ready < 0 && fd < most; fd++) {
        ready = FD_ISSET(fd, readable) ? fd : -1;
    }
    dj_recorder_polled_fd(ready, false, begin_ns, stack);
}

/* Calls with a timeout of 0 cannot wait: they are passed on untimed. */

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    __typeof__(poll) *real = dj_real(DJ_HOOK_poll, CALLER);
    if (timeout_ms == 0) {
        return real(fds, count, timeout_ms);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(fds, count, timeout_ms);
    polled(fds, count, result, begin_ns, STACK);
    return result;
}

/* What poll is called as from programs built with _FORTIFY_SOURCE. */
EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t size);
EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t size)
{
    __typeof__(__poll_chk) *real = dj_real(DJ_HOOK___poll_chk, CALLER);
    if (timeout_ms == 0) {
        return real(fds, count, timeout_ms, size);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(fds, count, timeout_ms, size);
    polled(fds, count, result, begin_ns, STACK);
    return result;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                 const sigset_t *mask)
{
    __typeof__(ppoll) *real = dj_real(DJ_HOOK_ppoll, CALLER);
    if (is_zero(timeout)) {
        return real(fds, count, timeout, mask);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(fds, count, timeout, mask);
    polled(fds, count, result, begin_ns, STACK);
    return result;
}

EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask, size_t size);
EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask, size_t size)
{
    __typeof__(__ppoll_chk) *real = dj_real(DJ_HOOK___ppoll_chk, CALLER);
    if (is_zero(timeout)) {
        return real(fds, count, timeout, mask, size);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(fds, count, timeout, mask, size);
    polled(fds, count, result, begin_ns, STACK);
    return result;
}

EXPORT int select(int count, fd_set *readable, fd_set *writable, fd_set *except,
                  struct timeval *timeout)
{
    __typeof__(select) *real = dj_real(DJ_HOOK_select, CALLER);
    if (timeout != NULL && timeout->tv_sec == 0 && timeout->tv_usec == 0) {
        return real(count, readable, writable, except, timeout);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(count, readable, writable, except, timeout);
    selected(count, readable, result, begin_ns, STACK);
    return result;
}

EXPORT int pselect(int count, fd_set *readable, fd_set *writable, fd_set *except,
                   const struct timespec *timeout, const sigset_t *mask)
{
    __typeof__(pselect) *real = dj_real(DJ_HOOK_pselect, CALLER);
    if (is_zero(timeout)) {
        return real(count, readable, writable, except, timeout, mask);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(count, readable, writable, except, timeout, mask);
    selected(count, readable, result, begin_ns, STACK);
    return result;
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout_ms)
{
    __typeof__(epoll_wait) *real = dj_real(DJ_HOOK_epoll_wait, CALLER);
    if (timeout_ms == 0) {
        return real(epoll, events, count, timeout_ms);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(epoll, events, count, timeout_ms);
    dj_recorder_polled(begin_ns, STACK);
    return result;
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout_ms,
                       const sigset_t *mask)
{
    __typeof__(epoll_pwait) *real = dj_real(DJ_HOOK_epoll_pwait, CALLER);
    if (timeout_ms == 0) {
        return real(epoll, events, count, timeout_ms, mask);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(epoll, events, count, timeout_ms, mask);
    dj_recorder_polled(begin_ns, STACK);
    return result;
}

EXPORT int epoll_pwait2(int epoll, struct epoll_event *events, int count,
                        const struct timespec *timeout, const sigset_t *mask)
{
    __typeof__(epoll_pwait2) *real = dj_real(DJ_HOOK_epoll_pwait2, CALLER);
    if (is_zero(timeout)) {
        return real(epoll, events, count, timeout, mask);
    }
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(epoll, events, count, timeout, mask);
    dj_recorder_polled(begin_ns, STACK);
    return result;
}

EXPORT int nanosleep(const struct timespec *duration, struct timespec *rest)
{
    __typeof__(nanosleep) *real = dj_real(DJ_HOOK_nanosleep, CALLER);
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(duration, rest);
    dj_recorder_polled(begin_ns, STACK);
    return result;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *rest)
{
    __typeof__(clock_nanosleep) *real = dj_real(DJ_HOOK_clock_nanosleep, CALLER);
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(clock, flags, time, rest);
    dj_recorder_polled(begin_ns, STACK);
    return result;
}

EXPORT int usleep(useconds_t duration_us)
{
    __typeof__(usleep) *real = dj_real(DJ_HOOK_usleep, CALLER);
    int64_t begin_ns = dj_recorder_begin_poll();
    int result = real(duration_us);
    dj_recorder_polled(begin_ns, STACK);
    return result;
}

EXPORT unsigned sleep(unsigned duration_s)
{
    __typeof__(sleep) *real = dj_real(DJ_HOOK_sleep, CALLER);
    int64_t begin_ns = dj_recorder_begin_poll();
    unsigned rest = real(duration_s);
    dj_recorder_polled(begin_ns, STACK);
    return rest;
}

/* Waits that another thread ends. A result other than 0 is a time-out or an interruption:
 * nobody woke us. */

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    __typeof__(pthread_cond_wait) *real = dj_real(DJ_HOOK_pthread_cond_wait, CALLER);
    int64_t begin_ns = dj_recorder_begin_wait(condition);
    int result = real(condition, mutex);
    dj_recorder_end_wait(condition, result == 0, begin_ns, STACK);
    return result;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *until)
{
    __typeof__(pthread_cond_timedwait) *real =
        dj_real(DJ_HOOK_pthread_cond_timedwait, CALLER);
    int64_t begin_ns = dj_recorder_begin_wait(condition);
    int result = real(condition, mutex, until);
    dj_recorder_end_wait(condition, result == 0, begin_ns, STACK);
    return result;
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  clockid_t clock, const struct timespec *until)
{
    __typeof__(pthread_cond_clockwait) *real =
        dj_real(DJ_HOOK_pthread_cond_clockwait, CALLER);
    int64_t begin_ns = dj_recorder_begin_wait(condition);
    int result = real(condition, mutex, clock, until);
    dj_recorder_end_wait(condition, result == 0, begin_ns, STACK);
    return result;
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
    __typeof__(pthread_cond_signal) *real = dj_real(DJ_HOOK_pthread_cond_signal, CALLER);
    dj_recorder_waking(condition);
    return real(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
    __typeof__(pthread_cond_broadcast) *real =
        dj_real(DJ_HOOK_pthread_cond_broadcast, CALLER);
    dj_recorder_waking(condition);
    return real(condition);
}

EXPORT int sem_wait(sem_t *semaphore)
{
    __typeof__(sem_wait) *real = dj_real(DJ_HOOK_sem_wait, CALLER);
    int64_t begin_ns = dj_recorder_begin_wait(semaphore);
    int result = real(semaphore);
    dj_recorder_end_wait(semaphore, result == 0, begin_ns, STACK);
    return result;
}

EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    __typeof__(sem_timedwait) *real = dj_real(DJ_HOOK_sem_timedwait, CALLER);
    int64_t begin_ns = dj_recorder_begin_wait(semaphore);
    int result = real(semaphore, until);
    dj_recorder_end_wait(semaphore, result == 0, begin_ns, STACK);
    return result;
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    __typeof__(sem_clockwait) *real = dj_real(DJ_HOOK_sem_clockwait, CALLER);
    int64_t begin_ns = dj_recorder_begin_wait(semaphore);
    int result = real(semaphore, clock, until);
    dj_recorder_end_wait(semaphore, result == 0, begin_ns, STACK);
    return result;
}

EXPORT int sem_post(sem_t *semaphore)
{
    __typeof__(sem_post) *real = dj_real(DJ_HOOK_sem_post, CALLER);
    dj_recorder_waking(semaphore);
    return real(semaphore);
}

/* Whoever comes last wakes the others; each is noted as the last until the next one
 * comes. */
EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    __typeof__(pthread_barrier_wait) *real =
        dj_real(DJ_HOOK_pthread_barrier_wait, CALLER);
    dj_recorder_waking(barrier);
    int64_t begin_ns = dj_recorder_begin_wait(barrier);
    int result = real(barrier);
    dj_recorder_end_wait(barrier, true, begin_ns, STACK);
    return result;
}

EXPORT ssize_t read(int fd, void *buffer, size_t size)
{
    __typeof__(read) *real = dj_real(DJ_HOOK_read, CALLER);
    int64_t begin_ns = dj_clock_ns();
    ssize_t result = real(fd, buffer, size);
    dj_recorder_read(fd, begin_ns, STACK);
    return result;
}

EXPORT ssize_t write(int fd, const void *buffer, size_t size)
{
    __typeof__(write) *real = dj_real(DJ_HOOK_write, CALLER);
    dj_recorder_wrote(fd, size);
    return real(fd, buffer, size);
}

EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags)
{
    __typeof__(send) *real = dj_real(DJ_HOOK_send, CALLER);
    dj_recorder_wrote(fd, size);
    return real(fd, buffer, size, flags);
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
    __typeof__(eventfd_write) *real = dj_real(DJ_HOOK_eventfd_write, CALLER);
    dj_recorder_wrote(fd, sizeof(value));
    return real(fd, value);
}

/* True for calls that return 0 in a child with memory of its own. */
static bool is_fork(long number, long argument)
{
#ifdef SYS_fork
    if (number == SYS_fork) {
        return true;
    }
#endif
    uint64_t flags = number == SYS_clone    ? (uint64_t)argument
                     : number == SYS_clone3 ? ((const struct clone_args *)argument)->flags
                                            : CLONE_VM;
    return (flags & CLONE_VM) == 0;
}

EXPORT pid_t _Fork(void)
{
    __typeof__(_Fork) *real = dj_real(DJ_HOOK__Fork, CALLER);
    pid_t child = real();
    if (child == 0) {
        dj_recorder_forked();
    }
    return child;
}

/* GLib and Mesa wait and wake through the bare futex call. All its arguments are words.
 */
EXPORT long syscall(long number, ...)
{
    long (*real)(long, ...) = dj_real(DJ_HOOK_syscall, CALLER);
    va_list arguments;
    va_start(arguments, number);
    long a = va_arg(arguments, long), b = va_arg(arguments, long),
         c = va_arg(arguments, long);
    long d = va_arg(arguments, long), e = va_arg(arguments, long),
         f = va_arg(arguments, long);
    va_end(arguments);
    if (number != SYS_futex) {
        struct dj_confining confining = dj_confine_begin(number, a, b, c);
        long result = real(number, a, b, c, d, e, f);
        dj_confine_end(&confining, result);
        if (result == 0 && is_fork(number, a)) {
            dj_recorder_forked();
        }
        return result;
    }
    long command = b & FUTEX_CMD_MASK;
    if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) {
        dj_recorder_waking((const void *)a);
    }
    if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) {
        return real(number, a, b, c, d, e, f);
    }
    int64_t begin_ns = dj_recorder_begin_wait((const void *)a);
    long result = real(number, a, b, c, d, e, f);
    dj_recorder_end_wait((const void *)a, result == 0, begin_ns, STACK);
    return result;
}
