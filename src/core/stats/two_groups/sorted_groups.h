/* Copies, validates and sorts the two groups of a test. */
#ifndef DEJANK_STATS_TWO_GROUPS_SORTED_GROUPS_H
#define DEJANK_STATS_TWO_GROUPS_SORTED_GROUPS_H

#include <stddef.h>

struct dj_sorted_groups {
    double *x, *y; /* Both ascending and owned. Both are in one allocation. */
    size_t n, m;
};

/* Returns 0, DJ_E_NO_DATA if a group has fewer than `least` (≥ 1) numbers, DJ_E_INVALID
 * if a number is not finite, or DJ_E_NO_MEMORY. After an error, dj_sorted_groups_finish()
 * is not needed. */
int dj_sorted_groups_create(const double *x, size_t n, const double *y, size_t m,
                            size_t least, struct dj_sorted_groups *groups);
void dj_sorted_groups_finish(struct dj_sorted_groups *groups);

#endif
