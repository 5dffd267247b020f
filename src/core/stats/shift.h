/*
 * By how much one group lies above another: the estimate of Hodges and Lehmann (1963) and
 * the interval of the inverted exact Mann–Whitney test (Moses; Bauer 1972). Of logarithms
 * it is a ratio: exp(shift). Heap: scratch only, freed before it returns; any thread.
 *
 * With D the n m differences y − x in order, counted from 0: the shift is their median,
 * the interval [D[q], D[n m − 1 − q]] with q from dj_mann_whitney_critical(). No
 * difference is stored: the ranks are found between the sorted groups in O((n + m) log).
 * Swapping the groups negates everything, to the bit.
 */
#ifndef DEJANK_STATS_SHIFT_H
#define DEJANK_STATS_SHIFT_H

#include <stddef.h>

/* An interval of confidence, both ends belonging to it; −∞ or ∞: nothing is known on that
 * side. (The interval between frames is dj_interval.) */
struct dj_bounds {
    double low, high;
};

/* The shift of y − x and its intervals: bounds[i] belongs to levels[i], 0 < level < 1
 * (0.95). So few numbers that the level cannot be reached give −∞ … ∞. n and m ≥ 1,
 * ascending, finite. DJ_E_NO_DATA: a group is empty. DJ_E_USAGE: no such level.
 * DJ_E_NO_MEMORY. */
int dj_shift_of_sorted(const double *x, size_t n, const double *y, size_t m,
                       const double *levels, size_t level_count, double *shift,
                       struct dj_bounds *bounds);

/* The centre of one group: the median of the means of all n² pairs, each number paired
 * with itself, too (Hodges and Lehmann). In any order. DJ_E_NO_DATA: there are none.
 * DJ_E_INVALID: a number is not finite. DJ_E_NO_MEMORY. */
int dj_centre_of(const double *values, size_t count, double *centre);

#endif
