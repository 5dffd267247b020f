/* A running program of this machine. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/guard.h"
#include "device/process.h"

struct local_process {
    struct dj_device_process base;
    struct dj_guard guard;
    bool has_status;
};

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

/* Takes what is there; closes *fd at its end. True where anything came. */
static bool take(int *fd, struct dj_text *text)
{
    char buffer[65536];
    ssize_t got = *fd >= 0 ? read(*fd, buffer, sizeof(buffer)) : -1;
    if (got > 0) {
        dj_text_append(text, buffer, (size_t)got);
        return true;
    }
    if (*fd >= 0 && (got == 0 || (errno != EINTR && errno != EAGAIN))) {
        close_fd(fd);
    }
    return false;
}

static int too_much(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_LIMIT, "the command wrote more than is taken at once");
}

static void take_status(struct local_process *local)
{
    int status = SIGKILL; /* the guard itself was killed, and the program with it */
    ssize_t got = read(local->guard.status, &status, sizeof(status));
    if (got >= 0) {
        local->base.exit_code =
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        local->has_status = true;
        close_fd(&local->guard.status);
    }
}

/* Once its status is known, all that the program wrote is in the pipes; what it left
 * running may hold them open and is not waited for. */
static int local_read(struct dj_device_process *process, int64_t timeout_ns,
                      struct dj_text *out, struct dj_text *err_text, struct dj_error *err)
{
    struct local_process *local = (struct local_process *)process;
    struct dj_guard *guard = &local->guard;
    bool came = false;
    int64_t end_ns = dj_host_now_ns() + timeout_ns;
    while (!came && !process->ended) {
        struct pollfd wait[3] = {{.fd = guard->out, .events = POLLIN},
                                 {.fd = guard->err, .events = POLLIN},
                                 {.fd = guard->status, .events = POLLIN}};
        int64_t left_ns = local->has_status ? 0 : end_ns - dj_host_now_ns();
        int ready = dj_process_wait(process->device, wait, 3, left_ns, err);
        if (ready < 0) {
            return ready;
        }
        if (ready == 0 && !local->has_status) {
            return 0;
        }
        came = take(&guard->out, out);
        came = take(&guard->err, err_text) || came;
        if (out->failed || err_text->failed) {
            return too_much(err);
        }
        process->ended = local->has_status && !came;
        if (wait[2].revents != 0) {
            take_status(local);
        }
    }
    return 0;
}

/* write() without the signal for a reader that is gone. */
static ssize_t write_quietly(int fd, const void *bytes, size_t size)
{
    static const struct timespec at_once = {0};
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t written = write(fd, bytes, size);
    int failure = errno;
    if (written < 0 && failure == EPIPE && !sigismember(&pending, SIGPIPE)) {
        while (sigtimedwait(&pipe_signal, NULL, &at_once) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failure;
    return written;
}

static int local_write(struct dj_device_process *process, const void *bytes, size_t size,
                       struct dj_error *err)
{
    struct local_process *local = (struct local_process *)process;
    const char *at = bytes;
    const struct dj_deadline deadline =
        dj_deadline_in(DJ_PROCESS_WRITE_NS, &process->device->interrupt);
    if (local->guard.in < 0) {
        return dj_error_set(err, DJ_E_USAGE, "its input was ended before");
    }
    while (size > 0) {
        ssize_t written = write_quietly(local->guard.in, at, size);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd wait = {.fd = local->guard.in, .events = POLLOUT};
            int code = dj_deadline_poll(&deadline, &wait, 1, err);
            if (code != 0) {
                return code;
            }
        } else if (errno != EINTR) {
            return dj_error_set(err, DJ_E_GONE, "the command reads no more: %s",
                                strerror(errno));
        }
    }
    return 0;
}

static int local_end_input(struct dj_device_process *process, struct dj_error *err)
{
    (void)err;
    close_fd(&((struct local_process *)process)->guard.in);
    return 0;
}

static void local_close(struct dj_device_process *process)
{
    dj_guard_finish(&((struct local_process *)process)->guard);
    free(process);
}

static const struct dj_device_process_ops local_ops = {
    .read = local_read,
    .write = local_write,
    .end_input = local_end_input,
    .close = local_close,
};

int dj_local_start(struct dj_device *device, const char *const *argv,
                   struct dj_device_process **process, struct dj_error *err)
{
    struct local_process *local = calloc(1, sizeof(*local));
    if (local == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    local->base.ops = &local_ops;
    local->base.device = device;
    int code = dj_guard_start(argv, &local->guard, err);
    if (code != 0) {
        free(local);
        return code;
    }
    *process = &local->base;
    return 0;
}
