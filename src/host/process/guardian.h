/* The process between dejank and a program. It ends the program and its descendants on
 * request, and when dejank ends. */
#ifndef DEJANK_PROCESS_GUARDIAN_H
#define DEJANK_PROCESS_GUARDIAN_H

#include "process/child.h"

/* All descriptors are inherited through fork(). −1: none. */
struct dj_guardian {
    struct dj_child child;
    int control; /* read: an int64_t, the grace in ns of a request to end all; its end
                    means that dejank has ended */
    int report;  /* written as int: the program's pid or −errno, then its status from
                    waitpid(); closed when all supervised processes have ended */
    int release; /* read by the program, which calls exec() after one byte */
    int output;  /* read: output to keep */
    int kept_output; /* file for it */
};

/* Runs as the child of a fork() with all signals blocked. The parent may have several
 * threads, so it makes only calls that are safe then. */
_Noreturn void dj_guardian_run(const struct dj_guardian *guardian);

#endif
