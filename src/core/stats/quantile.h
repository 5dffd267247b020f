/* stats: statistics on plain numbers: quantiles, mergeable histograms, tests and
 * confidence intervals for two groups, significance levels for multiple tests, change
 * points. It contains nothing about frames. No I/O, no clock, no global state. Safe in
 * any thread. The files that recorded apps use (quantile, center, order) allocate no
 * memory. Files that allocate scratch memory say so in their headers, and apps do not
 * link them.
 *
 * All results depend only on the input. The permutation tests use random numbers, but
 * their seed is computed from the input. Groups may be in any order. Swapping the two
 * groups negates differences exactly and does not change p.
 *
 * Quantiles are of type 7 (Hyndman and Fan 1996), the default of R and NumPy: with x
 * sorted and counted from 0, h = (n − 1) p and k = ⌊h⌋, the quantile is x[k] + (h − k)
 * (x[k+1] − x[k]). */
#ifndef DEJANK_STATS_QUANTILE_H
#define DEJANK_STATS_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the quantile p of numbers in ascending order, or NaN if count is 0. A p below 0
 * counts as 0, and a p above 1 as 1. */
double dj_quantile_compute(const double *sorted, size_t count, double p);

/* Like dj_quantile_compute(), but for integers. The result has the precision of a
 * double. */
double dj_quantile_compute_int64(const int64_t *sorted, size_t count, double p);

/* Sorts numbers in place in ascending order, in O(n log n) for any input. Uses only the
 * stack. */
void dj_quantile_sort_int64(int64_t *values, size_t count);

/* Reorders numbers in place so that dj_quantile_compute_int64() returns the correct
 * result for each p of the array, as if all numbers were sorted. The array `p` must be
 * ascending. Takes O(n) per p, and O(n log n) at worst. */
void dj_quantile_arrange_int64(int64_t *values, size_t count, const double *p,
                               size_t p_count);

#endif
