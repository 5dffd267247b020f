/* The difference of two means with unequal spreads (Welch 1947). For logarithms it is
 * the logarithm of a ratio. Allocates scratch memory only; any thread. */
#ifndef DEJANK_STATS_WELCH_H
#define DEJANK_STATS_WELCH_H

#include "stats/shift.h"

struct dj_welch {
    double difference; /* mean of y − mean of x */
    double t;          /* ±∞ if neither group has a spread and the means differ */
    double df;         /* NaN if neither has a spread */
    double p;          /* two-sided; without a spread 1 if the means are equal, else 0 */
    struct dj_bounds bounds;
};

/* 0 < level < 1. n and m ≥ 2, in any order, finite. The order changes no bit, and
 * swapping the groups negates everything except p and df. Returns DJ_E_NO_DATA if a
 * group has fewer, DJ_E_INVALID if a number is not finite, DJ_E_USAGE for an invalid
 * level, or DJ_E_NO_MEMORY. */
int dj_welch(const double *x, size_t n, const double *y, size_t m, double level,
             struct dj_welch *result);

#endif
