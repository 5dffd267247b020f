/* Starting a program as our direct child, and standing in for it: signals go through to
 * it, its end becomes ours. */
#ifndef DEJANK_DEVICE_LAUNCH_H
#define DEJANK_DEVICE_LAUNCH_H

#include <sys/types.h>

#include "base/error.h"

struct dj_launch {
    const char
        *path; /* what to execute, with a slash; text without "#!" is the shell's */
    char **argv;
    /* Runs in the child before exec(); may only set environment variables. NULL: nothing
     * to do. */
    void (*prepare)(void *user);
    void *user;
};

/*
 * Starts the program and waits for its end. Signals sent to this process alone are passed
 * on; those a terminal sends to the whole group reach the program by themselves. *status
 * is as waitpid() gives it, *pid whose it was. An error means that nothing was started.
 */
int dj_launch_run(const struct dj_launch *launch, pid_t *pid, int *status,
                  struct dj_error *err);

/* Ends this process as `status` says the program ended: same exit code, or the same
 * signal. Does not return. */
_Noreturn void dj_launch_end_like(int status);

#endif
