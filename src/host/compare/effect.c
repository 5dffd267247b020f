#include "compare/effect.h"

#include <math.h>

#include "compare/effect_private.h"
#include "memory/memory.h"
#include "stats/special.h"

enum { FRAMES_BEYOND = 10 };

/* Limits for a hard verdict (regression or improvement), as shares of alpha. The first
 * one is the largest p. For sides that do not overlap, the second one is the largest
 * p_spread instead. At alpha 0.05 the first limit allows 0.08 % false verdicts in each
 * direction, and both together allow 0.1 %. */
const double DJ_EFFECT_HARD_SHARE = 1 / 30.0, DJ_EFFECT_APART_SHARE = 0.04;

const double DJ_EFFECT_NO_DIRECTION = 1e-300;

static const struct {
    const char *name, *about;
    bool drops_out;
} refusals[DJ_EFFECT_REFUSALS] = {
    [DJ_EFFECT_NO_REFUSAL] = {NULL, "", false},
    [DJ_EFFECT_FEW_RUNS] = {"few-runs", "a side has fewer than two runs with this metric",
                            false},
    [DJ_EFFECT_METRIC_MISSING_IN_RUNS] = {"runs-lack-it",
                                          "more than one run in ten lacks this metric",
                                          false},
    [DJ_EFFECT_UNKNOWN] = {"unknown", "a side has no run with this metric", true},
    [DJ_EFFECT_NOT_POSITIVE] = {"not-positive",
                                "the metric is 0 in some runs, so there is no ratio",
                                true},
    [DJ_EFFECT_QUANTISED] =
        {"quantised", "more than half of the runs have the same value as another run",
         true},
    [DJ_EFFECT_FEW_FRAMES] = {"few-frames",
                              "a run has fewer than ten frames beyond this percentile",
                              true},
    [DJ_EFFECT_FEW_EVENTS] = {"few-events",
                              "all runs together have fewer than five frames that this "
                              "metric counts",
                              true},
    [DJ_EFFECT_FEW_MODELS] = {"few-models",
                              "fewer than five device models have this metric in both "
                              "versions",
                              true},
    [DJ_EFFECT_FIRST_BUCKET] =
        {"first-bucket", "the percentile is in the histogram's first bucket, below 6 ms",
         true},
};

const char *dj_compare_refusal_name(enum dj_effect_refusal refusal)
{
    return refusals[refusal].name;
}

const char *dj_compare_refusal_text(enum dj_effect_refusal refusal)
{
    return refusals[refusal].about;
}

bool dj_compare_refusal_drops_out(enum dj_effect_refusal refusal)
{
    return refusals[refusal].drops_out;
}

/* Both sides, without the runs in which the metric is unknown. */
struct sides {
    struct dj_known_runs a, b;
};

static bool is_all_equal(const struct sides *sides, enum dj_effect_kind kind)
{
    const struct dj_known_runs *a = &sides->a;
    const struct dj_known_runs *b = &sides->b;
    double value = a->center.min;
    return a->center.max == value && b->center.min == value && b->center.max == value &&
           (kind == DJ_EFFECT_RATIO || (a->same_frames && b->same_frames &&
                                        a->frames[0] == b->frames[0] && value > 0));
}

static bool lacks_metric(const struct dj_known_runs *side)
{
    return side->unknown * 10 > side->count + side->unknown;
}

static bool has_few_frames(const struct sides *sides, const struct dj_effect_rules *rules)
{
    double frames = fmin(sides->a.median_frames, sides->b.median_frames);
    return rules->quantile > 0 && frames * (1 - rules->quantile) < FRAMES_BEYOND - 1e-9;
}

