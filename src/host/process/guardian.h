/* The process between us and a program: it ends the program, and what that started, when
 * we order it or are no more. */
#ifndef DEJANK_PROCESS_GUARDIAN_H
#define DEJANK_PROCESS_GUARDIAN_H

#include "process/child.h"

/* All descriptors are inherited across its fork(). −1: there is none. */
struct dj_guardian {
    struct dj_child child;
    int control; /* read: the int64_t grace in ns of an order to end all, or the end of us
                  */
    int report; /* written: the program's pid or −errno, then its status as of waitpid(),
                   an int each; its end is that of all that the guardian supervises */
    int release;     /* read by the program, which calls exec() after one byte */
    int output;      /* read: output to keep */
    int kept_output; /* file for it */
};

/* Is the child of a fork() with all signals blocked. It may have been forked from among
 * several threads, and calls only what is safe then. */
_Noreturn void dj_guardian_run(const struct dj_guardian *guardian);

#endif
