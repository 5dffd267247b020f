/* Several metrics judged as one family, so that looking at many raises no more false
 * alarms than looking at one: Holm over those that gate, Benjamini and Hochberg with the
 * intervals that belong to it over the rest. */
#ifndef DEJANK_COMPARE_FAMILY_H
#define DEJANK_COMPARE_FAMILY_H

#include "compare/effect.h"

/* A metric of a family: of one comparison or of several, of whatever flows. */
struct dj_family_member {
    struct dj_effect_side a, b;
    struct dj_effect_rules rules; /* alpha is the family's: set by the functions below */
    bool gates;
    struct dj_effect effect; /* filled */
    double adjusted_p;       /* filled: by Holm, or by Benjamini and Hochberg */
};

struct dj_family_verdict {
    enum dj_judgement verdict;
    bool contradictory; /* hard verdicts of both signs: hence inconclusive */
    size_t gating;      /* members the verdict is of */
    size_t dropped;     /* that should gate, and were refused for their data */
};

/*
 * Judges each member at the level the family leaves it, and all that gate together: the
 * first that one of them has of regression, improvement, likely-regression and
 * likely-improvement; else inconclusive if one is, or if none is left; else equivalent.
 * The chance that any gating member without a change gets a directional verdict is at
 * most alpha. Errors as dj_effect_of().
 */
int dj_family_judge(struct dj_family_member *members, size_t count, double alpha,
                    struct dj_family_verdict *verdict, struct dj_error *err);

/* The same of members that were judged: only puts verdicts together. */
void dj_family_sum_up(const struct dj_family_member *members, size_t count,
                      struct dj_family_verdict *verdict);

/* Runs per side that settle a family that is not settled: where one gating member shows
 * a direction, or all are settled. NaN: unknown, or no number of runs is enough. */
double dj_family_runs_needed(const struct dj_family_member *members, size_t count);

#endif
