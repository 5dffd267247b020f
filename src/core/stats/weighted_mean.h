/* Means with given weights, and their standard errors. The weights must not depend on the
 * values. Allocates nothing. Safe in any thread. */
#ifndef DEJANK_STATS_WEIGHTED_MEAN_H
#define DEJANK_STATS_WEIGHTED_MEAN_H

#include <stddef.h>

struct dj_weighted_mean {
    double value; /* The weighted mean Σwx / Σw. */
    double error; /* Standard error of the value. */
    /* Degrees of freedom of Student's t for value / error. Infinite if error is 0. */
    double df;
};

/*
 * Computes the weighted mean of independent clusters, which may spread differently. With
 * h = w / Σw and the residuals e = x − Σhx, the squared error is Σ h²e² / (1 − h) (White
 * 1980; HC2). The degrees of freedom are those of Bell and McCaffrey (2002): they
 * decrease if few clusters have most of the weight. With equal weights, both are those of
 * the ordinary mean: s² / n and n − 1. Needs at least two clusters, weights above 0 and
 * finite values. Returns DJ_E_NO_DATA or DJ_E_INVALID otherwise.
 */
int dj_weighted_mean_compute(const double *values, const double *weights, size_t count,
                             struct dj_weighted_mean *mean);

/* Combines independent estimates with fixed weights: Σwx / Σw, with Satterthwaite's
 * degrees of freedom. Needs at least one part and weights above 0. Returns DJ_E_NO_DATA
 * or DJ_E_INVALID otherwise. */
int dj_weighted_mean_combine(const struct dj_weighted_mean *parts, const double *weights,
                             size_t count, struct dj_weighted_mean *mean);

#endif
