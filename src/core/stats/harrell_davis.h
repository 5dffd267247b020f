/* Quantiles that weigh all numbers: smoother than type 7 over a few of them, for drawing.
 * Of many frames they are no better, and in the tail worse: the figures are of type 7. */
#ifndef DEJANK_STATS_HARRELL_DAVIS_H
#define DEJANK_STATS_HARRELL_DAVIS_H

#include <stddef.h>

/* The quantile p of `count` ascending numbers (Harrell and Davis 1982), 0 < p < 1; at 0
 * and 1 the least and the largest. NaN of none. No allocation; any thread. */
double dj_harrell_davis(const double *sorted, size_t count, double p);

#endif
