/* The work of a child process between fork() and exec(). */
#ifndef DEJANK_PROCESS_CHILD_H
#define DEJANK_PROCESS_CHILD_H

#include <signal.h>

#include "base/error.h"
#include "process/options.h"

struct dj_child {
    const struct dj_process_options *options;
    /* Descriptors that become standard input, output and error. −1 means that a stream is
     * inherited. */
    int streams[3];
    /* Pipe to which the child writes errno if exec() fails. Close-on-exec. */
    int exec_error;
    bool own_group; /* True if the child becomes the leader of a new process group. */
    /* Signal mask of the program. If NULL, no signal is blocked, and all signal actions
     * are the defaults. */
    const sigset_t *mask;
    /* Action for SIGCHLD, or NULL to leave it unchanged. */
    const struct sigaction *child_action;
};

/* Executes the program, or writes errno to `exec_error` if that fails. */
_Noreturn void dj_child_run(const struct dj_child *child);

/* Waits until the child has called exec(). `exec_error` is the end of the pipe to read.
 * Returns 0, or an error if exec() failed. */
int dj_child_wait_for_exec(const struct dj_process_options *options, int exec_error,
                           struct dj_error *err);

/* Converts the errno value of a failed start to an error. Returns 0 if `reason` is 0. */
int dj_child_set_error(const struct dj_process_options *options, int reason,
                       struct dj_error *err);

#endif
