/* What judging one metric is put together from. Private to effect*.c. */
#ifndef DEJANK_COMPARE_EFFECT_PARTS_H
#define DEJANK_COMPARE_EFFECT_PARTS_H

#include "compare/effect.h"
#include "stats/center.h"

/* A side's runs that know the metric. */
struct dj_known_runs {
    double *log; /* ascending; of a ratio that is positive everywhere. Owned, with those
 below */
    double *events; /* of a share, with `frames`, in the side's order */
    double *frames;
    size_t count, unknown;
    bool positive;
    struct dj_center center; /* of the values, or of the shares */
    double median_frames;    /* NaN: nobody knows */
    bool same_frames;        /* of a share: all runs have as many frames */
};

void dj_known_runs_take(const struct dj_effect_side *side, enum dj_effect_kind kind,
                        struct dj_known_runs *known);
void dj_known_runs_finish(struct dj_known_runs *known);

/* ln of the ratio with both intervals, as whatever method found them. */
struct dj_log_effect {
    double shift;
    struct dj_bounds outer, inner; /* at 1 − alpha and 1 − 2 alpha */
    double p_spread; /* 1, or by Student's t from how far runs spread: what tells how rare
                        it is that few runs do not overlap */
    double
        variance; /* of the shift, if runs were normal: what the past is held against */
};

/* Shares of alpha that p of a hard verdict must not exceed: of the test's p, and of
 * p_spread where the sides do not overlap. */
extern const double DJ_EFFECT_HARD_SHARE, DJ_EFFECT_APART_SHARE;

/* Each fills *found, and of *effect what does not hang on alpha unless `again`. */
int dj_effect_ratio(const struct dj_known_runs *a, const struct dj_known_runs *b,
                    const struct dj_effect_rules *rules, bool again,
                    struct dj_effect *effect, struct dj_log_effect *found);
int dj_effect_share(const struct dj_known_runs *a, const struct dj_known_runs *b,
                    const struct dj_effect_rules *rules, bool again,
                    struct dj_effect *effect, struct dj_log_effect *found);

/* Puts the spread of earlier batches in the place of that of the runs. */
void dj_effect_by_past(const struct dj_effect_rules *rules, struct dj_effect *effect,
                       struct dj_log_effect *found);

/* Sets runs_needed and runs_to_show from everything else in *effect. `shift` is the
 * observed difference of the logarithms. */
void dj_effect_set_runs(const struct dj_effect_rules *rules, double shift,
                        struct dj_effect *effect);

#endif
