#include "process/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/deadline.h"
#include "process/descriptor.h"

enum { POLL_MS = 20, CHILDREN_MAX = 256 };

struct supervision {
    const struct dj_guardian *guardian;
    enum dj_process_scope scope;
    pid_t program;
    bool ended; /* True if the program has ended. Its descendants may still run. */
    bool output_ended;
    size_t stored_bytes;
    sigset_t all_except_child; /* All signals except SIGCHLD. */
};

static void send_report(const struct supervision *s, int value)
{
    ssize_t written = write(s->guardian->report, &value, sizeof(value));
    /* A failed write is ignored. If there is no reader, dejank has ended, and `control`
     * will report that. */
    (void)written;
}

/* Returns whether process ids in /proc are valid for this process. /proc may belong to
 * another pid namespace. */
static bool is_proc_ours(void)
{
    char text[16];
    long pid = 0;
    ssize_t length = readlink("/proc/self", text, sizeof(text));
    for (ssize_t i = 0; i < length; i++) {
        pid = pid * 10 + (text[i] - '0');
    }
    return pid == getpid();
}

/* Lists the children of this process. These include descendants whose parent has ended,
 * because this process is then their parent. */
static size_t list_children(pid_t children[CHILDREN_MAX])
{
    char text[4096];
    size_t count = 0;
    pid_t pid = 0;
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 && is_proc_ours() ? read(fd, text, sizeof(text)) : -1;
    dj_descriptor_close(&fd);
    for (ssize_t i = 0; i < length && count < CHILDREN_MAX; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            pid = pid * 10 + (text[i] - '0');
        } else if (pid > 0) {
            children[count++] = pid;
            pid = 0;
        }
    }
    return count;
}

/* Sends a signal to all children. If the kernel does not list them, sends it only to the
 * program. */
static void signal_children(const struct supervision *s, int number)
{
    pid_t children[CHILDREN_MAX];
    size_t count = list_children(children);
    for (size_t i = 0; i < count; i++) {
        kill(children[i], number);
    }
    if (count == 0 && !s->ended) {
        kill(s->program, number);
    }
}

static int convert_status(const siginfo_t *info)
{
    return info->si_code == CLD_EXITED ? (info->si_status & 0xff) << 8
                                       : info->si_status & 0x7f;
}

/* Reports the end of the program if it has ended. Returns whether anything is still
 * running: the program (DJ_SCOPE_GROUP), or any descendant (other scopes). The leader of
 * a group is not reaped here, because the group's id could otherwise be reused. */
static bool reap(struct supervision *s)
{
    bool group = s->scope == DJ_SCOPE_GROUP;
    while (!group || !s->ended) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(group ? P_PID : P_ALL, (id_t)s->program, &info,
                   WEXITED | WNOHANG | (group ? WNOWAIT : 0)) != 0) {
            return false;
        }
        if (info.si_pid == 0) {
            return true;
        }
        if (info.si_pid == s->program) {
            s->ended = true;
            send_report(s, convert_status(&info));
        }
    }
    return false;
}

static void store_output(struct supervision *s)
{
    char bytes[4096];
    ssize_t length = read(s->guardian->output, bytes, sizeof(bytes));
    if (length <= 0) {
        s->output_ended = length == 0 || errno != EINTR;
    } else if (s->stored_bytes < DJ_PROCESS_STORED_MAX) {
        size_t room = DJ_PROCESS_STORED_MAX - s->stored_bytes;
        ssize_t written = write(s->guardian->stored_output, bytes,
                                (size_t)length < room ? (size_t)length : room);
        s->stored_bytes += written > 0 ? (size_t)written : 0;
    }
}

/* Waits until a child ends, output arrives, or `control` has a request. Returns whether
 * there is a request. A timeout of −1 means no limit. */
static bool wait_for_event(struct supervision *s, int control, int timeout_ms)
{
    const struct timespec span = {.tv_nsec = timeout_ms * 1000000L};
    struct pollfd fds[] = {
        {.fd = control, .events = POLLIN},
        {.fd = s->output_ended ? -1 : s->guardian->output, .events = POLLIN}};
    if (ppoll(fds, 2, timeout_ms >= 0 ? &span : NULL, &s->all_except_child) < 0) {
        return errno != EINTR;
    }
    if (fds[1].revents != 0) {
        store_output(s);
    }
    return fds[0].revents != 0;
}

/* Requests the program to end. Also sends SIGCONT, because a stopped group receives
 * SIGTERM only after that. */
static void request_end(const struct supervision *s)
{
    if (s->scope == DJ_SCOPE_GROUP) {
        kill(-s->program, SIGTERM);
        kill(-s->program, SIGCONT);
    } else if (!s->ended) {
        kill(s->program, SIGTERM);
    }
}

