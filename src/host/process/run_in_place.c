/* Runs programs in our place. */
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

/* Signals that control a process. Those that stop it (SIGTSTP, SIGTTIN, SIGTTOU) have
 * their usual effect on both. */
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
        /* Signals from a terminal come from the kernel and reach the whole foreground
         * group. Signals from kill() reach only us. */
        if (number > 0 && number != SIGCHLD && signal.si_code <= 0) {
            kill(pid, number);
        }
    }
}

/* Blocks the signals that we handle, so that no handler of ours runs in the child. */
static int start(struct dj_child *child, pid_t *pid, struct dj_error *err)
{
    int refusal[2];
    if (pipe2(refusal, O_CLOEXEC) != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot make a pipe: %s", strerror(errno));
    }
    child->refusal = refusal[1];
    *pid = fork();
    if (*pid == 0) {
        dj_child_run(child);
    }
    int code = *pid < 0 ? dj_child_set_error(child->options, errno, err) : 0;
    close(refusal[1]);
    if (code == 0) {
        code = dj_child_wait_for_exec(child->options, refusal[0], err);
        if (code != 0) {
            waitpid(*pid, NULL, 0);
        }
    }
    close(refusal[0]);
    return code;
}

int dj_process_run_in_place(const struct dj_process_options *options, int *status,
                            struct dj_error *err)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    struct sigaction child_ended; /* the program inherits an ignored SIGCHLD from us */
    sigset_t signals, mask;
    pid_t pid = 0;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (size_t i = 0; i < COUNT_OF(forwarded); i++) {
        sigaddset(&signals, forwarded[i]);
    }
    sigaction(SIGCHLD, &usual, &child_ended);
    sigprocmask(SIG_BLOCK, &signals, &mask);
    struct dj_child child = {.options = options,
                             .streams = {-1, -1, -1},
                             .mask = &mask,
                             .child_ended = &child_ended};
    int code = start(&child, &pid, err);
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
        setrlimit(RLIMIT_CORE, &no_core); /* the core dump of the program is enough */
        signal(number, SIG_DFL);
        sigemptyset(&set);
        sigaddset(&set, number);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        raise(number);
    }
    exit(dj_process_exit_code(status));
}
