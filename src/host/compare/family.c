#include "compare/family.h"

#include <math.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "stats/adjust.h"

static int compute_member(struct dj_family_member *member, struct dj_error *err)
{
    return member->estimate != NULL
               ? dj_compare_judge_estimate(member->estimate, &member->rules,
                                           &member->effect, err)
               : dj_compare_compute_effect(&member->a, &member->b, &member->rules,
                                           &member->effect, err);
}

static int compute_members(struct dj_family_member *members, size_t count, double alpha,
                           struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        struct dj_family_member *member = &members[i];
        member->rules.alpha = alpha;
        member->rules.alpha_p = member->rules.alpha_within = 0;
        member->adjusted_p = NAN;
        code = compute_member(member, err);
    }
    return code;
}

static int recompute_member(struct dj_family_member *member, double alpha, double alpha_p,
                            double alpha_within, struct dj_error *err)
{
    member->rules.alpha = alpha;
    member->rules.alpha_p = alpha_p;
    member->rules.alpha_within = alpha_within;
    return member->estimate != NULL
               ? compute_member(member, err)
               : dj_compare_recompute_effect(&member->a, &member->b, &member->rules,
                                             &member->effect, err);
}

/* Returns the p of a metric, or NaN if the metric was not tested or was refused because
 * of its data. Metrics with NaN are not part of the family. */
static double get_p(const struct dj_family_member *member, bool gates)
{
    bool counts =
        member->gates == gates && !dj_compare_refusal_drops_out(member->effect.refusal);
    return counts ? member->effect.p : NAN;
}

int dj_compare_family_apply_level(struct dj_family_member *member, double level,
                                  bool significant, double alpha, struct dj_error *err)
{
    double alpha_p = significant ? level : DJ_EFFECT_NO_DIRECTION;
    return recompute_member(member, level, alpha_p, alpha, err);
}

static int judge_gating(struct dj_family_member *members, size_t count, const double *p,
                        double alpha, struct dj_error *err)
{
    double *level = dj_xcalloc(count, sizeof(*level));
    bool *significant = dj_xcalloc(count, sizeof(*significant));
    int code = 0;
    dj_xcheck(dj_adjust_holm_levels(p, count, alpha, level, significant) == 0);
    for (size_t i = 0; i < count && code == 0; i++) {
        code = isnan(p[i]) ? 0
                           : dj_compare_family_apply_level(&members[i], level[i],
                                                           significant[i], alpha, err);
    }
    free(level);
    free(significant);
    return code;
}

/* Judges the members that do not gate. A metric is selected if its p adjusted by
 * Benjamini and Hochberg's method is at most alpha. Selected metrics get wider intervals,
 * which hold over the selection. The others get intervals at level 1 − alpha and no
 * direction. */
static int judge_others(struct dj_family_member *members, size_t count, const double *p,
                        const double *adjusted, double alpha, struct dj_error *err)
{
    size_t tests = 0;
    size_t selected = 0;
    int code = 0;
    for (size_t i = 0; i < count; i++) {
        tests += !isnan(p[i]);
        selected += adjusted[i] <= alpha;
    }
    for (size_t i = 0; i < count && code == 0; i++) {
        double level = alpha * (double)selected / (double)tests;
        code = isnan(p[i]) ? 0
               : adjusted[i] <= alpha
                   ? recompute_member(&members[i], level, level, alpha, err)
                   : recompute_member(&members[i], alpha, DJ_EFFECT_NO_DIRECTION, alpha,
                                      err);
    }
    return code;
}

static void adjust_p(struct dj_family_member *members, size_t count, double *p,
                     double *adjusted, bool gates)
{
    for (size_t i = 0; i < count; i++) {
        p[i] = get_p(&members[i], gates);
    }
    dj_xcheck(
        (gates ? dj_adjust_holm : dj_adjust_benjamini_hochberg)(p, count, adjusted) == 0);
    for (size_t i = 0; i < count; i++) {
        members[i].adjusted_p = isnan(p[i]) ? members[i].adjusted_p : adjusted[i];
    }
}

int dj_compare_family_judge(struct dj_family_member *members, size_t count, double alpha,
                            struct dj_family_verdict *verdict, struct dj_error *err)
{
    double *p = dj_xcalloc(2 * count, sizeof(*p));
    int code = compute_members(members, count, alpha, err);
    if (code == 0) {
        adjust_p(members, count, p, p + count, true);
        code = judge_gating(members, count, p, alpha, err);
    }
    if (code == 0) {
        adjust_p(members, count, p, p + count, false);
        code = judge_others(members, count, p, p + count, alpha, err);
    }
    free(p);
    if (code == 0) {
        dj_compare_family_combine(members, count, verdict);
    }
    return code;
}

static const enum dj_compare_verdict precedence[] = {
    DJ_VERDICT_REGRESSION,         DJ_VERDICT_IMPROVEMENT,  DJ_VERDICT_LIKELY_REGRESSION,
    DJ_VERDICT_LIKELY_IMPROVEMENT, DJ_VERDICT_INCONCLUSIVE, DJ_VERDICT_EQUIVALENT,
};

void dj_compare_family_combine(const struct dj_family_member *members, size_t count,
                               struct dj_family_verdict *verdict)
{
    size_t with[DJ_VERDICT_COUNT] = {0};
    *verdict = (struct dj_family_verdict){.verdict = DJ_VERDICT_INCONCLUSIVE};
    for (size_t i = 0; i < count; i++) {
        if (!members[i].gates) {
            continue;
        }
        bool dropped = dj_compare_refusal_drops_out(members[i].effect.refusal);
        verdict->dropped += dropped;
        verdict->gating += !dropped;
        with[members[i].effect.verdict] += !dropped;
    }
    verdict->contradictory =
        with[DJ_VERDICT_REGRESSION] > 0 && with[DJ_VERDICT_IMPROVEMENT] > 0;
    for (size_t i = 0; i < COUNT_OF(precedence); i++) {
        if (verdict->gating > 0 && !verdict->contradictory && with[precedence[i]] > 0) {
            verdict->verdict = precedence[i];
            break;
        }
    }
}

double dj_compare_family_runs_needed(const struct dj_family_member *members, size_t count)
{
    double all = 0;
    double one = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct dj_effect *effect = &members[i].effect;
        if (members[i].gates && !dj_compare_refusal_drops_out(effect->refusal)) {
            all = fmax(all, effect->runs_needed);
            one = fmin(one, effect->runs_to_show);
        }
    }
    double needed = fmin(all, one);
    return needed > 0 && isfinite(needed) ? needed : NAN;
}
