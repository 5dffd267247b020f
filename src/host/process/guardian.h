/* The guardian is a process between dejank and a program. The guardian ends the program
 * and its descendants on request, or when dejank ends. */
#ifndef DEJANK_PROCESS_GUARDIAN_H
#define DEJANK_PROCESS_GUARDIAN_H

#include "process/child.h"

/* Parameters of a guardian. The descriptors are inherited through fork(). −1 means
 * none. */
struct dj_guardian {
    struct dj_child child;
    /* Read end of the pipe for requests. An int64_t is a request to end everything, with
     * the grace period in ns. The end of the pipe means that dejank has ended. */
    int control;
    /* Write end of the pipe for reports. The guardian writes two int values: the
     * program's pid (or −errno), and later the program's status as waitpid() returns it.
     * The guardian closes the pipe when all supervised processes have ended. */
    int report;
    /* Read end of a pipe. The program calls exec() when it has read a byte. */
    int release;
    int output;        /* Read end of the pipe with the output to store. */
    int stored_output; /* File in which the guardian stores the output. */
};

/* Runs the guardian in the child of a fork(), with all signals blocked. Makes only
 * async-signal-safe calls, because the parent may have several threads. */
_Noreturn void dj_guardian_run(const struct dj_guardian *guardian);

#endif
