/* Whether two groups are of one distribution, whatever differs in them: also two humps
 * against one about the same centre. It has less power for a shift than mann_whitney.h.
 */
#ifndef DEJANK_STATS_KOLMOGOROV_SMIRNOV_H
#define DEJANK_STATS_KOLMOGOROV_SMIRNOV_H

#include <stddef.h>

struct dj_kolmogorov_smirnov {
    double distance; /* the largest one of the two distribution functions, 0 … 1 */
    double p;        /* exact by counting paths (Hodges 1958); with ties too large */
};

/* n and m ≥ 1, in any order, finite; O(n m). Heap: scratch only, freed before it returns;
 * any thread. DJ_E_NO_DATA, DJ_E_INVALID, DJ_E_NO_MEMORY as in mann_whitney.h. */
int dj_kolmogorov_smirnov(const double *x, size_t n, const double *y, size_t m,
                          struct dj_kolmogorov_smirnov *result);

#endif
