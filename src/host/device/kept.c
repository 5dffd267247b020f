#include "device/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/deadline.h"
#include "device/keeper.h"

#define KILL_NS (5 * DJ_SECOND_NS)

struct dj_kept {
    pid_t keeper;
    int control, report, output;
    bool ended, alone;
    int status, failed;
};

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

/* Takes in what the keeper told, waiting at most so long for something new. */
static void listen_to(struct dj_kept *kept, int64_t timeout_ns)
{
    struct pollfd fd = {.fd = kept->report, .events = POLLIN};
    struct dj_keeper_report report;
    if (kept->alone || poll(&fd, 1, (int)(timeout_ns / DJ_MILLISECOND_NS)) <= 0) {
        return;
    }
    if (read(kept->report, &report, sizeof(report)) != (ssize_t)sizeof(report)) {
        kept->alone = true;
    } else if (report.event == DJ_KEEPER_FAILED) {
        kept->failed = report.value;
    } else if (report.event == DJ_KEEPER_ENDED) {
        kept->ended = true;
        kept->status = report.value;
    } else {
        kept->alone = true;
    }
}

static void listen_all(struct dj_kept *kept)
{
    struct pollfd fd = {.fd = kept->report, .events = POLLIN};
    while (!kept->alone && poll(&fd, 1, 0) > 0) {
        listen_to(kept, 0);
    }
}

static int open_channels(struct dj_kept *kept, int control[2], int report[2],
                         struct dj_error *err)
{
    kept->output = memfd_create("dejank-app-output", MFD_CLOEXEC);
    if (kept->output < 0 || pipe2(control, O_CLOEXEC) != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot make a pipe: %s", strerror(errno));
    }
    kept->control = control[1];
    if (pipe2(report, O_CLOEXEC) != 0) {
        int reason = errno;
        close(control[0]);
        return dj_error_set(err, DJ_E_IO, "cannot make a pipe: %s", strerror(reason));
    }
    kept->report = report[0];
    return 0;
}

/* A program that cannot be executed says so at once; one that can says nothing. */
static int check_started(struct dj_kept *kept, const char *path, struct dj_error *err)
{
    listen_to(kept, 100 * DJ_MILLISECOND_NS);
    return kept->failed == 0 ? 0
                             : dj_error_set(err, DJ_E_IO, "cannot start '%s': %s", path,
                                            strerror(kept->failed));
}

int dj_kept_start(const char *path, char *const *argv, struct dj_kept **started,
                  struct dj_error *err)
{
    int control[2], report[2];
    struct dj_kept *kept = calloc(1, sizeof(*kept));
    *started = NULL;
    if (kept == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    *kept = (struct dj_kept){.keeper = -1, .control = -1, .report = -1, .output = -1};
    int code = open_channels(kept, control, report, err);
    if (code != 0) {
        dj_kept_close(kept);
        return code;
    }
    const struct dj_keeper keeper = {path, argv, control[0], report[1], kept->output};
    kept->keeper = fork();
    if (kept->keeper == 0) {
        close(control[1]);
        dj_keeper_run(&keeper);
    }
    close(control[0]);
    close(report[1]);
    code = kept->keeper < 0
               ? dj_error_set(err, DJ_E_IO, "cannot start a process: %s", strerror(errno))
               : check_started(kept, path, err);
    if (code != 0) {
        dj_kept_close(kept);
        return code;
    }
    *started = kept;
    return 0;
}

bool dj_kept_running(struct dj_kept *kept)
{
    listen_all(kept);
    return !kept->alone;
}

bool dj_kept_status(struct dj_kept *kept, int *status)
{
    listen_all(kept);
    *status = kept->status;
    return kept->ended;
}

static void wait_alone(struct dj_kept *kept, int64_t patience_ns)
{
    int64_t until_ns = dj_host_now_ns() + patience_ns;
    int64_t left_ns = patience_ns;
    while (!kept->alone && left_ns > 0) {
        listen_to(kept, left_ns);
        left_ns = until_ns - dj_host_now_ns();
    }
}

void dj_kept_end(struct dj_kept *kept, int64_t patience_ns)
{
    listen_all(kept);
    if (!kept->alone && write(kept->control, "", 1) == 1) {
        wait_alone(kept, patience_ns);
    }
    close_fd(&kept->control);
    wait_alone(kept, KILL_NS);
}

void dj_kept_output(struct dj_kept *kept, struct dj_text *text)
{
    char bytes[4096];
    off_t at = 0;
    ssize_t length;
    while ((length = pread(kept->output, bytes, sizeof(bytes), at)) > 0) {
        dj_text_append(text, bytes, (size_t)length);
        at += length;
    }
}

void dj_kept_close(struct dj_kept *kept)
{
    if (kept == NULL) {
        return;
    }
    close_fd(&kept->control);
    if (kept->keeper > 0) {
        wait_alone(kept, KILL_NS);
        waitpid(kept->keeper, NULL, kept->alone ? 0 : WNOHANG);
    }
    close_fd(&kept->report);
    close_fd(&kept->output);
    free(kept);
}
