#include "process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/descriptor.h"
#include "process/guardian.h"

/* Maximum time to wait until killed processes have ended. */
#define KILL_NS (5 * DJ_SECOND_NS)

struct dj_process {
    pid_t guardian, pid;
    int64_t grace_ns;
    /* Our ends of the pipes. −1 if closed. */
    int control, report, release;
    int in, out, err;
    int stored_output; /* File with the output that DJ_STREAM_STORE stores. */
    bool is_over;      /* True if nothing in the scope is running any more. */
    bool has_ended;    /* True if the program has ended. `status` is then valid. */
    int status;
};

enum { CONTROL, REPORT, RELEASE, EXEC_ERROR, IN, OUT, ERR, OUTPUT, PIPES };

/* Index 0 of a pipe is its read end, 1 its write end. −1 if not open. */
struct channels {
    int pipe[PIPES][2];
    int null, stored_output;
};

static void close_channels(struct channels *channels)
{
    for (size_t i = 0; i < PIPES; i++) {
        dj_descriptor_close(&channels->pipe[i][0]);
        dj_descriptor_close(&channels->pipe[i][1]);
    }
    dj_descriptor_close(&channels->null);
    dj_descriptor_close(&channels->stored_output);
}

static int open_channels(const struct dj_process_options *options,
                         struct channels *channels, struct dj_error *err)
{
    bool keeps = options->out == DJ_STREAM_STORE || options->err == DJ_STREAM_STORE;
    const bool wanted[PIPES] = {[CONTROL] = true,
                                [REPORT] = true,
                                [RELEASE] = options->waits_for_release,
                                [EXEC_ERROR] = true,
                                [IN] = options->in == DJ_STREAM_PIPE,
                                [OUT] = options->out == DJ_STREAM_PIPE,
                                [ERR] = options->err == DJ_STREAM_PIPE,
                                [OUTPUT] = keeps};
    memset(channels, 0xff, sizeof(*channels));
    channels->null = open("/dev/null", O_RDWR | O_CLOEXEC);
    channels->stored_output = keeps ? memfd_create("dejank-output", MFD_CLOEXEC) : -1;
    bool failed = keeps && channels->stored_output < 0;
    for (size_t i = 0; i < PIPES && !failed; i++) {
        failed = wanted[i] && pipe2(channels->pipe[i], O_CLOEXEC) != 0;
    }
    if (!failed) {
        return 0;
    }
    int code = dj_error_set(err, DJ_E_IO, "cannot create a pipe: %s", strerror(errno));
    close_channels(channels);
    return code;
}

/* Returns the descriptor that becomes a standard stream of the program. `own` is the
 * program's end of the pipe for DJ_STREAM_PIPE. */
static int find_stream_end(const struct channels *channels, enum dj_process_stream stream,
                           int own)
{
    return stream == DJ_STREAM_NULL    ? channels->null
           : stream == DJ_STREAM_STORE ? channels->pipe[OUTPUT][1]
           : stream == DJ_STREAM_PIPE  ? own
                                       : -1;
}

