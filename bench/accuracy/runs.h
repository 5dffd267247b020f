/*
 * Runs of an app that does not exist, as far as statistics care: a run is slower or
 * faster as a whole than another (5 %, one in twenty is a bad one), its frames remember
 * each other (AR(1) with 0.9 on the logarithm), and now and then comes a burst of long
 * ones, in some runs oftener than in others. What runs then come to spreads as that of
 * real ones does (spread.c).
 */
#ifndef DEJANK_ACCURACY_RUNS_H
#define DEJANK_ACCURACY_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random.h"

enum { DJ_SIM_RUNS_MAX = 30, DJ_SIM_FRAMES_MAX = 3000 };

/* What kind of runs a side has. */
struct dj_sim_shape {
    size_t frames;     /* of a run, ≤ DJ_SIM_FRAMES_MAX */
    double run_sd;     /* of ln, between runs */
    bool heavy;        /* the run's effect is Student's t with 3 degrees of freedom */
    double slower;     /* all frames take so many times as long: 1 */
    double more_janky; /* bursts are so many times as frequent: 1 */
};

/* What frame times are compared by, and jank. */
enum dj_sim_metric { DJ_SIM_P50, DJ_SIM_P95, DJ_SIM_P99, DJ_SIM_JANK, DJ_SIM_METRICS };
extern const char *const dj_sim_metric_names[DJ_SIM_METRICS];
extern const double dj_sim_quantiles[DJ_SIM_METRICS]; /* 0: it is none */

/* Runs of one side. Of jank: janky frames; frames beside it are the same in all. */
struct dj_sim_side {
    double value[DJ_SIM_METRICS][DJ_SIM_RUNS_MAX];
    double frames[DJ_SIM_RUNS_MAX];
    size_t count;
};

void dj_sim_side_fill(struct dj_random *random, const struct dj_sim_shape *shape,
                      size_t runs, struct dj_sim_side *side);

#endif
