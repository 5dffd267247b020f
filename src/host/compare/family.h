/* Judges several metrics as one family, so that more metrics cause no more false alarms
 * than one. Uses Holm's method for the metrics that gate, and Benjamini and Hochberg's
 * with its matching intervals for the rest. */
#ifndef DEJANK_COMPARE_FAMILY_H
#define DEJANK_COMPARE_FAMILY_H

#include "compare/effect.h"

/* A metric of a family, from one comparison or several, of any flows. */
struct dj_family_member {
    struct dj_effect_side a, b;
    struct dj_effect_rules rules; /* the functions below set alpha from the family's */
    bool gates;
    struct dj_effect effect; /* result */
    double adjusted_p;       /* result: by Holm, or by Benjamini and Hochberg */
};

struct dj_family_verdict {
    enum dj_compare_verdict verdict;
    bool contradictory; /* hard verdicts of both directions, hence inconclusive */
    size_t gating;      /* members that determine the verdict */
    size_t dropped;     /* members that should gate but were refused for their data */
};

/*
 * Judges each member at the level that the family leaves for it, then all gating members
 * together. The verdict is the first of regression, improvement, likely-regression and
 * likely-improvement that a member has. Else it is inconclusive if one member is or none
 * is left, else equivalent. The chance that any unchanged gating member gets a verdict
 * with a direction is at most alpha. Errors as of dj_compare_compute_effect().
 */
int dj_compare_family_judge(struct dj_family_member *members, size_t count, double alpha,
                            struct dj_family_verdict *verdict, struct dj_error *err);

/* Combines the verdicts of members that are judged already. */
void dj_compare_family_combine(const struct dj_family_member *members, size_t count,
                               struct dj_family_verdict *verdict);

/* Returns the runs per side that decide an undecided family: one gating member shows a
 * direction, or all are decided. NaN: unknown, or no number is enough. */
double dj_compare_family_runs_needed(const struct dj_family_member *members,
                                     size_t count);

#endif
