/* Distributions for the tests and intervals. No allocation, no globals; any thread.
 * NaN in gives NaN out. */
#ifndef DEJANK_STATS_SPECIAL_H
#define DEJANK_STATS_SPECIAL_H

/* P(Z ≤ z) of the standard normal distribution. */
double dj_special_normal_cdf(double z);

/* Its inverse: −∞ at p = 0, ∞ at 1, NaN outside. */
double dj_special_normal_quantile(double p);

/* The regularised incomplete beta function I_x(a, b) with a and b > 0 and x in 0 … 1,
 * else NaN. Continued fraction with Lentz's method; within 1e-11. */
double dj_special_incomplete_beta(double a, double b, double x);

/* Student's t with df > 0 degrees of freedom, not necessarily an integer; infinite df
 * is the normal distribution. P(T ≤ t), and P(|T| ≥ |t|), which is precise when it is
 * small. */
double dj_special_t_cdf(double t, double df);
double dj_special_t_two_sided(double t, double df);

/* The inverse of dj_special_t_cdf(): −∞ at p = 0, ∞ at 1, NaN outside. */
double dj_special_t_quantile(double p, double df);

#endif
