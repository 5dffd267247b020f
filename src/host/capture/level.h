/* The levels of a capture on this machine. A level is a way to capture that needs
 * certain permissions. */
#ifndef DEJANK_CAPTURE_LEVEL_H
#define DEJANK_CAPTURE_LEVEL_H

#include <stdbool.h>

enum dj_capture_level {
    DJ_CAPTURE_OWN,    /* Switches of the app's own threads, schedstat, and pressure
                        * stall information. */
    DJ_CAPTURE_PERF,   /* Switches of all threads of the machine, or tracepoints, with
                        * perf events. */
    DJ_CAPTURE_KERNEL, /* Everything that the kernel traces, through an own instance of
                        * tracefs. */
    DJ_CAPTURE_LEVELS
};

/* Returns "own-threads", "perf" or "tracefs". */
const char *dj_capture_level_name(enum dj_capture_level level);

/* Finds the level with this name. Returns false if there is none. */
bool dj_capture_level_find(const char *name, enum dj_capture_level *level);

/* Returns what a capture of this level contains, as a phrase for a message. */
const char *dj_capture_level_get_contents(enum dj_capture_level level);

/* Returns the command that permits the next better level. `level` is the best
 * permitted level, or DJ_CAPTURE_LEVELS if none is permitted. Returns NULL if there is
 * no better level. */
const char *dj_capture_level_get_remedy(enum dj_capture_level level);

#endif
