/* What a program started and left behind, as its reaper sees it: for the small processes
 * that stand between us and a program. All calls are async-signal-safe. */
#ifndef DEJANK_DEVICE_DESCENDANTS_H
#define DEJANK_DEVICE_DESCENDANTS_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on this process is the parent of descendants whose own parent dies. */
void dj_descendants_adopt(void);

/* Sends the signal to all children of this thread; their number. Where the kernel does
 * not list them that is 0. */
size_t dj_descendants_signal(int number);

/* Takes in all that have ended; where `program` has, *ended and *status tell it. False:
 * no child is left. */
bool dj_descendants_reap(pid_t program, bool *ended, int *status);

#endif
