/* The differences y − x of two sorted groups by rank, without making them all. For this
 * room alone. */
#ifndef DEJANK_STATS_DIFFERENCES_H
#define DEJANK_STATS_DIFFERENCES_H

#include <stddef.h>

/* result[i] is the difference of rank ranks[i], from 0 … n m − 1, of all n m > 0, x and y
 * ascending and finite. O((n + m) log(n m)) each. DJ_E_NO_MEMORY. */
int dj_differences_at(const double *x, size_t n, const double *y, size_t m,
                      const size_t *ranks, size_t rank_count, double *result);

/* The median of them. */
int dj_differences_median(const double *x, size_t n, const double *y, size_t m,
                          double *median);

#endif