static pid_t fork_guardian(const struct dj_process_options *options,
                           struct channels *channels)
{
    sigset_t all, before;
    /* Blocks all signals, because our signal handlers must not run in the guardian. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) {
        int(*pipe)[2] = channels->pipe;
        const struct dj_guardian guardian = {
            .child = {.options = options,
                      .streams = {find_stream_end(channels, options->in, pipe[IN][0]),
                                  find_stream_end(channels, options->out, pipe[OUT][1]),
                                  find_stream_end(channels, options->err, pipe[ERR][1])},
                      .exec_error = pipe[EXEC_ERROR][1],
                      .own_group = options->scope == DJ_SCOPE_GROUP,
                      .mask = options->scope == DJ_SCOPE_FOREGROUND ? &before : NULL},
            .control = pipe[CONTROL][0],
            .report = pipe[REPORT][1],
            .release = pipe[RELEASE][0],
            .output = pipe[OUTPUT][0],
            .stored_output = channels->stored_output};
        dj_descriptor_close(&pipe[CONTROL][1]);
        dj_descriptor_close(&pipe[RELEASE][1]);
        dj_guardian_run(&guardian);
    }
    int failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failure;
    return pid;
}

static int move_end(int *end)
{
    int fd = *end;
    *end = -1;
    return fd;
}

static int move_stream_end(int *end)
{
    int fd = move_end(end);
    if (fd >= 0) {
        fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    return fd;
}

/* Waits until the program has called exec(), or until it waits for
 * dj_process_release(). */
static int wait_for_start(struct dj_process *process,
                          const struct dj_process_options *options, int exec_error,
                          struct dj_error *err)
{
    int pid = -EAGAIN;
    while (read(process->report, &pid, sizeof(pid)) < 0 && errno == EINTR) {
    }
    process->pid = pid;
    if (pid < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot start '%s': %s", options->argv[0],
                            strerror(-pid));
    }
    return options->waits_for_release ? 0
                                      : dj_child_wait_for_exec(options, exec_error, err);
}

int dj_process_start(const struct dj_process_options *options,
                     struct dj_process **started, struct dj_error *err)
{
    struct channels channels;
    struct dj_process *process = calloc(1, sizeof(*process));
    *started = NULL;
    if (process == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int code = open_channels(options, &channels, err);
    if (code != 0) {
        free(process);
        return code;
    }
    pid_t guardian = fork_guardian(options, &channels);
    if (guardian < 0) {
        code = dj_error_set(err, DJ_E_IO, "cannot start a process: %s", strerror(errno));
    }
    *process = (struct dj_process){.guardian = guardian,
                                   .grace_ns = options->grace_ns,
                                   .control = move_end(&channels.pipe[CONTROL][1]),
                                   .report = move_end(&channels.pipe[REPORT][0]),
                                   .release = move_end(&channels.pipe[RELEASE][1]),
                                   .in = move_stream_end(&channels.pipe[IN][1]),
                                   .out = move_stream_end(&channels.pipe[OUT][0]),
                                   .err = move_stream_end(&channels.pipe[ERR][0]),
                                   .stored_output = move_end(&channels.stored_output),
                                   .is_over = guardian < 0};
    int exec_error = move_end(&channels.pipe[EXEC_ERROR][0]);
    close_channels(&channels);
    code = code == 0 ? wait_for_start(process, options, exec_error, err) : code;
    dj_descriptor_close(&exec_error);
    if (code != 0) {
        dj_process_close(process);
        return code;
    }
    *started = process;
    return 0;
}

/* Reads a report of the guardian. Waits at most timeout_ns. Returns false if there is
 * none. */
static bool read_report(struct dj_process *process, int64_t timeout_ns)
{
    struct pollfd fd = {.fd = process->report, .events = POLLIN};
    int value;
    if (process->is_over || poll(&fd, 1, (int)(timeout_ns / DJ_MILLISECOND_NS)) <= 0) {
        return false;
    }
    if (read(process->report, &value, sizeof(value)) == (ssize_t)sizeof(value)) {
        process->status = value;
    } else {
        process->is_over = true;
        /* If the guardian was killed, the program was killed, too. */
        process->status = process->has_ended ? process->status : SIGKILL;
    }
    process->has_ended = true;
    return true;
}

static void read_reports(struct dj_process *process)
{
    while (read_report(process, 0)) {
    }
}

void dj_process_release(struct dj_process *process)
{
    if (process->release >= 0) {
        ssize_t ignored = write(process->release, "", 1);
        /* A failed write is ignored. If the program has ended, dj_process_status()
         * reports that. */
        (void)ignored;
        dj_descriptor_close(&process->release);
    }
}

pid_t dj_process_pid(const struct dj_process *process)
{
    return process->pid;
}

bool dj_process_is_running(struct dj_process *process)
{
    read_reports(process);
    return !process->is_over;
}

bool dj_process_status(struct dj_process *process, int *status)
{
    read_reports(process);
    *status = process->status;
    return process->has_ended;
}

void dj_process_read_stored(struct dj_process *process, struct dj_text *text)
{
    char bytes[4096];
    off_t at = 0;
    ssize_t length;
    while ((length = pread(process->stored_output, bytes, sizeof(bytes), at)) > 0) {
        dj_text_append(text, bytes, (size_t)length);
        at += length;
    }
}

/* The loop reads once more after the program has ended, because all of its output is in
 * the pipes by then. */
int dj_process_read(struct dj_process *process,
                    const struct dj_interrupt_request *interrupt, int64_t timeout_ns,
                    struct dj_text *const texts[2], bool *ended, struct dj_error *err)
{
    int64_t end_ns = dj_host_now_ns() + timeout_ns;
    bool has_output = false;
    *ended = false;
    while (!has_output && !*ended) {
        struct pollfd wait[3] = {
            {.fd = process->out, .events = POLLIN},
            {.fd = process->err, .events = POLLIN},
            {.fd = process->has_ended ? -1 : process->report, .events = POLLIN}};
        bool last = process->has_ended;
        int64_t left_ns = last ? 0 : end_ns - dj_host_now_ns();
        int ready = dj_interrupt_poll(interrupt, left_ns, wait, 3, err);
        if (ready < 0 || (ready == 0 && !last)) {
            return ready;
        }
        has_output = dj_descriptor_read(&process->out, texts[0]);
        has_output = dj_descriptor_read(&process->err, texts[1]) || has_output;
        if (texts[0]->failed || texts[1]->failed) {
            return dj_error_set(
                err, DJ_E_LIMIT,
                "the command wrote more output at once than dejank can store");
        }
        *ended = last && !has_output;
        read_reports(process);
    }
    return 0;
}

int dj_process_write(struct dj_process *process, const void *bytes, size_t size,
                     const struct dj_deadline *deadline, struct dj_error *err)
{
    const char *at = bytes;
    if (process->in < 0) {
        return dj_error_set(err, DJ_E_USAGE,
                            "cannot write to the command: its input is closed");
    }
    while (size > 0) {
        ssize_t written = dj_descriptor_write(process->in, at, size);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd wait = {.fd = process->in, .events = POLLOUT};
            int code = dj_deadline_poll(deadline, &wait, 1, err);
            if (code != 0) {
                return code;
            }
        } else if (errno != EINTR) {
            return dj_error_set(err, DJ_E_GONE,
                                "the command does not read its input any more: %s",
                                strerror(errno));
        }
    }
    return 0;
}