/* Returns the reason for a refusal if the runs alone show it, without a test. */
static enum dj_effect_refusal find_refusal(const struct sides *sides,
                                           const struct dj_effect_rules *rules)
{
    const struct dj_known_runs *a = &sides->a;
    const struct dj_known_runs *b = &sides->b;
    bool ratio = rules->kind == DJ_EFFECT_RATIO;
    return a->count == 0 || b->count == 0           ? DJ_EFFECT_UNKNOWN
           : ratio && !(a->positive && b->positive) ? DJ_EFFECT_NOT_POSITIVE
           : has_few_frames(sides, rules)           ? DJ_EFFECT_FEW_FRAMES
           : a->count < 2 || b->count < 2           ? DJ_EFFECT_FEW_RUNS
           : lacks_metric(a) || lacks_metric(b)     ? DJ_EFFECT_METRIC_MISSING_IN_RUNS
                                                    : DJ_EFFECT_NO_REFUSAL;
}

static struct dj_bounds reverse_bounds(const struct dj_bounds *bounds, bool turn)
{
    return turn ? (struct dj_bounds){-bounds->high, -bounds->low} : *bounds;
}

/* Returns whether a direction is certain enough for a hard verdict (regression or
 * improvement). An interval that excludes the margin is not enough: if runs spread far
 * more than the margin, 4 % of identical batches would get a hard verdict. So p must be
 * small. With five against five runs p is never below 0.8 %, because this is how often
 * unchanged sides do not overlap. Such sides must therefore also be far apart compared
 * with the spread of the runs. */
static bool is_hard(const struct dj_log_effect *found,
                    const struct dj_effect_rules *rules, const struct dj_effect *effect)
{
    bool apart = effect->b_greater == 0 || effect->b_greater == 1;
    return effect->p <= DJ_EFFECT_HARD_SHARE * rules->alpha_p ||
           (apart && found->p_spread <= DJ_EFFECT_APART_SHARE * rules->alpha_p);
}

static enum dj_compare_verdict decide_verdict(const struct dj_log_effect *found,
                                              const struct dj_effect_rules *rules,
                                              const struct dj_effect *effect)
{
    double margin = log1p(rules->margin);
    struct dj_bounds outer = reverse_bounds(&found->outer, rules->more_is_better);
    struct dj_bounds inner = reverse_bounds(&found->inner, rules->more_is_better);
    bool differs = effect->p <= rules->alpha_p;
    bool surely = differs && is_hard(found, rules, effect);
    return surely && outer.low > margin                 ? DJ_VERDICT_REGRESSION
           : surely && outer.high < -margin             ? DJ_VERDICT_IMPROVEMENT
           : inner.low > -margin && inner.high < margin ? DJ_VERDICT_EQUIVALENT
           : differs && outer.low > 0                   ? DJ_VERDICT_LIKELY_REGRESSION
           : differs && outer.high < 0                  ? DJ_VERDICT_LIKELY_IMPROVEMENT
                                                        : DJ_VERDICT_INCONCLUSIVE;
}

static struct dj_effect make_unknown_effect(void)
{
    return (struct dj_effect){
        .a = NAN,
        .b = NAN,
        .mean_a = NAN,
        .mean_b = NAN,
        .ratio = NAN,
        .ci = {0, INFINITY},
        .inner = {0, INFINITY},
        .p = NAN,
        .b_greater = NAN,
        .standardised = NAN,
        .spread = NAN,
        .past_spread = NAN,
        .verdict = DJ_VERDICT_INCONCLUSIVE,
        .runs_needed = NAN,
        .runs_to_show = NAN,
    };
}

static void init_effect(const struct sides *sides, const struct dj_effect_rules *rules,
                        struct dj_effect *effect)
{
    *effect = make_unknown_effect();
    effect->refusal = find_refusal(sides, rules);
    effect->n_a = sides->a.count;
    effect->n_b = sides->b.count;
    if (effect->n_a > 0) {
        effect->a = sides->a.center.median;
        effect->mean_a = sides->a.center.mean;
    }
    if (effect->n_b > 0) {
        effect->b = sides->b.center.median;
        effect->mean_b = sides->b.center.mean;
    }
}

