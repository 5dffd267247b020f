/* The difference of the means of two groups, which may have unequal spreads (Welch 1947).
 * If the numbers are logarithms, the difference is the logarithm of a ratio. Allocates
 * scratch memory only. Safe in any thread. */
#ifndef DEJANK_STATS_WELCH_H
#define DEJANK_STATS_WELCH_H

#include "stats/shift.h"

struct dj_welch {
    double difference; /* Mean of y minus mean of x. */
    /* ±∞ if all numbers within each group are equal and the means differ. */
    double t;
    /* Degrees of freedom. NaN if all numbers within each group are equal. */
    double df;
    /* Two-sided p. If all numbers within each group are equal, p is 1 for equal means and
     * 0 for different means. */
    double p;
    struct dj_bounds bounds;
};

/* The numbers must be finite, in any order, with n and m ≥ 2 and 0 < level < 1. The order
 * of the numbers does not change the result. Swapping the groups negates the result
 * except p and df. Returns DJ_E_NO_DATA if a group is smaller, DJ_E_INVALID if a number
 * is not finite, DJ_E_USAGE for an invalid level, or DJ_E_NO_MEMORY. */
int dj_welch(const double *x, size_t n, const double *y, size_t m, double level,
             struct dj_welch *result);

#endif
