/* Chooses the functions that explain best why janky frames took longer. The chosen nodes
 * are a cut through the call tree: none is below another. calls/difference.h describes
 * the method. */
#ifndef DEJANK_CALLS_CUT_H
#define DEJANK_CALLS_CUT_H

#include "calls/sides.h"

/* Mean and variance of a node's time over the frames of one side. */
struct dj_calls_moments {
    double mean_ns, variance; /* The variance of the sample, with n − 1, in ns². */
};

/* For each node, its mean time per frame, including callees. */
struct dj_calls_means {
    const double *janky_ns, *smooth_ns;
};

/* Returns the squared standard error of the difference between the means of janky and
 * smooth frames, assuming that the times of janky frames vary like those of smooth
 * frames. `sample_ns` is the mean time that one sample represents. */
double dj_calls_cut_compute_error(const struct dj_calls_sides *sides, double sample_ns,
                                  struct dj_calls_moments smooth);

/* For each node, returns the node of the cut whose time contains the time of the node
 * itself, or UINT32_MAX if there is none. The caller frees the result. */
uint32_t *dj_calls_cut_compute(const struct dj_calls_sides *sides,
                               const struct dj_calls_means *means, double sample_ns);

#endif