void dj_process_end_input(struct dj_process *process)
{
    dj_descriptor_close(&process->in);
}

static void wait_until_over(struct dj_process *process, int64_t timeout_ns)
{
    int64_t until_ns = dj_host_now_ns() + timeout_ns;
    int64_t left_ns = timeout_ns;
    while (!process->is_over && left_ns > 0) {
        read_report(process, left_ns);
        left_ns = until_ns - dj_host_now_ns();
    }
}

void dj_process_stop(struct dj_process *process, int64_t grace_ns)
{
    dj_descriptor_close(&process->release);
    read_reports(process);
    if (!process->is_over && process->control >= 0) {
        dj_descriptor_write(process->control, &grace_ns, sizeof(grace_ns));
    }
    dj_descriptor_close(&process->control);
    wait_until_over(process, grace_ns + KILL_NS);
}

void dj_process_close(struct dj_process *process)
{
    if (process == NULL) {
        return;
    }
    dj_process_stop(process, process->grace_ns);
    if (process->guardian > 0) {
        waitpid(process->guardian, NULL, process->is_over ? 0 : WNOHANG);
    }
    /* The pipes are closed only here, because the program could otherwise get SIGPIPE
     * while it writes its last output. */
    int *const rest[] = {&process->report, &process->in, &process->out, &process->err,
                         &process->stored_output};
    for (size_t i = 0; i < COUNT_OF(rest); i++) {
        dj_descriptor_close(rest[i]);
    }
    free(process);
}
