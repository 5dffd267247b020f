/* Finds out which levels of capture this process is permitted to use. */
#ifndef DEJANK_CAPTURE_PERMISSIONS_H
#define DEJANK_CAPTURE_PERMISSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/level.h"

/* The result of the tests of all levels. */
struct dj_capture_levels {
    /* For each level, the reason why it is not permitted, or "" if it is permitted. */
    char why[DJ_CAPTURE_LEVELS][200];
    size_t left;         /* Number of tracing instances that dead processes have left. */
    char first_left[64]; /* Name of one of these instances, or "". */
};

/* Tests each level by using it for a moment. Removes everything that the tests have
 * created. */
void dj_capture_levels_test(struct dj_capture_levels *levels);

/* Returns the best permitted level, or DJ_CAPTURE_LEVELS if none is permitted. */
enum dj_capture_level dj_capture_levels_find_best(const struct dj_capture_levels *levels);

/* Whether this process may sample call stacks. */
struct dj_capture_stack_access {
    bool permitted;
    /* Text that says which stacks are sampled and how much that costs, or why none are
     * sampled. */
    char found[300];
    /* Command that makes sampling possible or cheaper, or NULL. */
    const char *remedy;
};

/* Finds out whether stacks can be sampled by opening perf events for a moment. */
void dj_capture_stacks_test(struct dj_capture_stack_access *access);

/* Removes tracing instances of dead processes. Returns the number of removed
 * instances. Sets `stuck` to the name of the first instance that could not be removed,
 * or to "". An instance cannot be removed while a process reads it. */
size_t dj_capture_remove_instances(char stuck[64]);

#endif
