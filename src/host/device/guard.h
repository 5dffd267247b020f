/* A program of this machine that goes on while we do, and dies with us: between it and us
 * stands a small process of ours, the guard, that ends it once nobody holds our end of a
 * pipe any more, however we ended. */
#ifndef DEJANK_DEVICE_GUARD_H
#define DEJANK_DEVICE_GUARD_H

#include <sys/types.h>

#include "base/error.h"

/* Ends of pipes are ours, close-on-exec and do not block; −1 where closed. */
struct dj_guard {
    pid_t pid;    /* the guard's */
    int life;     /* held, never written: the program lives while this is open */
    int status;   /* gives the program's `int` status (as waitpid() says it), once */
    int in;       /* the program's input, to write to */
    int out, err; /* its output, to read */
};

/* Starts argv[0] (looked up in PATH) in a process group of its own. DJ_E_NOT_FOUND where
 * there is no such program, DJ_E_IO. */
int dj_guard_start(const char *const *argv, struct dj_guard *guard, struct dj_error *err);

/* Closes all; what is left of the program's group gets a SIGTERM and, where the program
 * still runs half a second later or others of its group do, a SIGKILL. */
void dj_guard_finish(struct dj_guard *guard);

#endif
