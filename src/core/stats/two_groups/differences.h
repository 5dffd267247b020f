/* The differences y − x of two sorted groups by rank, without computing all of them. */
#ifndef DEJANK_STATS_TWO_GROUPS_DIFFERENCES_H
#define DEJANK_STATS_TWO_GROUPS_DIFFERENCES_H

#include <stddef.h>

/* Sets result[i] to the difference with rank ranks[i], 0 … n m − 1, of all n m > 0; x
 * and y are ascending and finite. O((n + m) log(n m)) each. Returns 0 or
 * DJ_E_NO_MEMORY. */
int dj_differences_find(const double *x, size_t n, const double *y, size_t m,
                        const size_t *ranks, size_t rank_count, double *result);

/* Computes the median of the differences. */
int dj_differences_median(const double *x, size_t n, const double *y, size_t m,
                          double *median);

#endif
