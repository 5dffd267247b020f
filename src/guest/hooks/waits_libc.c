/* Hooks of the C library's functions that wait. They report to the recorder where a
 * frame may start, and for how long a swap waits. */
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
#include "hooks/export.h"
#include "recorder/recorder.h"
#include "recorder/thread.h"

static int is_zero(const struct timespec *timeout)
{
    return timeout != NULL && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
}

/* Returns true if a poll waited until one descriptor has room to write. libxcb waits like
 * this for the X server while it sends a request, which is part of the frame. */
static bool waited_for_room(const struct pollfd *fds, nfds_t count, int result)
{
    return result >= 0 && count == 1 && (fds->events & POLLOUT) != 0;
}

/* Reports the end of a poll with the descriptor that ended it, or with −1 if no
 * descriptor or several descriptors did. */
static void report_poll(const struct pollfd *fds, nfds_t count, int result,
                        int64_t begin_ns, uintptr_t stack)
{
    int ready = -1;
    for (nfds_t i = 0; result == 1 && ready < 0 && i < count; i++) {
        ready = fds[i].revents != 0 ? fds[i].fd : -1;
    }
    bool is_sending = waited_for_room(fds, count, result);
    dj_recorder_thread.reply_depth += is_sending;
    dj_recorder_end_fd_poll(ready, count == 1, begin_ns, stack);
    dj_recorder_thread.reply_depth -= is_sending;
}

/* Reports the end of a select with the descriptor that ended it. select() leaves only the
 * ready descriptors in its sets, so it is unknown whether the app waited for others. The
 * kernel limits `count` to the number of possible descriptors, and the caller's set may
 * be no larger than FD_SETSIZE. */
static void report_select(int count, const fd_set *readable, int result, int64_t begin_ns,
                          uintptr_t stack)
{
    int ready = -1, most = count < FD_SETSIZE ? count : FD_SETSIZE;
    for (int fd = 0; result == 1 && readable != NULL && ready < 0 && fd < most; fd++) {
        ready = FD_ISSET(fd, readable) ? fd : -1;
    }
    dj_recorder_end_fd_poll(ready, false, begin_ns, stack);
}

/* Returns the result of a call that waits for events. `report` reports the wait to the
 * recorder and may use `result` and `begin_ns`. A call with a timeout of 0 cannot
 * wait, so it is not reported. */
#define RETURN_POLL(may_wait, call, report)                                              \
    if (!(may_wait)) {                                                                   \
        return call;                                                                     \
    }                                                                                    \
    int64_t begin_ns = dj_recorder_begin_poll();                                         \
    __typeof__(call) result = call;                                                      \
    report;                                                                              \
    return result

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    RETURN_POLL(timeout_ms != 0, REAL(poll)(fds, count, timeout_ms),
                report_poll(fds, count, result, begin_ns, STACK));
}

/* Programs built with _FORTIFY_SOURCE call this function instead of poll(). */
EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t size)
{
    RETURN_POLL(timeout_ms != 0, REAL(__poll_chk)(fds, count, timeout_ms, size),
                report_poll(fds, count, result, begin_ns, STACK));
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                 const sigset_t *mask)
{
    RETURN_POLL(!is_zero(timeout), REAL(ppoll)(fds, count, timeout, mask),
                report_poll(fds, count, result, begin_ns, STACK));
}

EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask, size_t size)
{
    RETURN_POLL(!is_zero(timeout), REAL(__ppoll_chk)(fds, count, timeout, mask, size),
                report_poll(fds, count, result, begin_ns, STACK));
}

EXPORT int select(int count, fd_set *readable, fd_set *writable, fd_set *except,
                  struct timeval *timeout)
{
    bool is_zero = timeout != NULL && timeout->tv_sec == 0 && timeout->tv_usec == 0;
    RETURN_POLL(!is_zero, REAL(select)(count, readable, writable, except, timeout),
                report_select(count, readable, result, begin_ns, STACK));
}

EXPORT int pselect(int count, fd_set *readable, fd_set *writable, fd_set *except,
                   const struct timespec *timeout, const sigset_t *mask)
{
    RETURN_POLL(!is_zero(timeout),
                REAL(pselect)(count, readable, writable, except, timeout, mask),
                report_select(count, readable, result, begin_ns, STACK));
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout_ms)
{
    RETURN_POLL(timeout_ms != 0, REAL(epoll_wait)(epoll, events, count, timeout_ms),
                dj_recorder_end_poll(begin_ns, STACK));
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout_ms,
                       const sigset_t *mask)
{
    RETURN_POLL(timeout_ms != 0,
                REAL(epoll_pwait)(epoll, events, count, timeout_ms, mask),
                dj_recorder_end_poll(begin_ns, STACK));
}

