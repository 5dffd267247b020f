#include "device/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/descendants.h"
#include "device/kept.h"

/* Its own numbers for what it was handed: everything above is closed, so that no lock or
 * socket of ours lives on in it. */
enum { CONTROL = 3, REPORT, OUTPUT, WORDS, EXEC, SIGNALS, FIRST_FOREIGN };

struct keeping {
    pid_t program;
    bool ended; /* the program; not what it started */
    bool words_ended;
    size_t kept; /* bytes of its words */
};

static void tell(int event, int value)
{
    const struct dj_keeper_report report = {event, value};
    ssize_t written = write(REPORT, &report, sizeof(report));
    (void)written; /* nobody listens: our end comes through CONTROL */
}

/* All file descriptors at once, whatever numbers they had. */
static bool take_places(const struct dj_keeper *keeper, const int words[2],
                        const int exec[2], int signals)
{
    const int from[] = {keeper->control, keeper->report, keeper->output,
                        words[0],        exec[0],        signals};
    int above[6];
    for (int i = 0; i < 6; i++) {
        above[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 64);
        if (above[i] < 0) {
            return false;
        }
    }
    for (int i = 0; i < 6; i++) {
        if (dup3(above[i], CONTROL + i, O_CLOEXEC) < 0) {
            return false;
        }
    }
    return syscall(SYS_close_range, FIRST_FOREIGN, ~0U, 0) == 0;
}

static _Noreturn void become(const struct dj_keeper *keeper, int words, int report)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    int reason = 0;
    int nothing = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int number = 1; number < NSIG; number++) {
        sigaction(number, &usual, NULL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (nothing >= 0 && dup2(nothing, 0) == 0 && dup2(words, 1) == 1 &&
        dup2(words, 2) == 2) {
        execv(keeper->path, keeper->argv);
    }
    reason = errno;
    ssize_t written = write(report, &reason, sizeof(reason));
    _exit(written == (ssize_t)sizeof(reason) ? 126 : 127);
}

static void signal_children(const struct keeping *keeping, int number)
{
    if (dj_descendants_signal(number) == 0 && !keeping->ended) {
        kill(keeping->program, number);
    }
}

/* False: nobody is left. */
static bool reap(struct keeping *keeping)
{
    bool before = keeping->ended;
    int status = 0;
    bool more = dj_descendants_reap(keeping->program, &keeping->ended, &status);
    if (keeping->ended && !before) {
        tell(DJ_KEEPER_ENDED, status);
    }
    return more;
}

static void take_words(struct keeping *keeping)
{
    char bytes[4096];
    ssize_t length = read(WORDS, bytes, sizeof(bytes));
    if (length <= 0) {
        keeping->words_ended = length == 0 || errno != EINTR;
        return;
    }
    if (keeping->kept < DJ_KEPT_OUTPUT_MAX) {
        size_t room = DJ_KEPT_OUTPUT_MAX - keeping->kept;
        ssize_t written =
            write(OUTPUT, bytes, (size_t)length < room ? (size_t)length : room);
        keeping->kept += written > 0 ? (size_t)written : 0;
    }
}

static void drain_signals(void)
{
    struct signalfd_siginfo info;
    while (read(SIGNALS, &info, sizeof(info)) > 0) {
    }
}

/* Descendants may start others while they are being ended: until none is left. */
static _Noreturn void end_all(struct keeping *keeping)
{
    while (reap(keeping)) {
        const struct pollfd signals = {.fd = SIGNALS, .events = POLLIN};
        struct pollfd fds[1] = {signals};
        signal_children(keeping, SIGKILL);
        poll(fds, 1, 20);
        drain_signals();
    }
    tell(DJ_KEEPER_ALONE, 0);
    _exit(0);
}

/* Returns when nobody is left. */
static void keep(struct keeping *keeping)
{
    while (true) {
        struct pollfd fds[] = {
            {.fd = CONTROL, .events = POLLIN},
            {.fd = SIGNALS, .events = POLLIN},
            {.fd = keeping->words_ended ? -1 : WORDS, .events = POLLIN}};
        if (poll(fds, 3, -1) < 0 && errno != EINTR) {
            end_all(keeping);
        }
        if (fds[2].revents != 0) {
            take_words(keeping);
        }
        if (fds[1].revents != 0) {
            drain_signals();
            if (!reap(keeping)) {
                return;
            }
        }
        if (fds[0].revents != 0) {
            char order;
            if (read(CONTROL, &order, 1) != 1) {
                end_all(keeping);
            }
            if (keeping->ended) {
                signal_children(keeping, SIGTERM);
            } else {
                kill(keeping->program, SIGTERM);
            }
        }
    }
}

/* What it said last is still on its way when it has ended. */
static void take_last_words(struct keeping *keeping)
{
    fcntl(WORDS, F_SETFL, O_NONBLOCK);
    while (!keeping->words_ended) {
        take_words(keeping);
    }
}

static void leave_us_alone(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP};
    for (size_t i = 0; i < COUNT_OF(ours); i++) {
        sigaction(ours[i], &ignore, NULL);
    }
    sigaction(SIGCHLD, &usual, NULL);
}

_Noreturn void dj_keeper_run(const struct dj_keeper *keeper)
{
    struct keeping keeping = {0};
    int words[2], exec[2], reason = 0;
    sigset_t children;
    setsid();
    dj_descendants_adopt();
    leave_us_alone();
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_SETMASK, &children, NULL);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0 || pipe2(words, O_CLOEXEC) != 0 || pipe2(exec, O_CLOEXEC) != 0) {
        _exit(1);
    }
    keeping.program = fork();
    if (keeping.program == 0) {
        become(keeper, words[1], exec[1]);
    }
    if (keeping.program < 0 || !take_places(keeper, words, exec, signals)) {
        _exit(1); /* the program goes with us: PR_SET_PDEATHSIG */
    }
    if (read(EXEC, &reason, sizeof(reason)) == (ssize_t)sizeof(reason)) {
        tell(DJ_KEEPER_FAILED, reason);
    }
    keep(&keeping);
    take_last_words(&keeping);
    tell(DJ_KEEPER_ALONE, 0);
    _exit(0);
}
