/* Center and spread of a few numbers, such as one per run. Allocates nothing. Safe in any
 * thread. */
#ifndef DEJANK_STATS_CENTER_H
#define DEJANK_STATS_CENTER_H

#include <stddef.h>

/* If count is 0, the other fields are undefined. */
struct dj_center {
    size_t count; /* Number of values that are not NaN. */
    double min, max, mean, median;
    double q1, q3; /* Quartiles, quantiles of type 7. */
    double sd;     /* Sample standard deviation (n − 1). NaN if count is 1. */
};

/* Ignores NaN, which means an unknown number. Sorts `values` in place and moves NaN to
 * the end. */
void dj_center_compute(double *values, size_t count, struct dj_center *center);

#endif
