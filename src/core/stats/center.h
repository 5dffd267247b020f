/* Center and spread of a few numbers, such as one per run. No allocation; any thread. */
#ifndef DEJANK_STATS_CENTER_H
#define DEJANK_STATS_CENTER_H

#include <stddef.h>

/* If count is 0, the other fields are invalid. */
struct dj_center {
    size_t count; /* of the known numbers */
    double min, max, mean, median;
    double q1, q3; /* quartiles of type 7 */
    double sd;     /* of a sample (n − 1); NaN for a single number */
};

/* Ignores NaNs, which are unknown numbers. Sorts `values` in place, NaNs last. */
void dj_center_compute(double *values, size_t count, struct dj_center *center);

#endif
