/* Runs a program as if it replaced this process. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/child.h"
#include "process/process.h"

/* Signals that are forwarded to the program. Signals that stop a process (SIGTSTP,
 * SIGTTIN, SIGTTOU) are missing, because they have their normal effect on both
 * processes. */
static const int forwarded[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM, SIGUSR1,
                                SIGUSR2, SIGALRM, SIGWINCH, SIGCONT};

static int wait_for_end(pid_t pid, const sigset_t *signals)
{
    int status = 0;
    while (true) {
        siginfo_t signal;
        int number = sigwaitinfo(signals, &signal);
        if (number == SIGCHLD && waitpid(pid, &status, WNOHANG) == pid) {
            return status;
        }
        /* si_code > 0 means that the signal comes from a terminal. Such a signal reaches
         * the whole foreground process group, and so also the program. A signal from
         * kill() reaches only this process. */
        if (number > 0 && number != SIGCHLD && signal.si_code <= 0) {
            kill(pid, number);
        }
    }
}

/* Starts the child. The caller has blocked the signals that this process handles, so that
 * none of our signal handlers runs in the child. */
static int start_child(struct dj_child *child, pid_t *pid, struct dj_error *err)
{
    int exec_error[2];
    if (pipe2(exec_error, O_CLOEXEC) != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot create a pipe: %s", strerror(errno));
    }
    child->exec_error = exec_error[1];
    *pid = fork();
    if (*pid == 0) {
        dj_child_run(child);
    }
    int code = *pid < 0 ? dj_child_set_error(child->options, errno, err) : 0;
    close(exec_error[1]);
    if (code == 0) {
        code = dj_child_wait_for_exec(child->options, exec_error[0], err);
        if (code != 0) {
            waitpid(*pid, NULL, 0);
        }
    }
    close(exec_error[0]);
    return code;
}

int dj_process_run_in_place(const struct dj_process_options *options, int *status,
                            struct dj_error *err)
{
    const struct sigaction default_action = {.sa_handler = SIG_DFL};
    /* The program must inherit our action for SIGCHLD, which may be to ignore it. */
    struct sigaction child_action;
    sigset_t signals, mask;
    pid_t pid = 0;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (size_t i = 0; i < COUNT_OF(forwarded); i++) {
        sigaddset(&signals, forwarded[i]);
    }
    sigaction(SIGCHLD, &default_action, &child_action);
    sigprocmask(SIG_BLOCK, &signals, &mask);
    struct dj_child child = {.options = options,
                             .streams = {-1, -1, -1},
                             .mask = &mask,
                             .child_action = &child_action};
    int code = start_child(&child, &pid, err);
    if (code == 0) {
        *status = wait_for_end(pid, &signals);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return code;
}

_Noreturn void dj_process_end_like(int status)
{
    if (WIFSIGNALED(status)) {
        const struct rlimit no_core = {0, 0};
        int number = WTERMSIG(status);
        sigset_t set;
        /* The program has already written its core dump. */
        setrlimit(RLIMIT_CORE, &no_core);
        signal(number, SIG_DFL);
        sigemptyset(&set);
        sigaddset(&set, number);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        raise(number);
    }
    exit(dj_process_exit_code(status));
}
