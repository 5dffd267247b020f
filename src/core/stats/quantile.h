/*
 * stats: the mathematics — quantiles, histograms that merge, tests of two groups and
 * their intervals, levels for many tests and many looks, change points. It knows numbers,
 * not frames; no I/O, no clock, no globals; safe in any thread. What recorded apps run
 * (quantile, center, order) allocates nothing; whatever else needs scratch memory says so
 * in its header, and no object of an app pulls it in.
 *
 * One of its answers is by chance, the permuted p of brunner_munzel.h, and that by
 * numbers seeded with the input. Groups come in any order; swapping them negates
 * differences and keeps p to the bit.
 *
 * Quantiles are of type 7 (Hyndman & Fan 1996, the default of R and NumPy): with x sorted
 * and counted from 0, h = (n − 1) p,  k = ⌊h⌋,  q = x[k] + (h − k) (x[k+1] − x[k]).
 */
#ifndef DEJANK_STATS_QUANTILE_H
#define DEJANK_STATS_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* The quantile p of `count` ascending numbers; NaN where there are none. p is taken as 0
 * … 1. */
double dj_quantile(const double *sorted, size_t count, double p);

/* The same of integers, exact as far as a double is. */
double dj_quantile_int64(const int64_t *sorted, size_t count, double p);

/* Sorts ascending, in place, in O(n log n) whatever the input; on the stack alone. */
void dj_sort_int64(int64_t *values, size_t count);

/* Moves numbers about, in place, until dj_quantile_int64() answers for each of these
 * ascending p as if all were sorted. O(n) for each, O(n log n) whatever the input. */
void dj_arrange_int64(int64_t *values, size_t count, const double *p, size_t p_count);

#endif
