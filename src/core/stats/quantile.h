/*
 * stats: the mathematics — quantiles now; intervals, tests and change points as they
 * come. It knows numbers, not frames. Runs inside recorded apps too: no allocation, no
 * I/O, no globals; safe in any thread.
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
