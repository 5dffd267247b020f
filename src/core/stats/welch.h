/* The difference of two means where spreads may differ (Welch 1947). Of logarithms it is
 * the logarithm of a ratio. Heap: scratch only, freed before it returns; any thread. */
#ifndef DEJANK_STATS_WELCH_H
#define DEJANK_STATS_WELCH_H

#include "stats/shift.h"

struct dj_welch {
    double difference; /* mean of y − mean of x */
    double t;          /* ±∞ where neither group has a spread and they differ */
    double df;         /* NaN where neither has a spread */
    double p; /* two-sided; without a spread 1 where the means are equal, else 0 */
    struct dj_bounds bounds;
};

/* At 0 < level < 1. n and m ≥ 2, in any order, finite; the order changes no bit, and
 * swapping the groups negates everything but p, df. DJ_E_NO_DATA: a group has fewer.
 * DJ_E_INVALID: a number is not finite. DJ_E_USAGE: no such level. DJ_E_NO_MEMORY. */
int dj_welch(const double *x, size_t n, const double *y, size_t m, double level,
             struct dj_welch *result);

#endif
