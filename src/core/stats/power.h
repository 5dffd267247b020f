/*
 * The power of the tests in this module: the probability that a test of two groups with n
 * numbers each finds a difference that exists. Allocates nothing, and has no global
 * state. Safe in any thread.
 *
 * `distance` is the true difference of the centers, divided by the standard deviation of
 * one number. It may be infinite. All tests are two-sided with level `alpha`. Only a
 * result in the direction of a positive distance counts as a success. The numbers are
 * assumed to be normally distributed. The results differ from simulations by less than
 * 0.08 for n ≥ 5, and by less than 0.02 for n ≥ 30.
 */
#ifndef DEJANK_STATS_POWER_H
#define DEJANK_STATS_POWER_H

#include <stddef.h>

/* The power of the Mann–Whitney test. Approximates U by a beta distribution with the mean
 * and variance that U has for shifted normal numbers. Returns 0 if n numbers cannot reach
 * alpha. */
double dj_power_of_ranks(double distance, size_t n, double alpha);

/* The probability that all numbers of one group are larger than all numbers of the
 * other. */
double dj_power_of_separation(double distance, size_t n);

/* The power of Student's t test with `df` degrees of freedom. `errors` is the true
 * difference divided by its standard error. */
double dj_power_of_t(double errors, double df, double alpha);

#endif