EXPORT int epoll_pwait2(int epoll, struct epoll_event *events, int count,
                        const struct timespec *timeout, const sigset_t *mask)
{
    RETURN_POLL(!is_zero(timeout),
                REAL(epoll_pwait2)(epoll, events, count, timeout, mask),
                dj_recorder_end_poll(begin_ns, STACK));
}

EXPORT int nanosleep(const struct timespec *duration, struct timespec *rest)
{
    RETURN_POLL(true, REAL(nanosleep)(duration, rest),
                dj_recorder_end_poll(begin_ns, STACK));
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *rest)
{
    RETURN_POLL(true, REAL(clock_nanosleep)(clock, flags, time, rest),
                dj_recorder_end_poll(begin_ns, STACK));
}

EXPORT int usleep(useconds_t duration_us)
{
    RETURN_POLL(true, REAL(usleep)(duration_us), dj_recorder_end_poll(begin_ns, STACK));
}

EXPORT unsigned sleep(unsigned duration_s)
{
    RETURN_POLL(true, REAL(sleep)(duration_s), dj_recorder_end_poll(begin_ns, STACK));
}

/* Returns the result of a call that waits until another thread wakes it through
 * `object`. A result other than 0 is a time-out or an interruption. */
#define RETURN_WAIT(object, call)                                                        \
    int64_t begin_ns = dj_recorder_begin_wait(object);                                   \
    int result = call;                                                                   \
    dj_recorder_end_wait(object, result == 0, begin_ns, STACK);                          \
    return result

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    RETURN_WAIT(condition, REAL(pthread_cond_wait)(condition, mutex));
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *until)
{
    RETURN_WAIT(condition, REAL(pthread_cond_timedwait)(condition, mutex, until));
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  clockid_t clock, const struct timespec *until)
{
    RETURN_WAIT(condition, REAL(pthread_cond_clockwait)(condition, mutex, clock, until));
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
    dj_recorder_note_wake_up(condition);
    return REAL(pthread_cond_signal)(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
    dj_recorder_note_wake_up(condition);
    return REAL(pthread_cond_broadcast)(condition);
}

EXPORT int sem_wait(sem_t *semaphore)
{
    RETURN_WAIT(semaphore, REAL(sem_wait)(semaphore));
}

EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    RETURN_WAIT(semaphore, REAL(sem_timedwait)(semaphore, until));
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    RETURN_WAIT(semaphore, REAL(sem_clockwait)(semaphore, clock, until));
}

EXPORT int sem_post(sem_t *semaphore)
{
    dj_recorder_note_wake_up(semaphore);
    return REAL(sem_post)(semaphore);
}

/* The last thread that arrives at the barrier wakes the others. It is unknown which
 * thread will be the last one, so each thread is reported as the waking thread when it
 * arrives. The report of the next thread replaces it. */
EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    dj_recorder_note_wake_up(barrier);
    int64_t begin_ns = dj_recorder_begin_wait(barrier);
    int result = REAL(pthread_barrier_wait)(barrier);
    dj_recorder_end_wait(barrier, true, begin_ns, STACK);
    return result;
}

EXPORT ssize_t read(int fd, void *buffer, size_t size)
{
    int64_t begin_ns = dj_recorder_clock_ns();
    ssize_t result = REAL(read)(fd, buffer, size);
    dj_recorder_note_read(fd, begin_ns, STACK);
    return result;
}

EXPORT ssize_t write(int fd, const void *buffer, size_t size)
{
    dj_recorder_note_write(fd, size);
    return REAL(write)(fd, buffer, size);
}

EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags)
{
    dj_recorder_note_write(fd, size);
    return REAL(send)(fd, buffer, size, flags);
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
    dj_recorder_note_write(fd, sizeof(value));
    return REAL(eventfd_write)(fd, value);
}

/* Returns true if the system call creates a child that does not share this process's
 * memory. */
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
    pid_t child = REAL(_Fork)();
    if (child == 0) {
        dj_recorder_note_fork();
    }
    return child;
}

/* GLib and Mesa wait and wake with the bare futex system call. All arguments of a system
 * call are words, so the hook passes on six words, whatever their types are. */
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
            dj_recorder_note_fork();
        }
        return result;
    }
    long command = b & FUTEX_CMD_MASK;
    if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) {
        dj_recorder_note_wake_up((const void *)a);
    }
    if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) {
        return real(number, a, b, c, d, e, f);
    }
    int64_t begin_ns = dj_recorder_begin_wait((const void *)a);
    long result = real(number, a, b, c, d, e, f);
    dj_recorder_end_wait((const void *)a, result == 0, begin_ns, STACK);
    return result;
}
