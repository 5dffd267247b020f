#include "process/tied.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "process/process.h"

/* Time in which a command installs its signal handlers. */
#define START_NS (100 * DJ_MILLISECOND_NS)
#define END_NS (3 * DJ_SECOND_NS)

static volatile sig_atomic_t end_signal;

static void store_signal(int number)
{
    end_signal = number;
}

/* Waits up to POLL_MS for input and discards it. Returns whether the input has ended. */
static bool input_ended(void)
{
    enum { POLL_MS = 50 };
    char bytes[512];
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&input, 1, POLL_MS) <= 0) {
        return false;
    }
    ssize_t length = read(STDIN_FILENO, bytes, sizeof(bytes));
    return length == 0 || (length < 0 && errno != EINTR && errno != EAGAIN);
}

int dj_process_run_tied(char **argv, struct dj_text *output, bool *ended, int *status,
                        struct dj_error *err)
{
    struct dj_process *process;
    const struct sigaction action = {.sa_handler = store_signal};
    const int ends[] = {SIGHUP, SIGINT, SIGTERM};
    const struct dj_interrupt_request never = {0};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        sigaction(ends[i], &action, NULL);
    }
    const struct dj_process_options options = {.path = "/proc/self/exe",
                                               .argv = (const char *const *)argv,
                                               .in = DJ_STREAM_NULL,
                                               .out = DJ_STREAM_STORE,
                                               .err = DJ_STREAM_STORE,
                                               .scope = DJ_SCOPE_DESCENDANTS};
    int code = dj_process_start(&options, &process, err);
    if (code != 0) {
        return code;
    }
    /* Waits, because a command that receives SIGTERM before it handles signals would not
     * report anything. */
    dj_process_read(process, &never, START_NS, (struct dj_text *[]){output, output},
                    ended, NULL);
    while (dj_process_is_running(process) && end_signal == 0 && !input_ended()) {
    }
    dj_process_stop(process, END_NS);
    *ended = dj_process_status(process, status);
    dj_process_read_stored(process, output);
    dj_process_close(process);
    return 0;
}
