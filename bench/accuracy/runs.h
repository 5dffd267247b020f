/*
 * Simulated runs of an app, as far as statistics need them. Each run as a whole is slower
 * or faster than others (in most cases with a standard deviation of 5 %), and one in
 * twenty is a bad run. The frames of a run are correlated (AR(1) with 0.9 on the
 * logarithm). Bursts of long frames occur, in some runs more often than in others. The
 * results of these runs spread like those of real ones (spread.c).
 */
#ifndef DEJANK_ACCURACY_RUNS_H
#define DEJANK_ACCURACY_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random.h"

enum { DJ_SIM_RUNS_MAX = 30, DJ_SIM_FRAMES_MAX = 3000 };

/* The kind of runs of a side. */
struct dj_sim_shape {
    size_t frames;     /* per run, ≤ DJ_SIM_FRAMES_MAX */
    double run_sd;     /* standard deviation between runs, of ln */
    bool heavy;        /* effects of runs are Student's t with 3 degrees of freedom */
    double slower;     /* factor of all frame times; 1: unchanged */
    double more_janky; /* factor of the rate of bursts; 1: unchanged */
};

/* Percentiles of the frame times, and jank. */
enum dj_sim_metric { DJ_SIM_P50, DJ_SIM_P95, DJ_SIM_P99, DJ_SIM_JANK, DJ_SIM_METRICS };
extern const char *const dj_sim_metric_names[DJ_SIM_METRICS];
extern const double dj_sim_quantiles[DJ_SIM_METRICS]; /* 0: no quantile */

/* Runs of one side. For jank, `value` is the number of janky frames. All runs have the
 * same number of frames. */
struct dj_sim_side {
    double value[DJ_SIM_METRICS][DJ_SIM_RUNS_MAX];
    double frames[DJ_SIM_RUNS_MAX];
    size_t count;
};

void dj_sim_side_fill(struct dj_random *random, const struct dj_sim_shape *shape,
                      size_t runs, struct dj_sim_side *side);

#endif
