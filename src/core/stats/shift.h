/* The shift between two groups: the estimate of Hodges and Lehmann (1963) with the
 * confidence interval of the inverted exact Mann–Whitney test (Moses; Bauer 1972). If the
 * numbers are logarithms, exp(shift) is a ratio. Allocates scratch memory only. Safe in
 * any thread.
 *
 * With D as the n m sorted differences y − x, counted from 0, the shift is the median of
 * D. The interval is [D[q], D[n m − 1 − q]] with q from dj_mann_whitney_critical(). The
 * differences are not stored: their ranks are found between the sorted groups in O((n +
 * m) log). Swapping the groups negates the results exactly. */
#ifndef DEJANK_STATS_SHIFT_H
#define DEJANK_STATS_SHIFT_H

#include <stddef.h>

/* A confidence interval that includes both ends. An end may be −∞ or ∞. (dj_interval is
 * something else: the time between two frames.) */
struct dj_bounds {
    double low, high;
};

/* Computes the shift of y − x and its confidence intervals. bounds[i] is the interval at
 * levels[i], with 0 < level < 1. If there are too few numbers for a level, its interval
 * is −∞ to ∞. The groups must be finite, ascending and not empty. Returns DJ_E_NO_DATA if
 * a group is empty, DJ_E_USAGE for an invalid level, or DJ_E_NO_MEMORY. */
int dj_shift_compute_sorted(const double *x, size_t n, const double *y, size_t m,
                            const double *levels, size_t level_count, double *shift,
                            struct dj_bounds *bounds);

/* Computes the center of one group by the method of Hodges and Lehmann: the median of the
 * means of all n² pairs, including each number with itself. The numbers may be in any
 * order. Returns DJ_E_NO_DATA if count is 0, DJ_E_INVALID if a number is not finite, or
 * DJ_E_NO_MEMORY. */
int dj_shift_compute_centre(const double *values, size_t count, double *centre);

#endif
