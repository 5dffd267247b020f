#include <math.h>

#include "judge/compare_warn.h"

static const double REFRESH_OFF = 0.02, UNITS_APART = 200;

void dj_warn_of_refresh(struct dj_comparison *comparison)
{
    struct dj_center a;
    struct dj_center b;
    if (!dj_side_center(comparison->a, DJ_METRIC_INTERVAL, &a) ||
        !dj_side_center(comparison->b, DJ_METRIC_INTERVAL, &b)) {
        return;
    }
    double least = fmin(a.min, b.min);
    double most = fmax(a.max, b.max);
    if (most > least * (1 + REFRESH_OFF)) {
        dj_warn_format(comparison, DJ_WARNING_REFRESH,
                       "the displays' refresh rates differ, %.4g and %.4g Hz: each has "
                       "another deadline",
                       1e9 / most, 1e9 / least);
    }
}

void dj_warn_of_units(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        const struct dj_effect *effect = &metric->member.effect;
        if (metric->metric->kind == DJ_EFFECT_RATIO && metric->member.gates &&
            (effect->ratio > UNITS_APART || effect->ratio < 1 / UNITS_APART)) {
            dj_warn_format(comparison, DJ_WARNING_UNITS,
                           "mixed units? %s of B is %.4g times that of A, which is "
                           "rather a factor between units than a change",
                           metric->metric->words, effect->ratio);
            return;
        }
    }
}

void dj_warn_of_refused(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        enum dj_effect_refusal refusal = metric->member.effect.refusal;
        if (metric->member.gates && refusal != DJ_EFFECT_FINE &&
            refusal != DJ_EFFECT_FEW_RUNS) {
            dj_warn_format(comparison,
                           refusal == DJ_EFFECT_QUANTISED ? DJ_WARNING_QUANTISED
                                                          : DJ_WARNING_REFUSED,
                           "%s %s: %s", metric->metric->words,
                           dj_effect_drops_out(refusal) ? "is left out of the verdict"
                                                        : "is not settled",
                           dj_effect_refusal_about(refusal));
        }
    }
}

/* Ties that are no refusal: nothing differs at all, or the sides do not overlap. */
void dj_warn_of_ties(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        const struct dj_effect *effect = &metric->member.effect;
        if (metric->member.gates && metric->metric->kind == DJ_EFFECT_RATIO &&
            effect->refusal == DJ_EFFECT_FINE && effect->tie_share > 0.5) {
            dj_warn_format(
                comparison, DJ_WARNING_QUANTISED, "%s is the same in %s",
                metric->metric->words,
                effect->ratio == 1
                    ? "all runs, as of a coarse clock: small changes do not show"
                    : "many runs, as of a coarse clock: that A and B differ is "
                      "sure, by how much is not");
        }
    }
}

void dj_warn_of_replaced(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        if (metric->stands_for != NULL) {
            dj_warn_format(comparison, DJ_WARNING_METRICS,
                           "%s takes the place of %s, which not all runs know (nobody "
                           "recorded when a frame waited for the display)",
                           metric->metric->words, metric->stands_for->words);
            return;
        }
    }
}

void dj_warn_of_opposite(struct dj_comparison *comparison)
{
    if (comparison->overall.contradictory) {
        dj_warn_format(comparison, DJ_WARNING_OPPOSITE,
                       "some metrics are worse and others better, each by more than its "
                       "margin: neither is the verdict");
    }
}
