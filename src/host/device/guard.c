#include "device/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_MS = 500 };

/* [0] is read, [1] written. */
struct pipes {
    int life[2], status[2], refusal[2], in[2], out[2], err[2];
};
enum { PIPE_ENDS = sizeof(struct pipes) / sizeof(int) };

static int *ends(struct pipes *pipes)
{
    return (int *)pipes;
}

static void close_all(struct pipes *pipes)
{
    for (size_t i = 0; i < PIPE_ENDS; i++) {
        if (ends(pipes)[i] >= 0) {
            close(ends(pipes)[i]);
        }
    }
}

static int open_all(struct pipes *pipes, struct dj_error *err)
{
    memset(pipes, 0xff, sizeof(*pipes));
    for (size_t i = 0; i < PIPE_ENDS; i += 2) {
        if (pipe2(ends(pipes) + i, O_CLOEXEC) != 0) {
            int code =
                dj_error_set(err, DJ_E_IO, "cannot make a pipe: %s", strerror(errno));
            close_all(pipes);
            return code;
        }
    }
    return 0;
}

/* From here to exec() or _exit() another thread's locks may be held for ever: only
 * system calls. */

static void on_child(int signal)
{
    (void)signal;
}

static _Noreturn void become_program(const char *const *argv, const struct pipes *pipes)
{
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(pipes->in[0], STDIN_FILENO);
    dup2(pipes->out[1], STDOUT_FILENO);
    dup2(pipes->err[1], STDERR_FILENO);
    char **words = (char **)(uintptr_t)argv; /* POSIX lacks the const */
    execvp(argv[0], words);
    int failure = errno;
    ssize_t written = write(pipes->refusal[1], &failure, sizeof(failure));
    _exit(written > 0 ? 127 : 126);
}

static int smallest_above(const int *keep, size_t count, int above)
{
    int smallest = -1;
    for (size_t i = 0; i < count; i++) {
        if (keep[i] > above && (smallest < 0 || keep[i] < smallest)) {
            smallest = keep[i];
        }
    }
    return smallest;
}

/* Whatever else was open here (files, locks, other programs' pipes) is not the guard's to
 * hold. */
static void close_but(const int *keep, size_t count)
{
    int from = 0;
    for (;;) {
        int next = smallest_above(keep, count, from - 1);
        if (next < 0) {
            close_range((unsigned)from, ~0U, 0);
            return;
        }
        if (next > from) {
            close_range((unsigned)from, (unsigned)next - 1, 0);
        }
        from = next + 1;
    }
}

static bool has_ended(pid_t program)
{
    siginfo_t info = {.si_pid = 0};
    int code = waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT);
    return code != 0 || info.si_pid == program;
}

static int status_of(pid_t program)
{
    siginfo_t info = {.si_pid = 0};
    waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8
                                      : info.si_status & 0x7f;
}

/* Waits for the program's end, or for ours. The program is not reaped: its number stays
 * its own, and with it that of its group. */
static bool wait_for_end(pid_t program, int life, int timeout_ms, const sigset_t *mask)
{
    const struct timespec span = {.tv_sec = timeout_ms / 1000,
                                  .tv_nsec = timeout_ms % 1000 * 1000000L};
    struct pollfd wait = {.fd = life, .events = POLLIN};
    while (!has_ended(program)) {
        int ready = ppoll(&wait, 1, timeout_ms >= 0 ? &span : NULL, mask);
        if (ready >= 0) {
            return has_ended(program);
        }
    }
    return true;
}

static _Noreturn void be_guard(const char *const *argv, const struct pipes *pipes)
{
    const struct sigaction action = {.sa_handler = on_child};
    sigset_t all, but_child;
    setpgid(0, 0);
    prctl(PR_SET_NAME, "dejank-guard");
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigfillset(&but_child);
    sigdelset(&but_child, SIGCHLD);
    sigaction(SIGCHLD, &action, NULL);
    pid_t program = fork();
    if (program == 0) {
        become_program(argv, pipes);
    }
    if (program < 0) {
        int failure = errno;
        _exit(write(pipes->refusal[1], &failure, sizeof(failure)) > 0 ? 1 : 2);
    }
    setpgid(program, program);
    const int keep[] = {pipes->life[0], pipes->status[1]};
    close_but(keep, 2);
    if (wait_for_end(program, pipes->life[0], -1, &but_child)) {
        int status = status_of(program);
        struct pollfd wait = {.fd = pipes->life[0], .events = POLLIN};
        if (write(pipes->status[1], &status, sizeof(status)) > 0) {
            while (ppoll(&wait, 1, NULL, &all) < 0) {
            }
        }
    }
    kill(-program, SIGTERM);
    kill(-program, SIGCONT);
    wait_for_end(program, -1, GRACE_MS, &but_child);
    kill(-program, SIGKILL);
    waitpid(program, NULL, 0);
    _exit(0);
}

static int read_refusal(int fd, const char *program, struct dj_error *err)
{
    int failure = 0;
    ssize_t got;
    while ((got = read(fd, &failure, sizeof(failure))) < 0 && errno == EINTR) {
    }
    if (got == 0) {
        return 0;
    }
    return failure == ENOENT ? dj_error_set(err, DJ_E_NOT_FOUND,
                                            "there is no program '%s' in PATH", program)
                             : dj_error_set(err, DJ_E_IO, "cannot start '%s': %s",
                                            program, strerror(failure));
}

static int take_end(int *end)
{
    int fd = *end;
    *end = -1;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static void close_end(int *end)
{
    close(*end);
    *end = -1;
}

int dj_guard_start(const char *const *argv, struct dj_guard *guard, struct dj_error *err)
{
    struct pipes pipes;
    sigset_t all, before;
    int code = open_all(&pipes, err);
    if (code != 0) {
        return code;
    }
    /* No handler of ours may run in the guard. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) {
        close(pipes.life[1]);
        be_guard(argv, &pipes);
    }
    int failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0) {
        close_all(&pipes);
        return dj_error_set(err, DJ_E_IO, "cannot start a process: %s",
                            strerror(failure));
    }
    close_end(&pipes.refusal[1]);
    code = read_refusal(pipes.refusal[0], argv[0], err);
    *guard = (struct dj_guard){.pid = pid,
                               .life = take_end(&pipes.life[1]),
                               .status = take_end(&pipes.status[0]),
                               .in = take_end(&pipes.in[1]),
                               .out = take_end(&pipes.out[0]),
                               .err = take_end(&pipes.err[0])};
    close_all(&pipes);
    if (code != 0) {
        dj_guard_finish(guard);
    }
    return code;
}

void dj_guard_finish(struct dj_guard *guard)
{
    int *const rest[] = {&guard->status, &guard->in, &guard->out, &guard->err};
    close_end(&guard->life);
    /* Its output stays open meanwhile: a last word must not end it with a SIGPIPE. */
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    for (size_t i = 0; i < COUNT_OF(rest); i++) {
        if (*rest[i] >= 0) {
            close_end(rest[i]);
        }
    }
}
