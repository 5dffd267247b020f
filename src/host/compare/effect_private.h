/* Steps of judging one metric. */
#ifndef DEJANK_COMPARE_EFFECT_PRIVATE_H
#define DEJANK_COMPARE_EFFECT_PRIVATE_H

#include "compare/effect.h"
#include "stats/center.h"

/* A side's runs that know the metric. */
struct dj_known_runs {
    double *log; /* ascending; only of ratios with positive values. The struct owns this
                    and the arrays below */
    double *events; /* of a share, with `frames`, in the side's order */
    double *frames;
    size_t count, unknown;
    bool positive;
    struct dj_center center; /* of the values, or of the shares */
    double median_frames;    /* NaN: unknown */
    bool same_frames;        /* of a share: all runs have the same number of frames */
};

void dj_compare_effect_known_runs_init(const struct dj_effect_side *side,
                                       enum dj_effect_kind kind,
                                       struct dj_known_runs *known);
void dj_compare_effect_known_runs_finish(struct dj_known_runs *known);

/* ln of the ratio with both intervals, from any method. */
struct dj_log_effect {
    double shift;
    struct dj_bounds outer, inner; /* at 1 − alpha and 1 − 2 alpha */
    double p_spread; /* 1, or from Student's t for the spread of the runs: how rare it is
                        that few runs do not overlap */
    double variance; /* of the shift for normally distributed runs; the past is compared
                        with it */
};

/* The largest p of a hard verdict as shares of alpha: for the test's p, and for p_spread
 * of sides that do not overlap. */
extern const double DJ_EFFECT_HARD_SHARE, DJ_EFFECT_APART_SHARE;

/* Each fills *found. Unless `again` is set, each also sets the members of *effect that do
 * not depend on alpha. */
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

/* Replaces the spread of the runs by that of earlier batches. */
void dj_compare_effect_use_past(const struct dj_effect_rules *rules,
                                struct dj_effect *effect, struct dj_log_effect *found);

/* Sets runs_needed and runs_to_show from everything else in *effect. `shift` is the
 * observed difference of the logarithms. */
void dj_compare_effect_set_runs(const struct dj_effect_rules *rules, double shift,
                                struct dj_effect *effect);

#endif