/* Kills everything in the scope. Repeats this until nothing is left, because descendants
 * may start other processes before they are killed. */
static void kill_all(struct supervision *s)
{
    if (s->scope == DJ_SCOPE_GROUP) {
        kill(-s->program, SIGKILL);
        waitpid(s->program, NULL, 0);
        return;
    }
    while (reap(s)) {
        signal_children(s, SIGKILL);
        wait_for_event(s, -1, POLL_MS);
    }
}

/* Ends everything in the scope. First requests the program to end, so that it can end its
 * children. Then requests the other processes to end. After grace_ns, kills all that is
 * left. */
static void end_all(struct supervision *s, int64_t grace_ns)
{
    int64_t until_ns = dj_host_now_ns() + grace_ns;
    bool requested_others = s->scope == DJ_SCOPE_GROUP;
    if (grace_ns > 0) {
        request_end(s);
    }
    while (reap(s) && dj_host_now_ns() < until_ns) {
        if (s->ended && !requested_others) {
            requested_others = true;
            signal_children(s, SIGTERM);
        }
        wait_for_event(s, -1, POLL_MS);
    }
    kill_all(s);
}

static void supervise(struct supervision *s)
{
    const struct dj_guardian *guardian = s->guardian;
    int64_t grace_ns = guardian->child.options->grace_ns;
    do {
        bool left = reap(s);
        bool must_wait = s->scope == DJ_SCOPE_GROUP ||
                         (s->scope == DJ_SCOPE_FOREGROUND ? !s->ended : left);
        if (!must_wait) {
            return;
        }
    } while (!wait_for_event(s, guardian->control, -1));
    int64_t requested_ns;
    if (read(guardian->control, &requested_ns, sizeof(requested_ns)) ==
        (ssize_t)sizeof(requested_ns)) {
        grace_ns = requested_ns;
    }
    end_all(s, grace_ns);
}

/* Stores the output that is still in the pipe after all processes have ended. */
static void store_last_output(struct supervision *s)
{
    fcntl(s->guardian->output, F_SETFL, O_NONBLOCK);
    while (!s->output_ended) {
        store_output(s);
    }
}

static _Noreturn void become_program(const struct dj_guardian *guardian, pid_t parent)
{
    bool foreground = guardian->child.options->scope == DJ_SCOPE_FOREGROUND;
    char released = 0;
    if (guardian->release >= 0) {
        sigprocmask(SIG_SETMASK, guardian->child.mask, NULL);
    }
    prctl(PR_SET_PDEATHSIG, foreground ? SIGTERM : SIGKILL);
    if (getppid() != parent ||
        (guardian->release >= 0 && read(guardian->release, &released, 1) != 1)) {
        _exit(0);
    }
    dj_child_run(&guardian->child);
}

/* Closes the other descriptors, because files, locks and pipes of dejank must not stay
 * open in the guardian. */
static void close_all_except(const int *keep, size_t count)
{
    int largest = -1;
    for (size_t i = 0; i < count; i++) {
        largest = keep[i] > largest ? keep[i] : largest;
    }
    for (int fd = 0; fd < largest; fd++) {
        bool is_needed = false;
        for (size_t i = 0; i < count; i++) {
            is_needed = is_needed || keep[i] == fd;
        }
        if (!is_needed) {
            close(fd);
        }
    }
    syscall(SYS_close_range, (unsigned)largest + 1, ~0U, 0);
}

static void handle_child_signal(int number)
{
    (void)number;
}

static void prepare_guardian(struct supervision *s)
{
    const struct sigaction action = {.sa_handler = handle_child_signal};
    if (s->scope == DJ_SCOPE_GROUP) {
        setpgid(0, 0);
    } else {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    }
    if (s->scope == DJ_SCOPE_DESCENDANTS) {
        setsid();
    }
    sigfillset(&s->all_except_child);
    sigdelset(&s->all_except_child, SIGCHLD);
    sigaction(SIGCHLD, &action, NULL);
}

_Noreturn void dj_guardian_run(const struct dj_guardian *guardian)
{
    struct supervision s = {.guardian = guardian,
                            .scope = guardian->child.options->scope,
                            .output_ended = guardian->output < 0};
    const int keep[] = {guardian->control, guardian->report, guardian->output,
                        guardian->stored_output};
    pid_t self = getpid();
    prepare_guardian(&s);
    s.program = fork();
    if (s.program == 0) {
        become_program(guardian, self);
    }
    int failure = errno;
    send_report(&s, s.program > 0 ? s.program : -failure);
    if (s.program > 0) {
        close_all_except(keep, COUNT_OF(keep));
        supervise(&s);
        store_last_output(&s);
    }
    _exit(0);
}
