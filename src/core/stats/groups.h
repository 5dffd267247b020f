/* Two groups as tests take them: copied, checked and sorted. For this room alone. */
#ifndef DEJANK_STATS_GROUPS_H
#define DEJANK_STATS_GROUPS_H

#include <stddef.h>

struct dj_groups {
    double *x, *y; /* ascending; one block, owned */
    size_t n, m;
};

/* DJ_E_NO_DATA: a group has fewer than `least` (≥ 1) numbers. DJ_E_INVALID: one is not
 * finite. DJ_E_NO_MEMORY. On error there is nothing to finish. */
int dj_groups_make(const double *x, size_t n, const double *y, size_t m, size_t least,
                   struct dj_groups *groups);
void dj_groups_finish(struct dj_groups *groups);

#endif
