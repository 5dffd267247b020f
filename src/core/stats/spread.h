/* Robust measures of spread, and a test for drift. Some functions allocate scratch
 * memory. Safe in any thread. */
#ifndef DEJANK_STATS_SPREAD_H
#define DEJANK_STATS_SPREAD_H

#include <stddef.h>

/* Returns the sample variance (n − 1) of finite numbers, or NaN if there are fewer than
 * two. */
double dj_spread_sample_variance(const double *values, size_t count);

/* Returns the median absolute deviation from the median, times 1.4826. For normal numbers
 * this estimates the standard deviation. Reorders and overwrites `values`. Returns NaN if
 * count is 0. */
double dj_spread_mad(double *values, size_t count);

/* Returns the median distance between two numbers of the group, times 1.0484 (Shamos
 * 1976; Rousseeuw and Croux 1993). For normal numbers this estimates the standard
 * deviation almost as precisely as the sample standard deviation. `sorted` is ascending.
 * Returns NaN if there are fewer than two numbers or no memory. */
double dj_spread_shamos_sorted(const double *sorted, size_t count);

/* Like dj_spread_shamos_sorted(), but for two groups with a common spread: the root of
 * the mean square of both results, weighted by n − 1. Ignores a group of fewer than two
 * numbers. Returns NaN if both groups are that small. */
double dj_spread_shamos_pooled_sorted(const double *x, size_t n, const double *y,
                                      size_t m);

struct dj_spread_rank_correlation {
    double rho; /* Spearman's ρ. NaN if the numbers of a series are all equal. */
    /* Two-sided p by Student's t with n − 2 degrees of freedom. 1 if ρ is NaN. */
    double p;
};

/* Tests whether numbers depend on their order, by the rank correlation of values[i] with
 * i. Equal numbers get midranks. Allocates scratch memory. Returns DJ_E_NO_DATA for fewer
 * than 4 numbers, DJ_E_INVALID if a number is not finite, or DJ_E_NO_MEMORY. */
int dj_spread_compute_drift(const double *values, size_t count,
                            struct dj_spread_rank_correlation *result);

/* Computes the rank correlation of pairs (x[i], y[i]). Errors are those of
 * dj_spread_compute_drift(). */
int dj_spread_rank_correlation(const double *x, const double *y, size_t count,
                               struct dj_spread_rank_correlation *result);

#endif
