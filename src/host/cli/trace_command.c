#include "cli/trace_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/trace_command_minder.h"
#include "device/deadline.h"

#define MARGIN_NS (2 * DJ_SECOND_NS) /* until those that are killed have ended */

/* Words are only pointed to: execv() changes none. */
static char **words_of(const char *name, char *const *argv)
{
    enum { OWN = 5 };
    size_t count = 0, used = 0;
    while (argv[count] != NULL) {
        count++;
    }
    const char **words = calloc(count + OWN + 1, sizeof(*words));
    if (words == NULL) {
        return NULL;
    }
    words[used++] = "dejank";
    words[used++] = "record";
    if (name != NULL) {
        words[used++] = "--name";
        words[used++] = name;
    }
    words[used++] = "--";
    memcpy(words + used, argv, count * sizeof(*words));
    return (char **)words;
}

struct channels {
    int gate[2], control[2], report[2];
};

static void close_both(int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/* 0, or errno. */
static int open_channels(struct channels *channels)
{
    int *const pipes[] = {channels->gate, channels->control, channels->report};
    for (size_t i = 0; i < COUNT_OF(pipes); i++) {
        if (pipe2(pipes[i], O_CLOEXEC) != 0) {
            int failure = errno;
            while (i > 0) {
                close_both(pipes[--i]);
            }
            return failure;
        }
    }
    return 0;
}

static bool hear(struct dj_trace_command *command, int *value)
{
    return read(command->report, value, sizeof(*value)) == (ssize_t)sizeof(*value);
}

/* The minder's end without a word of the program is that of both. */
static void forget(struct dj_trace_command *command)
{
    close(command->report);
    close(command->control);
    waitpid(command->minder, NULL, 0);
    command->running = false;
}

static int start_minder(struct dj_trace_command *command, const struct channels *channels,
                        const char *self, char *const *words)
{
    const struct dj_minder minder = {self, words, channels->gate[0], channels->control[0],
                                     channels->report[1]};
    pid_t pid = fork();
    int failure = pid < 0 ? errno : 0;
    if (pid == 0) {
        close(channels->gate[1]);
        close(channels->control[1]);
        close(channels->report[0]);
        dj_minder_run(&minder);
    }
    close(channels->gate[0]);
    close(channels->control[0]);
    close(channels->report[1]);
    *command = (struct dj_trace_command){.minder = pid,
                                         .gate = channels->gate[1],
                                         .control = channels->control[1],
                                         .report = channels->report[0],
                                         .waiting = true,
                                         .running = true};
    if (failure == 0 && (!hear(command, &command->pid) || command->pid < 0)) {
        failure = EAGAIN;
    }
    if (failure != 0) {
        close(command->gate);
        forget(command);
        *command = (struct dj_trace_command){.pid = 0};
    }
    return failure;
}

int dj_trace_command_make(struct dj_trace_command *command, const char *self,
                          const char *name, char *const *argv, struct dj_error *err)
{
    struct channels channels;
    char **words = words_of(name, argv);
    if (words == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int failure = open_channels(&channels);
    failure = failure == 0 ? start_minder(command, &channels, self, words) : failure;
    free(words);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_IO, "cannot start '%s': %s", argv[0],
                                       strerror(failure));
}

void dj_trace_command_start(struct dj_trace_command *command)
{
    static const char word = 's';
    if (command->waiting) {
        ssize_t ignored = write(command->gate, &word, 1);
        (void)ignored;
        close(command->gate);
        command->waiting = false;
    }
}

/* Waits so long for its end. */
static bool runs_after(struct dj_trace_command *command, int64_t patience_ns)
{
    struct pollfd said = {.fd = command->report, .events = POLLIN};
    if (command->running && poll(&said, 1, (int)(patience_ns / DJ_MILLISECOND_NS)) > 0) {
        if (!hear(command, &command->status)) {
            command->status = SIGKILL;
        }
        command->running = false;
    }
    return command->running;
}

bool dj_trace_command_runs(struct dj_trace_command *command)
{
    return runs_after(command, 0);
}

/* The minder's end is that of all: it closes its end of the report. */
static void wait_for_all(struct dj_trace_command *command)
{
    int64_t until_ns = dj_host_now_ns() + DJ_MINDER_PATIENCE_NS + MARGIN_NS;
    while (dj_host_now_ns() < until_ns && waitpid(command->minder, NULL, WNOHANG) == 0) {
        dj_host_sleep_ns(10 * DJ_MILLISECOND_NS);
    }
}

void dj_trace_command_end(struct dj_trace_command *command)
{
    if (command->minder == 0) {
        return;
    }
    if (command->waiting) {
        close(command->gate);
        command->waiting = false;
    }
    close(command->control);
    runs_after(command, DJ_MINDER_PATIENCE_NS + MARGIN_NS);
    close(command->report);
    wait_for_all(command);
    command->minder = 0;
    command->running = false;
}
