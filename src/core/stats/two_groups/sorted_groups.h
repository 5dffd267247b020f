/* The two groups of a test: copied, checked and sorted. */
#ifndef DEJANK_STATS_TWO_GROUPS_SORTED_GROUPS_H
#define DEJANK_STATS_TWO_GROUPS_SORTED_GROUPS_H

#include <stddef.h>

struct dj_sorted_groups {
    double *x, *y; /* ascending; one block, owned */
    size_t n, m;
};

/* Returns 0, DJ_E_NO_DATA if a group has fewer than `least` (≥ 1) numbers,
 * DJ_E_INVALID if one is not finite, or DJ_E_NO_MEMORY. After an error there is
 * nothing to finish. */
int dj_sorted_groups_create(const double *x, size_t n, const double *y, size_t m,
                            size_t least, struct dj_sorted_groups *groups);
void dj_sorted_groups_finish(struct dj_sorted_groups *groups);

#endif
