/* The child of a fork() until it executes a program. */
#ifndef DEJANK_PROCESS_CHILD_H
#define DEJANK_PROCESS_CHILD_H

#include <signal.h>

#include "base/error.h"
#include "process/options.h"

struct dj_child {
    const struct dj_process_options *options;
    int streams[3]; /* its input, output and errors; −1: inherited */
    int refusal;    /* written: errno, where nothing was executed; close-on-exec */
    bool own_group;
    const sigset_t *mask; /* NULL: no signal is blocked, and all have their default */
    const struct sigaction *child_ended; /* of SIGCHLD; NULL: as it is */
};

/* Becomes the program, or reports why not. */
_Noreturn void dj_child_run(const struct dj_child *child);

/* Waits for exec(). 0, or the error that the child has reported. */
int dj_child_check(const struct dj_process_options *options, int refusal,
                   struct dj_error *err);

/* 0 where `reason` is 0, else the error that errno means for the start of a program. */
int dj_child_refuse(const struct dj_process_options *options, int reason,
                    struct dj_error *err);

#endif
