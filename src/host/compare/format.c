#include <math.h>

#include "compare/compare.h"

/* The text of each verdict, for metrics of time and for shares of janky frames. */
static const struct {
    const char *times, *shares;
} words[DJ_VERDICT_COUNT] = {
    [DJ_VERDICT_REGRESSION] = {"B renders slower", "B renders more janky frames"},
    [DJ_VERDICT_LIKELY_REGRESSION] = {"B probably renders slower",
                                      "B probably renders more janky frames"},
    [DJ_VERDICT_EQUIVALENT] = {"A and B render alike", "A and B render alike"},
    [DJ_VERDICT_LIKELY_IMPROVEMENT] = {"B probably renders faster",
                                       "B probably renders fewer janky frames"},
    [DJ_VERDICT_IMPROVEMENT] = {"B renders faster", "B renders fewer janky frames"},
    [DJ_VERDICT_INCONCLUSIVE] = {"inconclusive", "inconclusive"},
};

static int count_digits(double percent)
{
    return fabs(percent) < 9.95 ? 1 : 0;
}

static void append_percent(struct dj_text *text, double ratio, const char *after)
{
    double percent = 100 * (ratio - 1);
    if (!isfinite(percent)) {
        dj_text_format(text, "?%s", after);
    } else {
        double shown = fabs(percent) < 0.05 ? 0 : percent;
        dj_text_format(text, "%s%.*f%s", shown < 0 ? "−" : "+", count_digits(shown),
                       fabs(shown), after);
    }
}

void dj_compare_format_change(struct dj_text *text, double ratio)
{
    double percent = 100 * (ratio - 1);
    if (!isfinite(percent)) {
        dj_text_add(text, isnan(percent) ? "unknown" : "+∞");
    } else {
        double shown = fabs(percent) < 0.005 ? 0 : percent;
        dj_text_format(text, fabs(shown) < 999.5 ? "%+.3g" : "%+.0f", shown);
    }
}

void dj_compare_format_effect(const struct dj_effect *effect, struct dj_text *text)
{
    if (isnan(effect->ratio)) {
        dj_text_add(text, "unknown");
        return;
    }
    if (effect->refusal == DJ_EFFECT_FEW_EVENTS) {
        double more = 1000 * (effect->b - effect->a);
        dj_text_format(text, "%s%.2f in 1000 frames", more < 0 ? "−" : "+", fabs(more));
        return;
    }
    append_percent(text, effect->ratio, " % (");
    if (effect->level > 0) {
        dj_text_format(text, "%.3g %% CI ", 100 * effect->level);
    }
    if (effect->ci.low > 0) {
        append_percent(text, effect->ci.low, " … ");
    } else {
        dj_text_add(text, "−100 … ");
    }
    if (isfinite(effect->ci.high)) {
        append_percent(text, effect->ci.high, " %)");
    } else {
        dj_text_add(text, "∞ %)");
    }
}

static void append_runs(const struct dj_comparison *comparison, struct dj_text *text)
{
    static const char *const orders[] = {
        [DJ_ORDER_UNKNOWN] = "",
        [DJ_ORDER_INTERLEAVED] = ", interleaved",
        [DJ_ORDER_APART] = ", not interleaved",
    };
    dj_text_format(text, "%zu vs %zu run%s%s", comparison->a->run_count,
                   comparison->b->run_count, comparison->b->run_count == 1 ? "" : "s",
                   orders[comparison->interleaving]);
}

void dj_compare_format_verdict(const struct dj_comparison *comparison,
                               struct dj_text *text)
{
    enum dj_compare_verdict verdict = comparison->overall.verdict;
    if (comparison->overall.gating == 0) {
        dj_text_add(text, "no metric can be judged: ");
        append_runs(comparison, text);
        return;
    }
    const struct dj_comparison_metric *leading =
        &comparison->metrics[comparison->leading];
    bool share = leading->metric->kind == DJ_EFFECT_SHARE;
    const char *says = comparison->overall.contradictory
                           ? "B is worse in some metrics and better in others"
                       : share ? words[verdict].shares
                               : words[verdict].times;
    dj_text_format(text, "%s: %s ", says, leading->metric->words);
    dj_compare_format_effect(&leading->member.effect, text);
    if (verdict == DJ_VERDICT_EQUIVALENT) {
        dj_text_format(text, ", within %g %%", 100 * leading->member.effect.margin);
    }
    dj_text_add(text, ", ");
    append_runs(comparison, text);
    if (verdict == DJ_VERDICT_INCONCLUSIVE && comparison->runs_needed > 0) {
        dj_text_format(text, "; a verdict needs about %.0f runs per side",
                       comparison->runs_needed);
    }
}
