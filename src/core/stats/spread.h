/* How far numbers lie apart, whatever a few of them do, and whether they drift. Heap
 * where it says so, freed before it returns; any thread. */
#ifndef DEJANK_STATS_SPREAD_H
#define DEJANK_STATS_SPREAD_H

#include <stddef.h>

/* The variance of a sample (n − 1) of finite numbers; NaN of fewer than two. */
double dj_sample_variance(const double *values, size_t count);

/* The median absolute deviation from the median, times 1.4826: of normal numbers their
 * sd. Reorders and overwrites `values`. NaN where there are none. */
double dj_mad(double *values, size_t count);

/* The median distance of two different numbers, times 1.0484: of normal numbers their sd,
 * too, and nearly as precisely as by it (Shamos 1976; Rousseeuw and Croux 1993). `sorted`
 * is ascending. NaN of fewer than two. */
double dj_shamos_sorted(const double *sorted, size_t count);

/* The same of two groups, each about itself: sqrt of the mean of squares, weighted by
 * n − 1. Groups of fewer than two count nothing; NaN where both are. */
double dj_shamos_pooled_sorted(const double *x, size_t n, const double *y, size_t m);

struct dj_rank_correlation {
    double rho; /* Spearman's; NaN where one of both is constant */
    double p;   /* two-sided, by t with n − 2; 1 where rho is NaN */
};

/* Whether numbers go with the order they came in: value[i] was the i-th. Midranks for
 * ties. Heap: scratch. DJ_E_NO_DATA: fewer than 4. DJ_E_INVALID: one is not finite.
 * DJ_E_NO_MEMORY. */
int dj_drift_of(const double *values, size_t count, struct dj_rank_correlation *result);

/* The same of pairs. */
int dj_rank_correlation(const double *x, const double *y, size_t count,
                        struct dj_rank_correlation *result);

#endif
