#include "device/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* All that others send to steer a process. What stops it (SIGTSTP, SIGTTIN, SIGTTOU)
 * keeps its usual effect on both. */
static const int forwarded[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM, SIGUSR1,
                                SIGUSR2, SIGALRM, SIGWINCH, SIGCONT};

static void fill_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < COUNT_OF(forwarded); i++) {
        sigaddset(set, forwarded[i]);
    }
}

/* What the program inherits as if we were not there. */
struct inherited {
    sigset_t mask;
    struct sigaction child_ended; /* SIGCHLD's: it may have been ignored */
};

/* Text without "#!" is the shell's, as for execvp() and for shells themselves; a program
 * of another kind of machine is not. */
static bool is_text(const char *path)
{
    char magic[SELFMAG] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, magic, sizeof(magic)) : -1;
    close(fd);
    return length >= 0 && memcmp(magic, ELFMAG, SELFMAG) != 0;
}

/* In the child. A failed exec tells its reason through the pipe, which a successful one
 * closes. */
static _Noreturn void become(const struct dj_launch *launch,
                             const struct inherited *before, int report)
{
    sigaction(SIGCHLD, &before->child_ended, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
    if (launch->prepare != NULL) {
        launch->prepare(launch->user);
    }
    execv(launch->path, launch->argv);
    int reason = errno;
    if (reason == ENOEXEC && is_text(launch->path)) {
        execvp(launch->path, launch->argv);
    }
    ssize_t written = write(report, &reason, sizeof(reason));
    _exit(written == (ssize_t)sizeof(reason) ? 126 : 127);
}

static int start(const struct dj_launch *launch, const struct inherited *before,
                 pid_t *pid, struct dj_error *err)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot make a pipe: %s", strerror(errno));
    }
    *pid = fork();
    if (*pid == 0) {
        become(launch, before, report[1]);
    }
    close(report[1]);
    int reason = *pid < 0 ? errno : 0;
    if (*pid > 0 && read(report[0], &reason, sizeof(reason)) == (ssize_t)sizeof(reason)) {
        waitpid(*pid, NULL, 0);
    }
    close(report[0]);
    return reason == 0 ? 0
                       : dj_error_set(err, DJ_E_IO, "cannot start '%s': %s", launch->path,
                                      strerror(reason));
}

/* A terminal's signals come from the kernel and reach the whole foreground group;
 * kill()'s reach only us. */
static void pass_on(pid_t pid, const siginfo_t *signal)
{
    if (signal->si_code <= 0) {
        kill(pid, signal->si_signo);
    }
}

static int wait_for_end(pid_t pid, const sigset_t *signals)
{
    int status = 0;
    while (true) {
        siginfo_t signal;
        int number = sigwaitinfo(signals, &signal);
        if (number == SIGCHLD && waitpid(pid, &status, WNOHANG) == pid) {
            return status;
        }
        if (number > 0 && number != SIGCHLD) {
            pass_on(pid, &signal);
        }
    }
}

int dj_launch_run(const struct dj_launch *launch, pid_t *pid, int *status,
                  struct dj_error *err)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    struct inherited before;
    sigset_t signals;
    fill_signals(&signals);
    sigaction(SIGCHLD, &usual, &before.child_ended);
    sigprocmask(SIG_BLOCK, &signals, &before.mask);
    int result = start(launch, &before, pid, err);
    if (result == 0) {
        *status = wait_for_end(*pid, &signals);
    }
    sigprocmask(SIG_SETMASK, &before.mask, NULL);
    return result;
}

_Noreturn void dj_launch_end_like(int status)
{
    if (WIFSIGNALED(status)) {
        const struct rlimit no_core = {0, 0};
        int number = WTERMSIG(status);
        sigset_t set;
        setrlimit(RLIMIT_CORE, &no_core); /* the program's own dump, if any, is enough */
        signal(number, SIG_DFL);
        sigemptyset(&set);
        sigaddset(&set, number);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        raise(number);
    }
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
