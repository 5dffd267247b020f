/* Judges several metrics as one family, so that several metrics cause no more false
 * alarms than one metric. For the metrics that gate, uses Holm's method. For the other
 * metrics, uses Benjamini and Hochberg's method and the intervals that belong to this
 * method. */
#ifndef DEJANK_COMPARE_FAMILY_H
#define DEJANK_COMPARE_FAMILY_H

#include "compare/effect.h"

/* A metric of a family. The metrics may come from several comparisons and flows. */
struct dj_family_member {
    struct dj_effect_side a, b;
    /* An estimate that is judged instead of the runs of the sides, or NULL. */
    const struct dj_effect_estimate *estimate;
    /* The functions below replace alpha in these rules. */
    struct dj_effect_rules rules;
    bool gates;
    /* The judgement of the metric. Set by the functions below. */
    struct dj_effect effect;
    /* p after the correction for several metrics: Holm's method for gating metrics, and
     * the method of Benjamini and Hochberg for the others. Set by the functions below. */
    double adjusted_p;
};

struct dj_family_verdict {
    enum dj_compare_verdict verdict;
    /* True if there are regressions and improvements. The verdict is then
     * inconclusive. */
    bool contradictory;
    size_t gating; /* Number of members that determine the verdict. */
    /* Number of gating members that were refused because of their data. */
    size_t dropped;
};

/* Judges each member with a corrected alpha, then combines all gating members into one
 * verdict. The verdict is the first of regression, improvement, likely-regression and
 * likely-improvement that a gating member has. If no gating member has one of these, the
 * verdict is inconclusive if a member is inconclusive or no member can be judged, and
 * equivalent if all are equivalent. The chance that any unchanged gating member gets a
 * verdict with a direction is at most alpha. Returns the errors of
 * dj_compare_compute_effect(). */
int dj_compare_family_judge(struct dj_family_member *members, size_t count, double alpha,
                            struct dj_family_verdict *verdict, struct dj_error *err);

/* Judges a member again at the level that Holm's method gives it. If `significant` is
 * false, the member gets no direction. Equivalence is judged at `alpha`. This needs no
 * correction, because a family is equivalent only if every member is equivalent. */
int dj_compare_family_apply_level(struct dj_family_member *member, double level,
                                  bool significant, double alpha, struct dj_error *err);

/* Combines the verdicts of members that were already judged. */
void dj_compare_family_combine(const struct dj_family_member *members, size_t count,
                               struct dj_family_verdict *verdict);

/* Returns the number of runs per side that would decide an undecided family. A family is
 * decided if one gating member has a direction or if all members are decided. Returns NaN
 * if the number is unknown or no number is enough. */
double dj_compare_family_runs_needed(const struct dj_family_member *members,
                                     size_t count);

#endif
