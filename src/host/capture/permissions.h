/* Which levels of capture this process is permitted. */
#ifndef DEJANK_CAPTURE_PERMISSIONS_H
#define DEJANK_CAPTURE_PERMISSIONS_H

#include <stddef.h>

#include "capture/level.h"

/* What this process is permitted to do. */
struct dj_capture_levels {
    char why[DJ_CAPTURE_LEVELS][200]; /* reason why it is not permitted; "": it is */
    size_t left;                      /* tracing instances of dead processes */
    char first_left[64];              /* name of one of them; "" */
};

/* Tries each level and leaves nothing behind. */
void dj_capture_levels_test(struct dj_capture_levels *levels);

/* Returns the best permitted level, or DJ_CAPTURE_LEVELS if none is. */
enum dj_capture_level dj_capture_levels_find_best(const struct dj_capture_levels *levels);

/* Removes tracing instances of dead processes and returns their number. *stuck: the name
 * of one that could not be removed, otherwise "". */
size_t dj_capture_remove_instances(char stuck[64]);

#endif
