/* Robust measures of spread, and tests for drift. Allocates where stated, scratch
 * memory only; any thread. */
#ifndef DEJANK_STATS_SPREAD_H
#define DEJANK_STATS_SPREAD_H

#include <stddef.h>

/* Returns the variance of a sample (n − 1) of finite numbers, or NaN for fewer than
 * two. */
double dj_spread_sample_variance(const double *values, size_t count);

/* Returns the median absolute deviation from the median, times 1.4826: the sd for
 * normal numbers. Reorders and overwrites `values`. Returns NaN for none. */
double dj_spread_mad(double *values, size_t count);

/* Returns the median distance of two different numbers, times 1.0484: the sd for
 * normal numbers, and nearly as precise as the sd (Shamos 1976; Rousseeuw and Croux
 * 1993). `sorted` is ascending. Returns NaN for fewer than two. */
double dj_spread_shamos_sorted(const double *sorted, size_t count);

/* The same for two groups, each about itself: the root of the mean square, weighted by
 * n − 1. Ignores a group of fewer than two; returns NaN if both are. */
double dj_spread_shamos_pooled_sorted(const double *x, size_t n, const double *y,
                                      size_t m);

struct dj_spread_rank_correlation {
    double rho; /* Spearman's; NaN if one of both is constant */
    double p;   /* two-sided, by t with n − 2; 1 where rho is NaN */
};

/* Tests whether numbers depend on their order: value[i] was the i-th. Midranks for
 * ties. Allocates scratch memory. Returns DJ_E_NO_DATA for fewer than 4, DJ_E_INVALID
 * if one is not finite, or DJ_E_NO_MEMORY. */
int dj_spread_compute_drift(const double *values, size_t count,
                            struct dj_spread_rank_correlation *result);

/* The same for pairs. */
int dj_spread_rank_correlation(const double *x, const double *y, size_t count,
                               struct dj_spread_rank_correlation *result);

#endif
