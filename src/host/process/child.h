/* The child of a fork() until it executes a program. */
#ifndef DEJANK_PROCESS_CHILD_H
#define DEJANK_PROCESS_CHILD_H

#include <signal.h>

#include "base/error.h"
#include "process/options.h"

struct dj_child {
    const struct dj_process_options *options;
    int streams[3]; /* input, output and errors of the child; −1: inherited */
    int refusal;    /* the child writes errno here if exec() failed; close-on-exec */
    bool own_group;
    const sigset_t *mask; /* NULL: none is blocked, and all have their defaults */
    const struct sigaction *child_ended; /* action of SIGCHLD; NULL: unchanged */
};

/* Executes the program, or reports why that failed. */
_Noreturn void dj_child_run(const struct dj_child *child);

/* Waits for exec(). Returns 0, or the error that the child has reported. */
int dj_child_wait_for_exec(const struct dj_process_options *options, int refusal,
                           struct dj_error *err);

/* Returns 0 if `reason` is 0, or else the error for this errno of a program start. */
int dj_child_set_error(const struct dj_process_options *options, int reason,
                       struct dj_error *err);

#endif
