/* What a few numbers come to, one of each run: where they lie and how far apart. No
 * allocation; any thread. */
#ifndef DEJANK_STATS_CENTER_H
#define DEJANK_STATS_CENTER_H

#include <stddef.h>

/* Where count is 0 nothing else means anything. */
struct dj_center {
    size_t count; /* of the numbers that are known */
    double min, max, mean, median;
    double q1, q3; /* quartiles of type 7 */
    double sd;     /* of a sample (n − 1); NaN of a single one */
};

/* NaNs are unknown, and left out. Sorts `values` in place, NaNs last. */
void dj_center_of(double *values, size_t count, struct dj_center *center);

#endif
