/* The levels of a capture on this machine. A better level captures more and needs more
 * permissions. Higher values of the enum are better levels. */
#ifndef DEJANK_CAPTURE_LEVEL_H
#define DEJANK_CAPTURE_LEVEL_H

#include <stdbool.h>

enum dj_capture_level {
    /* Context switches of the app's own threads, schedstat, and pressure stall
     * information. */
    DJ_CAPTURE_OWN,
    /* Context switches of all threads of the machine, or tracepoints. Uses perf events.
     */
    DJ_CAPTURE_PERF,
    /* Everything that the kernel can trace. Uses a tracing instance of tracefs. */
    DJ_CAPTURE_KERNEL,
    DJ_CAPTURE_LEVELS
};

/* Returns "own-threads", "perf" or "tracefs". */
const char *dj_capture_level_name(enum dj_capture_level level);

/* Finds the level with this name. Returns false if there is none. */
bool dj_capture_level_find(const char *name, enum dj_capture_level *level);

/* Returns a phrase that says what a capture of this level contains. */
const char *dj_capture_level_get_contents(enum dj_capture_level level);

/* Returns the command that permits the next better level. `level` is the best
 * permitted level, or DJ_CAPTURE_LEVELS if none is permitted. Returns NULL if there is
 * no better level. */
const char *dj_capture_level_get_remedy(enum dj_capture_level level);

#endif
