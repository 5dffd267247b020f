/* The process between a capture and its program: it ends the program, and all that it
 * started, when it is told to or when the capture is no more, whatever ended that. */
#ifndef DEJANK_CLI_TRACE_COMMAND_MINDER_H
#define DEJANK_CLI_TRACE_COMMAND_MINDER_H

#include <stdint.h>

#include "device/deadline.h"

/* Between being asked to end (SIGTERM) and being ended. */
#define DJ_MINDER_PATIENCE_NS (5 * DJ_SECOND_NS)

/* What it needs. All are inherited across its fork(). */
struct dj_minder {
    const char *path; /* what runs, once it may */
    char *const *argv;
    int gate; /* read by the program's process: a byte lets it start, the end ends it */
    int control; /* read: a byte or the stream's end is the order to end all */
    int report; /* written: the program's pid (−1: there is none), then its status as of
                   waitpid(), an int each */
};

/* Is the child of a fork(), and never returns. What the program leaves running where it
 * ends by itself goes on. */
_Noreturn void dj_minder_run(const struct dj_minder *minder);

#endif
