/* The program that a capture starts, under the recorder. */
#ifndef DEJANK_CLI_TRACE_COMMAND_H
#define DEJANK_CLI_TRACE_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/* Zero it. */
struct dj_trace_command {
    pid_t pid;    /* its `dejank record`; 0: there is no program */
    pid_t minder; /* whose child that is */
    int gate;     /* it waits at the other end until it may start */
    int control, report;
    bool waiting, running;
    int status; /* as of waitpid(), once it does not run */
};

/* Makes the process in which `dejank record --name NAME -- argv…` will run: it waits, so
 * that a capture can be begun around it. `self`: dejank's own path.
 * `name` NULL: `dejank record` finds one, and does not keep the recording for it. */
int dj_trace_command_make(struct dj_trace_command *command, const char *self,
                          const char *name, char *const *argv, struct dj_error *err);

/* Now it starts. */
void dj_trace_command_start(struct dj_trace_command *command);

/* Whether it still runs. */
bool dj_trace_command_runs(struct dj_trace_command *command);

/* Where it runs: asks it to end, and ends it, and all that it started, where that takes
 * longer than some seconds. */
void dj_trace_command_end(struct dj_trace_command *command);

#endif
