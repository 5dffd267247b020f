/* The shift between two groups: the estimate of Hodges and Lehmann (1963) and the
 * interval of the inverted exact Mann–Whitney test (Moses; Bauer 1972). For logarithms
 * it is a ratio: exp(shift). Allocates scratch memory only; any thread.
 *
 * With D the n m sorted differences y − x, counted from 0: the shift is their median,
 * the interval is [D[q], D[n m − 1 − q]] with q from dj_mann_whitney_critical(). No
 * difference is stored: the ranks are found between the sorted groups in O((n + m)
 * log). Swapping the groups negates everything exactly. */
#ifndef DEJANK_STATS_SHIFT_H
#define DEJANK_STATS_SHIFT_H

#include <stddef.h>

/* A confidence interval including both ends; −∞ or ∞: unlimited on that side. (The
 * interval between frames is dj_interval.) */
struct dj_bounds {
    double low, high;
};

/* Computes the shift of y − x and its intervals: bounds[i] belongs to levels[i], 0 <
 * level < 1 (0.95). Too few numbers for the level give −∞ … ∞. n and m ≥ 1, ascending,
 * finite. Returns DJ_E_NO_DATA if a group is empty, DJ_E_USAGE for an invalid level,
 * or DJ_E_NO_MEMORY. */
int dj_shift_compute_sorted(const double *x, size_t n, const double *y, size_t m,
                            const double *levels, size_t level_count, double *shift,
                            struct dj_bounds *bounds);

/* Computes the center of one group in any order: the median of the means of all n²
 * pairs, including each number with itself (Hodges and Lehmann). Returns DJ_E_NO_DATA
 * for none, DJ_E_INVALID if a number is not finite, or DJ_E_NO_MEMORY. */
int dj_shift_compute_centre(const double *values, size_t count, double *centre);

#endif
