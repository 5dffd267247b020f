/* Functions that the files for judging one metric share. */
#ifndef DEJANK_COMPARE_EFFECT_PRIVATE_H
#define DEJANK_COMPARE_EFFECT_PRIVATE_H

#include "compare/effect.h"
#include "stats/center.h"

/* The runs of a side that know the metric. The struct owns its arrays. */
struct dj_known_runs {
    /* Logarithms in ascending order, for ratios with positive values only. */
    double *log;
    /* `events` and `frames` of each run of a share, in the side's order. */
    double *events;
    double *frames;
    size_t count, unknown;
    bool positive;
    struct dj_center center; /* Centre of the values, or of a share's rates. */
    double median_frames;    /* Median number of frames per run, or NaN if unknown. */
    /* True if all runs of a side have the same number of frames. Only used for a
     * share. */
    bool same_frames;
};

void dj_compare_effect_known_runs_init(const struct dj_effect_side *side,
                                       enum dj_effect_kind kind,
                                       struct dj_known_runs *known);
void dj_compare_effect_known_runs_finish(struct dj_known_runs *known);

/* Logarithm of the ratio B / A, with its confidence intervals. */
struct dj_log_effect {
    double shift;
    /* Intervals at the levels 1 − alpha and 1 − 2 alpha. */
    struct dj_bounds outer, inner;
    /* p of the t test that a hard verdict needs if the sides do not overlap. 1 if there
     * was no t test. */
    double p_spread;
    /* Variance of the shift if the runs are normally distributed. It is compared with the
     * variance between earlier batches. */
    double variance;
};

/* Limits for a hard verdict, as shares of alpha. The first one is the largest p. For
 * sides that do not overlap, the second one is the largest p_spread instead. */
extern const double DJ_EFFECT_HARD_SHARE, DJ_EFFECT_APART_SHARE;

/* These functions fill *found. If `again` is false, they also set the members of *effect
 * that do not depend on alpha. */
int dj_compare_effect_estimate_ratio(const struct dj_known_runs *a,
                                     const struct dj_known_runs *b,
                                     const struct dj_effect_rules *rules, bool again,
                                     struct dj_effect *effect,
                                     struct dj_log_effect *found);
int dj_compare_effect_estimate_share(const struct dj_known_runs *a,
                                     const struct dj_known_runs *b,
                                     const struct dj_effect_rules *rules, bool again,
                                     struct dj_effect *effect,
                                     struct dj_log_effect *found);

/* Replaces the spread of the runs by the spread between earlier batches. */
void dj_compare_effect_use_past(const struct dj_effect_rules *rules,
                                struct dj_effect *effect, struct dj_log_effect *found);

/* Sets runs_needed and runs_to_show from the other members of *effect. `shift` is the
 * observed difference of the logarithms. */
void dj_compare_effect_set_runs(const struct dj_effect_rules *rules, double shift,
                                struct dj_effect *effect);

#endif
