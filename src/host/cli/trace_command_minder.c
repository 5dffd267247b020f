#include "cli/trace_command_minder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "device/descendants.h"

struct minding {
    const struct dj_minder *minder;
    pid_t program;
    bool ended; /* the program; not what it started */
    bool ordered, asked_rest;
    int64_t until_ns; /* of ordered: then all is ended */
};

/* In the program's process. Whenever we end, it does: `dejank record` hands the signal on
 * to the program. */
static _Noreturn void wait_and_run(const struct dj_minder *minder, pid_t parent,
                                   const sigset_t *mask)
{
    char word;
    sigprocmask(SIG_SETMASK, mask, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || read(minder->gate, &word, 1) != 1) {
        _exit(0);
    }
    execv(minder->path, minder->argv);
    _exit(127);
}

static void tell(const struct dj_minder *minder, int value)
{
    ssize_t ignored = write(minder->report, &value, sizeof(value));
    (void)ignored; /* nobody listens: that comes through control */
}

/* False: no child is left, or the program has ended by itself. */
static bool reap(struct minding *minding)
{
    bool before = minding->ended;
    int status = 0;
    bool more = dj_descendants_reap(minding->program, &minding->ended, &status);
    if (minding->ended && !before) {
        tell(minding->minder, status);
    }
    return more && (minding->ordered || !minding->ended);
}

static void take_order(struct minding *minding)
{
    minding->ordered = true;
    minding->until_ns = dj_host_now_ns() + DJ_MINDER_PATIENCE_NS;
    kill(minding->program, SIGTERM);
}

/* First the program, so that it can end its own; then what it left; then all at once,
 * until none is left: they may start others meanwhile. */
static void go_on_ending(struct minding *minding)
{
    if (dj_host_now_ns() >= minding->until_ns) {
        dj_descendants_signal(SIGKILL);
    } else if (minding->ended && !minding->asked_rest) {
        minding->asked_rest = true;
        dj_descendants_signal(SIGTERM);
    }
}

static void drain(int signals)
{
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof(info)) > 0) {
    }
}

static void mind(struct minding *minding, int signals)
{
    enum { LOOK_MS = 20 };
    while (reap(minding)) {
        struct pollfd fds[] = {
            {.fd = signals, .events = POLLIN},
            {.fd = minding->ordered ? -1 : minding->minder->control, .events = POLLIN}};
        if (poll(fds, 2, minding->ordered ? LOOK_MS : -1) < 0 && errno != EINTR) {
            return;
        }
        drain(signals);
        if (fds[1].revents != 0) {
            take_order(minding);
        }
        if (minding->ordered) {
            go_on_ending(minding);
        }
    }
}

/* A terminal's signals reach the program by themselves, and the capture, which gives the
 * order. */
static int leave_us_alone(sigset_t *before)
{
    static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP};
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t all, children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    all = children;
    for (size_t i = 0; i < COUNT_OF(ours); i++) {
        sigaddset(&all, ours[i]);
    }
    sigaction(SIGCHLD, &usual, NULL);
    sigprocmask(SIG_BLOCK, &all, before);
    return signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
}

_Noreturn void dj_minder_run(const struct dj_minder *minder)
{
    struct minding minding = {.minder = minder};
    sigset_t before;
    pid_t self = getpid();
    dj_descendants_adopt();
    int signals = leave_us_alone(&before);
    minding.program = signals >= 0 ? fork() : -1;
    if (minding.program == 0) {
        wait_and_run(minder, self, &before);
    }
    close(minder->gate);
    tell(minder, minding.program);
    if (minding.program > 0) {
        mind(&minding, signals);
    }
    _exit(0);
}
