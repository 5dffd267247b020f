/* stats: mathematics: quantiles, mergeable histograms, tests of two groups and their
 * intervals, levels for multiple tests and multiple looks, change points. It knows
 * numbers, not frames. No I/O, no clock, no globals; safe in any thread. The parts
 * that recorded apps use (quantile, center, order) allocate nothing. Others that need
 * scratch memory say so in their header, and no object of an app links them.
 *
 * One result is random: the permutation p of brunner_munzel.h, with random numbers
 * seeded by the input. Groups may be in any order. Swapping them negates differences
 * and does not change a bit of p.
 *
 * Quantiles are of type 7 (Hyndman & Fan 1996, the default of R and NumPy): with x
 * sorted and counted from 0, h = (n − 1) p, k = ⌊h⌋, q = x[k] + (h − k) (x[k+1] −
 * x[k]). */
#ifndef DEJANK_STATS_QUANTILE_H
#define DEJANK_STATS_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the quantile p of `count` ascending numbers, or NaN for none. p is limited
 * to 0 … 1. */
double dj_quantile_compute(const double *sorted, size_t count, double p);

/* The same for integers, as exact as a double. */
double dj_quantile_compute_int64(const int64_t *sorted, size_t count, double p);

/* Sorts ascending, in place, in O(n log n) for any input; uses only the stack. */
void dj_quantile_sort_int64(int64_t *values, size_t count);

/* Reorders numbers in place until dj_quantile_compute_int64() is right for each of these
 * ascending p as if all were sorted. O(n) for each, O(n log n) for any input. */
void dj_quantile_arrange_int64(int64_t *values, size_t count, const double *p,
                               size_t p_count);

#endif
