/*
 * The power of the tests in this module: the probability that two groups of n numbers
 * each show a difference that exists. No allocation, no globals; any thread.
 *
 * `distance` is the true difference of the centres divided by the standard deviation of
 * one number. It may be infinite. All tests are two-sided at `alpha`; the power counts
 * only results in the direction of a positive distance. For normal numbers; within 0.08
 * of simulations from n = 5 on, within 0.02 from 30 on.
 */
#ifndef DEJANK_STATS_POWER_H
#define DEJANK_STATS_POWER_H

#include <stddef.h>

/* Mann and Whitney's test: U as a beta variable with the mean and variance that U has
 * for shifted normal numbers. 0 where n numbers cannot reach alpha. */
double dj_power_of_ranks(double distance, size_t n, double alpha);

/* The probability that every number of one group is above every number of the other. */
double dj_power_of_separation(double distance, size_t n);

/* Student's t with `df` degrees of freedom, where the true difference is `errors`
 * standard errors. */
double dj_power_of_t(double errors, double df, double alpha);

#endif