static void set_ratio(const struct dj_log_effect *found, struct dj_effect *effect)
{
    effect->ratio = exp(found->shift);
    effect->ci = (struct dj_bounds){exp(found->outer.low), exp(found->outer.high)};
    effect->inner = (struct dj_bounds){exp(found->inner.low), exp(found->inner.high)};
}

static void set_effect(const struct dj_log_effect *found,
                       const struct dj_effect_rules *rules, struct dj_effect *effect)
{
    set_ratio(found, effect);
    effect->standardised = effect->spread > 0 ? found->shift / effect->spread : NAN;
    if (effect->refusal == DJ_EFFECT_NO_REFUSAL) {
        enum dj_compare_verdict verdict = decide_verdict(found, rules, effect);
        bool proven = !rules->apart || !isnan(effect->past_spread);
        effect->verdict = proven ? verdict : dj_compare_verdict_cap(verdict);
        effect->capped = effect->verdict != verdict;
    }
    dj_compare_effect_set_runs(rules, found->shift, effect);
}

/* Sets the effect of two sides in which all values are equal. This needs no test, only
 * enough runs. */
static void set_equal(const struct dj_effect_rules *rules, struct dj_effect *effect)
{
    bool enough = effect->n_a >= DJ_EFFECT_RUNS_MIN && effect->n_b >= DJ_EFFECT_RUNS_MIN;
    effect->ratio = 1;
    effect->ci = effect->inner = (struct dj_bounds){1, 1};
    effect->p = 1;
    effect->b_greater = 0.5;
    effect->tie_share = 1;
    effect->spread = 0;
    if (effect->refusal == DJ_EFFECT_NO_REFUSAL && enough) {
        effect->verdict = DJ_VERDICT_EQUIVALENT;
    }
    dj_compare_effect_set_runs(rules, 0, effect);
}

/* Sets the point estimate of the ratio if both sides have at least one run. */
static void set_points(const struct sides *sides, const struct dj_effect_rules *rules,
                       struct dj_effect *effect)
{
    double shift = log(effect->b / effect->a);
    bool ratio = sides->a.count > 0 && sides->b.count > 0 && effect->a > 0;
    effect->ratio = ratio ? exp(shift) : NAN;
    dj_compare_effect_set_runs(rules, shift, effect);
}

static int compute_effect(const struct sides *sides, const struct dj_effect_rules *rules,
                          bool again, struct dj_effect *effect)
{
    struct dj_log_effect found = {0};
    bool share = rules->kind == DJ_EFFECT_SHARE;
    bool few = sides->a.count < 2 || sides->b.count < 2;
    effect->level = 1 - rules->alpha;
    effect->margin = rules->margin;
    if (few || effect->refusal == DJ_EFFECT_NOT_POSITIVE) {
        set_points(sides, rules, effect);
        return 0;
    }
    if (is_all_equal(sides, rules->kind)) {
        set_equal(rules, effect);
        return 0;
    }
    double p = effect->p;
    int code = share ? dj_compare_effect_estimate_share(&sides->a, &sides->b, rules,
                                                        again, effect, &found)
                     : dj_compare_effect_estimate_ratio(&sides->a, &sides->b, rules,
                                                        again, effect, &found);
    if (code != 0) {
        return code;
    }
    /* A tie is a value that several runs share. Ties hide small changes. But if the sides
     * do not overlap, the change is certain, so the metric must stay in the verdict. */
    bool apart = effect->b_greater == 0 || effect->b_greater == 1;
    if (!share && effect->tie_share > 0.5 && !apart &&
        effect->refusal == DJ_EFFECT_NO_REFUSAL) {
        effect->refusal = DJ_EFFECT_QUANTISED;
    }
    const struct dj_effect_past *past = rules->past;
    if (rules->apart && past != NULL && past->count >= DJ_EFFECT_PAST_BATCHES_MIN) {
        dj_compare_effect_use_past(rules, effect, &found);
    }
    effect->p = again ? p : effect->p;
    set_effect(&found, rules, effect);
    return 0;
}

