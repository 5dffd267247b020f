/* Finds differences y − x between two sorted groups by their rank, without computing all
 * of them. */
#ifndef DEJANK_STATS_TWO_GROUPS_DIFFERENCES_H
#define DEJANK_STATS_TWO_GROUPS_DIFFERENCES_H

#include <stddef.h>

/* Sets result[i] to the difference with rank ranks[i] among all n m differences, counted
 * from 0. n m must be > 0, and x and y ascending and finite. Takes O((n + m) log(n m))
 * per rank. Returns 0 or DJ_E_NO_MEMORY. */
int dj_differences_find(const double *x, size_t n, const double *y, size_t m,
                        const size_t *ranks, size_t rank_count, double *result);

/* Computes the median of all differences. Returns 0 or DJ_E_NO_MEMORY. */
int dj_differences_median(const double *x, size_t n, const double *y, size_t m,
                          double *median);

#endif
