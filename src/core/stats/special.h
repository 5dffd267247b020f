/* Distribution functions for tests and intervals. Allocates nothing, and has no global
 * state. Safe in any thread. If an argument is NaN, the result is NaN. */
#ifndef DEJANK_STATS_SPECIAL_H
#define DEJANK_STATS_SPECIAL_H

/* P(Z ≤ z) for the standard normal distribution. */
double dj_special_normal_cdf(double z);

/* The inverse of dj_special_normal_cdf(). Returns −∞ for p = 0, ∞ for p = 1, and NaN for
 * p outside 0 to 1. */
double dj_special_normal_quantile(double p);

/* The regularised incomplete beta function I_x(a, b). a and b must be > 0, and x from 0
 * to 1; otherwise the result is NaN. The error is below 1e-11. */
double dj_special_incomplete_beta(double a, double b, double x);

/* Student's t distribution with df > 0 degrees of freedom. df need not be an integer, and
 * infinity gives the normal distribution. dj_special_t_cdf() returns P(T ≤ t).
 * dj_special_t_two_sided() returns P(|T| ≥ |t|), which is precise even if it is small. */
double dj_special_t_cdf(double t, double df);
double dj_special_t_two_sided(double t, double df);

/* The inverse of dj_special_t_cdf(). Returns −∞ for p = 0, ∞ for p = 1, and NaN for p
 * outside 0 to 1. */
double dj_special_t_quantile(double p, double df);

#endif
