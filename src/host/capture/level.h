/* The levels of a capture on this machine: how much of it they show. */
#ifndef DEJANK_CAPTURE_LEVEL_H
#define DEJANK_CAPTURE_LEVEL_H

#include <stdbool.h>

enum dj_capture_level {
    DJ_CAPTURE_OWN,    /* switches of our own threads, schedstat, PSI */
    DJ_CAPTURE_PERF,   /* switches of the whole machine, or tracepoints, with perf
                        * events */
    DJ_CAPTURE_KERNEL, /* tracefs, with an instance of our own */
    DJ_CAPTURE_LEVELS
};

/* Returns "own-threads", "perf" or "tracefs". */
const char *dj_capture_level_name(enum dj_capture_level level);

/* "perf" gives DJ_CAPTURE_PERF. Returns false if no level has that name. */
bool dj_capture_level_find(const char *name, enum dj_capture_level *level);

/* Returns half a sentence about the contents of such a capture. */
const char *dj_capture_level_get_contents(enum dj_capture_level level);

/* Returns the command that permits the next better level than `level` (DJ_CAPTURE_LEVELS:
 * than none); NULL if there is no better one. */
const char *dj_capture_level_get_remedy(enum dj_capture_level level);

#endif