/* Copies the rules to `whole`, replaces zeros by alpha, and checks the ranges. */
static int complete_rules(const struct dj_effect_rules *rules,
                          struct dj_effect_rules *whole, struct dj_error *err)
{
    *whole = *rules;
    whole->alpha_p = rules->alpha_p > 0 ? rules->alpha_p : rules->alpha;
    whole->alpha_within = rules->alpha_within > 0 ? rules->alpha_within : rules->alpha;
    bool sense = rules->margin > 0 && rules->alpha > 0 && rules->alpha < 0.5 &&
                 whole->alpha_within < 0.5;
    return sense ? 0
                 : dj_error_set(err, DJ_E_USAGE,
                                "expected a margin above 0 and an alpha between 0 and "
                                "0.5, found %g and %g",
                                rules->margin, rules->alpha);
}

static int compute_sides(const struct dj_effect_side *a, const struct dj_effect_side *b,
                         const struct dj_effect_rules *rules, bool again,
                         struct dj_effect *effect, struct dj_error *err)
{
    struct sides sides;
    struct dj_effect_rules whole;
    int code = complete_rules(rules, &whole, err);
    if (code != 0) {
        return code;
    }
    dj_compare_effect_known_runs_init(a, rules->kind, &sides.a);
    dj_compare_effect_known_runs_init(b, rules->kind, &sides.b);
    if (!again) {
        init_effect(&sides, &whole, effect);
    }
    code = dj_xcode(compute_effect(&sides, &whole, again, effect));
    dj_compare_effect_known_runs_finish(&sides.a);
    dj_compare_effect_known_runs_finish(&sides.b);
    return code == 0 ? 0
                     : dj_error_set(err, code,
                                    "cannot compare the runs: a figure is not a number");
}

int dj_compare_compute_effect(const struct dj_effect_side *a,
                              const struct dj_effect_side *b,
                              const struct dj_effect_rules *rules,
                              struct dj_effect *effect, struct dj_error *err)
{
    return compute_sides(a, b, rules, false, effect, err);
}

int dj_compare_recompute_effect(const struct dj_effect_side *a,
                                const struct dj_effect_side *b,
                                const struct dj_effect_rules *rules,
                                struct dj_effect *effect, struct dj_error *err)
{
    return compute_sides(a, b, rules, true, effect, err);
}

static struct dj_bounds compute_bounds(const struct dj_weighted_mean *mean, double alpha)
{
    double half = mean->error > 0
                      ? dj_special_t_quantile(1 - alpha / 2, mean->df) * mean->error
                      : 0;
    return (struct dj_bounds){mean->value - half, mean->value + half};
}

int dj_compare_judge_estimate(const struct dj_effect_estimate *estimate,
                              const struct dj_effect_rules *rules,
                              struct dj_effect *effect, struct dj_error *err)
{
    const struct dj_weighted_mean *mean = &estimate->log_ratio;
    struct dj_effect_rules whole;
    int code = complete_rules(rules, &whole, err);
    if (code != 0) {
        return code;
    }
    *effect = make_unknown_effect();
    effect->refusal = estimate->refusal;
    effect->n_a = estimate->n_a;
    effect->n_b = estimate->n_b;
    effect->a = estimate->a;
    effect->b = estimate->b;
    effect->level = 1 - whole.alpha;
    effect->margin = whole.margin;
    if (estimate->refusal == DJ_EFFECT_NO_REFUSAL) {
        struct dj_log_effect found = {.shift = mean->value,
                                      .outer = compute_bounds(mean, whole.alpha),
                                      .inner =
                                          compute_bounds(mean, 2 * whole.alpha_within),
                                      .p_spread = 1};
        effect->p = mean->error > 0
                        ? dj_special_t_two_sided(mean->value / mean->error, mean->df)
                    : mean->value == 0 ? 1
                                       : 0;
        set_ratio(&found, effect);
        effect->verdict = decide_verdict(&found, &whole, effect);
    }
    return 0;
}
