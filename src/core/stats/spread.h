/* How far numbers lie apart, whatever a few of them do; whether they drift; and how many
 * are needed to see a change. Heap where it says so, freed before it returns; any thread.
 */
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

/* Runs per side that find a change of `change` (0.05: by 5 % of the ratio's logarithm)
 * with probability `power` at two-sided alpha, where logarithms of single runs spread by
 * `sigma`: 2 ((z_{1−α/2} + z_power) σ / ln(1 + change))² / 0.955 (the efficiency of
 * ranks) rounded up, at least 2. NaN where something is not known or not > 0. */
double dj_runs_needed(double sigma, double change, double alpha, double power);

#endif
