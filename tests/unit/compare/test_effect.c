#include "compare/effect.h"

#include <criterion/criterion.h>
#include <math.h>

enum { MOST = 32 };

static const struct dj_effect_rules usual = {
    .kind = DJ_EFFECT_RATIO, .margin = 0.05, .alpha = 0.05};

#define SIDE(...)                                                                        \
    (struct dj_effect_side)                                                              \
    {                                                                                    \
        .value = (const double[]){__VA_ARGS__},                                          \
        .count = sizeof((const double[]){__VA_ARGS__}) / sizeof(double)                  \
    }

static struct dj_effect judge(struct dj_effect_side a, struct dj_effect_side b,
                              const struct dj_effect_rules *rules)
{
    struct dj_effect effect;
    struct dj_error err = {0};
    cr_assert_eq(dj_compare_compute_effect(&a, &b, rules, &effect, &err), 0, "%s",
                 err.message);
    return effect;
}

static void expect_near(double found, double expected, double off)
{
    cr_assert(fabs(found - expected) <= off, "%.12g is not %.12g", found, expected);
}

/* B is 1.5 times A, and the sides do not overlap. The interval excludes two of the 25
 * ratios at each end, because 2 · 4 / 252 is the largest level below 5 %. */
Test(effect, five_against_five_equals_a_hand_calculation)
{
    struct dj_effect effect =
        judge(SIDE(10, 11, 12, 13, 14), SIDE(15, 16.5, 18, 19.5, 21), &usual);
    expect_near(effect.ratio, 1.5, 1e-12);
    expect_near(effect.p, 2.0 / 252, 1e-12);
    expect_near(effect.ci.low, 16.5 / 14, 1e-12);
    expect_near(effect.ci.high, 21.0 / 11, 1e-12);
    cr_assert_eq(effect.b_greater, 1);
    cr_assert_eq(effect.a, 12);
    cr_assert_eq(effect.b, 18);
    cr_assert_eq(effect.mean_b, 18);
    cr_assert_eq(effect.level, 0.95);
    cr_assert_eq(effect.verdict, DJ_VERDICT_REGRESSION);
    cr_assert_not(effect.capped);
    cr_assert(isnan(effect.runs_needed));
}

Test(effect, swapped_sides_reverse_everything)
{
    struct dj_effect_side a = SIDE(10, 11, 12.5, 13, 14, 9.9);
    struct dj_effect_side b = SIDE(12, 16.5, 18, 13.2, 21, 15);
    for (int kind = 0; kind < 3; kind++) {
        struct dj_effect_rules rules = usual;
        rules.more_is_better = kind == 1;
        /* Unequal sizes, so that Brunner and Munzel's test is used. */
        a.count = kind == 2 ? 5 : 6;
        struct dj_effect one = judge(a, b, &rules);
        struct dj_effect other = judge(b, a, &rules);
        cr_assert_eq(one.p, other.p, "exactly equal");
        expect_near(one.ratio * other.ratio, 1, 1e-12);
        expect_near(one.ci.low * other.ci.high, 1, 1e-12);
        expect_near(one.ci.high * other.ci.low, 1, 1e-12);
        expect_near(one.b_greater + other.b_greater, 1, 1e-12);
        cr_assert_eq(one.verdict, other.verdict == DJ_VERDICT_INCONCLUSIVE
                                      ? other.verdict
                                      : DJ_VERDICT_IMPROVEMENT - other.verdict);
        cr_assert_neq(one.verdict, DJ_VERDICT_EQUIVALENT);
    }
}

Test(effect, margin_separates_likely_from_hard)
{
    struct dj_effect_rules rules = usual;
    rules.margin = 0.2; /* The interval begins at 1.179. */
    struct dj_effect effect =
        judge(SIDE(10, 11, 12, 13, 14), SIDE(15, 16.5, 18, 19.5, 21), &rules);
    cr_assert_eq(effect.verdict, DJ_VERDICT_LIKELY_REGRESSION);
    rules.more_is_better = true;
    effect = judge(SIDE(10, 11, 12, 13, 14), SIDE(15, 16.5, 18, 19.5, 21), &rules);
    cr_assert_eq(effect.verdict, DJ_VERDICT_LIKELY_IMPROVEMENT);
}

Test(effect, difference_within_the_margin_is_equivalent)
{
    struct dj_effect effect = judge(SIDE(10, 10.1, 10.2, 10.05, 10.15),
                                    SIDE(10.02, 10.12, 10.22, 10.07, 10.17), &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_EQUIVALENT);
    /* The difference is certain, but smaller than the margin. */
    effect = judge(SIDE(10, 10.01, 10.02, 10.03, 10.04),
                   SIDE(10.1, 10.11, 10.12, 10.13, 10.14), &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_EQUIVALENT);
    cr_assert_gt(effect.ci.low, 1);
}

Test(effect, three_runs_are_inconclusive)
{
    struct dj_effect effect = judge(SIDE(10, 10.1, 10.2), SIDE(20, 20.1, 20.2), &usual);
    expect_near(effect.p, 0.1, 1e-12);
    cr_assert_eq(effect.ci.low, 0);
    cr_assert(isinf(effect.ci.high));
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert_geq(effect.runs_needed, 5);
}

Test(effect, one_run_gives_a_point_estimate_only)
{
    struct dj_effect effect = judge(SIDE(10), SIDE(20, 21, 22, 20.5, 21.5), &usual);
    cr_assert_eq(effect.refusal, DJ_EFFECT_FEW_RUNS);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    expect_near(effect.ratio, 2.1, 1e-12);
    cr_assert(isnan(effect.p));
    cr_assert_eq(effect.runs_needed, 10, "the default, because the spread is unknown");
    cr_assert_not(dj_compare_refusal_drops_out(effect.refusal));
}

Test(effect, equal_values_are_equivalent_from_five_runs_on)
{
    struct dj_effect effect =
        judge(SIDE(16, 16, 16, 16, 16), SIDE(16, 16, 16, 16, 16), &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_EQUIVALENT);
    cr_assert_eq(effect.ratio, 1);
    cr_assert_eq(effect.ci.low, 1);
    cr_assert_eq(effect.ci.high, 1);
    cr_assert_eq(effect.p, 1);
    effect = judge(SIDE(16, 16, 16, 16), SIDE(16, 16, 16, 16), &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert_eq(effect.runs_needed, 5);
}

/* ---- what cannot be judged ---- */

Test(effect, up_to_ten_percent_unknown_runs_are_ignored)
{
    struct dj_effect_side a =
        SIDE(10, 10.1, NAN, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8, 10.9, 11);
    struct dj_effect_side b =
        SIDE(15, 15.1, 15.2, 15.3, 15.4, 15.5, 15.6, 15.7, 15.8, 15.9, 16);
    struct dj_effect effect = judge(a, b, &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_REGRESSION);
    cr_assert_eq(effect.n_a, 10);
    a = SIDE(10, 10.1, NAN, 10.3, INFINITY, 10.5, 10.6, 10.7, 10.8, 10.9, 11);
    effect = judge(a, b, &usual);
    cr_assert_eq(effect.refusal, DJ_EFFECT_METRIC_MISSING_IN_RUNS);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert_gt(effect.ratio, 1.4, "the ratio is still estimated");
    effect = judge(SIDE(NAN, NAN), b, &usual);
    cr_assert_eq(effect.refusal, DJ_EFFECT_UNKNOWN);
    cr_assert(isnan(effect.ratio));
    effect = judge((struct dj_effect_side){.value = a.value}, b, &usual);
    cr_assert_eq(effect.refusal, DJ_EFFECT_UNKNOWN, "a side without runs");
}

Test(effect, zeros_have_no_ratio)
{
    struct dj_effect effect = judge(SIDE(0, 1, 2, 3, 4), SIDE(1, 2, 3, 4, 5), &usual);
    cr_assert_eq(effect.refusal, DJ_EFFECT_NOT_POSITIVE);
    cr_assert(dj_compare_refusal_drops_out(effect.refusal));
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    effect = judge(SIDE(-1, 1, 2, 3, 4), SIDE(1, 2, 3, 4, 5), &usual);
    cr_assert_eq(effect.refusal, DJ_EFFECT_NOT_POSITIVE);
}

Test(effect, quantised_values_do_not_gate)
{
    struct dj_effect effect = judge(SIDE(16.7, 16.7, 16.7, 33.3, 33.3, 16.7),
                                    SIDE(33.3, 33.3, 33.3, 33.3, 50, 16.7), &usual);
    cr_assert_eq(effect.refusal, DJ_EFFECT_QUANTISED);
    cr_assert_gt(effect.tie_share, 0.9);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert(dj_compare_refusal_drops_out(effect.refusal));
}

/* The sides do not overlap. Of the C(10, 5) ways to divide the runs, two give such a
 * result. Ties must not hide this. */
Test(effect, ties_do_not_hide_separate_sides)
{
    struct dj_effect_side a = SIDE(15, 15, 15, 15, 15);
    struct dj_effect_side b = SIDE(20, 20, 20, 20, 20);
    struct dj_effect effect = judge(a, b, &usual);
    cr_assert_eq(effect.refusal, DJ_EFFECT_NO_REFUSAL);
    cr_assert_eq(effect.verdict, DJ_VERDICT_REGRESSION);
    expect_near(effect.p, 2.0 / 252, 1e-12);
    expect_near(effect.ci.low, 4.0 / 3, 1e-12);
    expect_near(effect.ci.high, 4.0 / 3, 1e-12);
    effect = judge(b, a, &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_IMPROVEMENT);
    effect = judge(a, SIDE(15.1, 15.1, 15.1, 15.1, 15.1), &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_EQUIVALENT);
    effect = judge(a, SIDE(20, 20, 20, 20, 20, 20, 20), &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_REGRESSION,
                 "also with unequal numbers of runs");
    effect = judge(SIDE(15, 15, 15), SIDE(20, 20, 20), &usual);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE, "three runs are too few");
    cr_assert_geq(effect.runs_needed, 4);
}

Test(effect, percentile_needs_ten_frames_beyond_it)
{
    static const double frames[] = {199, 199, 199, 199, 199};
    static const double more[] = {200, 200, 200, 150, 200};
    struct dj_effect_rules rules = usual;
    struct dj_effect_side a = SIDE(10, 11, 12, 13, 14);
    struct dj_effect_side b = SIDE(15, 16.5, 18, 19.5, 21);
    rules.quantile = 0.95;
    a.of = more;
    b.of = frames;
    cr_assert_eq(judge(a, b, &rules).refusal, DJ_EFFECT_FEW_FRAMES);
    cr_assert_eq(judge(b, a, &rules).refusal, DJ_EFFECT_FEW_FRAMES);
    b.of = more;
    cr_assert_eq(judge(a, b, &rules).refusal, DJ_EFFECT_NO_REFUSAL,
                 "the median number of frames is used");
    rules.quantile = 0.99;
    cr_assert_eq(judge(a, b, &rules).refusal, DJ_EFFECT_FEW_FRAMES);
    rules.quantile = 0;
    cr_assert_eq(judge(a, b, &rules).refusal, DJ_EFFECT_NO_REFUSAL);
}

Test(effect, invalid_rules_are_refused)
{
    struct dj_effect_side side = SIDE(1, 2, 3);
    struct dj_effect effect;
    struct dj_error err = {0};
    const struct dj_effect_rules bad[] = {
        {.margin = 0, .alpha = 0.05},   {.margin = -1, .alpha = 0.05},
        {.margin = 0.05, .alpha = 0},   {.margin = 0.05, .alpha = 0.5},
        {.margin = NAN, .alpha = 0.05}, {.margin = 0.05, .alpha = NAN},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        cr_assert_eq(dj_compare_compute_effect(&side, &side, &bad[i], &effect, &err),
                     DJ_E_USAGE);
        cr_assert(strstr(err.message, "alpha") != NULL);
    }
}

/* ---- shares ---- */

/* 50 of 500 against 100 of 500 frames, all runs equal. The variance is then the smallest
 * possible one, that of Poisson's distribution: 1/50.5 + 1/100.5. So ln(RR) = 0.68819 ±
 * t(0.975, 7.21) · 0.17249. */
Test(effect, shares_equal_a_hand_calculation)
{
    static const double few[] = {10, 10, 10, 10, 10}, many[] = {20, 20, 20, 20, 20};
    static const double more[] = {30, 30, 30, 30, 30};
    static const double frames[] = {100, 100, 100, 100, 100};
    struct dj_effect_rules rules = {
        .kind = DJ_EFFECT_SHARE, .margin = 0.2, .alpha = 0.05};
    struct dj_effect_side a = {few, frames, 5}, b = {many, frames, 5};
    struct dj_effect effect = judge(a, b, &rules);
    expect_near(effect.a, 0.1, 1e-15);
    expect_near(effect.b, 0.2, 1e-15);
    expect_near(effect.ratio, 100.5 / 50.5, 1e-12);
    expect_near(log(effect.ci.low), 0.68819 - 2.351 * 0.17249, 1e-3);
    cr_assert_eq(effect.b_greater, 1);
    expect_near(effect.p, 2.0 / 252,
                1e-15); /* The number of ways to divide ten runs into two fives. */
    cr_assert_eq(effect.verdict, DJ_VERDICT_LIKELY_REGRESSION,
                 "p of the t test is only 0.5 %%");
    cr_assert_eq(judge(b, a, &rules).verdict, DJ_VERDICT_LIKELY_IMPROVEMENT);
    cr_assert_eq(judge(b, a, &rules).p, effect.p, "exactly equal");
    b.value = more;
    cr_assert_eq(judge(a, b, &rules).verdict, DJ_VERDICT_REGRESSION);
    cr_assert_eq(judge(b, a, &rules).verdict, DJ_VERDICT_IMPROVEMENT);
    cr_assert_eq(judge(a, a, &rules).verdict, DJ_VERDICT_EQUIVALENT,
                 "all runs are equal");
}

Test(effect, few_janky_frames_have_no_ratio)
{
    static const double none[] = {0, 0, 0, 0, 0}, two[] = {1, 0, 1, 0, 2};
    static const double frames[] = {100, 100, 100, 100, 100};
    struct dj_effect_rules rules = {
        .kind = DJ_EFFECT_SHARE, .margin = 0.2, .alpha = 0.05};
    struct dj_effect_side a = {none, frames, 5}, b = {two, frames, 5};
    struct dj_effect effect = judge(a, b, &rules);
    cr_assert_eq(effect.refusal, DJ_EFFECT_FEW_EVENTS);
    cr_assert(dj_compare_refusal_drops_out(effect.refusal));
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    expect_near(effect.b - effect.a, 4.0 / 500, 1e-15);
    cr_assert_eq(judge(a, a, &rules).refusal, DJ_EFFECT_FEW_EVENTS);
}

/* ---- not measured in turn ---- */

/* The variance of the batches' logarithms is 0.02/7, so the standard error of a
 * difference is 0.0756. The interval is 0.2624 ± 2.3646 · 0.0756. */
Test(effect, earlier_batches_replace_interleaving)
{
    static const double centres[] = {0, 0.1, 0, 0.1, 0, 0.1, 0, 0.1};
    struct dj_effect_past past = {centres, 8};
    struct dj_effect_rules rules = usual;
    struct dj_effect_side a = SIDE(10, 10.001, 10.002, 10.003, 10.004);
    struct dj_effect_side b = SIDE(13, 13.0013, 13.0026, 13.0039, 13.0052);
    rules.apart = true;
    struct dj_effect effect = judge(a, b, &rules);
    cr_assert_eq(effect.verdict, DJ_VERDICT_LIKELY_REGRESSION);
    cr_assert(effect.capped);
    rules.past = &past;
    effect = judge(a, b, &rules);
    cr_assert_eq(effect.verdict, DJ_VERDICT_LIKELY_REGRESSION, "p of 1 %% is too large");
    cr_assert_not(effect.capped);
    expect_near(effect.past_spread, sqrt(0.02 / 7), 1e-12);
    expect_near(log(effect.ci.low), 0.262364 - 0.178749, 1e-5);
    expect_near(log(effect.ci.high), 0.262364 + 0.178749, 1e-5);
    expect_near(effect.p, 0.0104, 2e-4);
    static const double close[] = {0, 0.05, 0, 0.05, 0, 0.05, 0, 0.05};
    past.log_centre = close;
    cr_assert_eq(judge(a, b, &rules).verdict, DJ_VERDICT_REGRESSION);
    past.count = 7;
    effect = judge(a, b, &rules);
    cr_assert(effect.capped, "seven batches are too few");
    rules.apart = false;
    cr_assert_eq(judge(a, b, &rules).verdict, DJ_VERDICT_REGRESSION);
}

Test(effect, differing_batches_weaken_the_verdict)
{
    static const double centres[] = {0, 0.3, -0.2, 0.25, -0.3, 0.1, 0.2, -0.1};
    struct dj_effect_past past = {centres, 8};
    struct dj_effect_rules rules = usual;
    rules.apart = true;
    rules.past = &past;
    struct dj_effect effect = judge(SIDE(10, 10.001, 10.002, 10.003, 10.004),
                                    SIDE(13, 13.0013, 13.0026, 13.0039, 13.0052), &rules);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert_gt(effect.runs_needed, 5);
}

Test(effect, centre_of_a_batch_is_hodges_lehmann_or_the_pooled_rate)
{
    static const double janks[] = {1, 2, 3}, frames[] = {100, 100, 100};
    struct dj_effect_side times = SIDE(2, NAN, 8, 4);
    struct dj_effect_side shares = {janks, frames, 3};
    expect_near(dj_compare_log_centre(&times, DJ_EFFECT_RATIO), log(4), 1e-12);
    expect_near(dj_compare_log_centre(&shares, DJ_EFFECT_SHARE), log(6.5 / 300), 1e-12);
    times = SIDE(2, 0, 8);
    cr_assert(isnan(dj_compare_log_centre(&times, DJ_EFFECT_RATIO)));
}

/* ---- metamorphic ---- */

Test(effect, unit_and_order_do_not_change_the_verdict)
{
    double a[] = {10, 11.3, 12.1, 13.7, 14.2}, b[] = {12, 13.5, 14.4, 15.9, 17};
    struct dj_effect_side one = {a, NULL, 5}, other = {b, NULL, 5};
    struct dj_effect before = judge(one, other, &usual);
    for (int i = 0; i < 5; i++) {
        a[i] *= 1e6;
        b[i] *= 1e6;
    }
    double first = a[0];
    a[0] = a[4];
    a[4] = first;
    struct dj_effect after = judge(one, other, &usual);
    expect_near(after.ratio, before.ratio, 1e-12);
    expect_near(after.ci.low, before.ci.low, 1e-12);
    cr_assert_eq(after.p, before.p);
    cr_assert_eq(after.verdict, before.verdict);
}

Test(effect, one_outlier_changes_no_verdict)
{
    double a[MOST], b[MOST];
    for (int i = 0; i < 10; i++) {
        a[i] = 10 + 0.05 * i;
        b[i] = 12 + 0.06 * i;
    }
    struct dj_effect_side one = {a, NULL, 10}, other = {b, NULL, 10};
    cr_assert_eq(judge(one, other, &usual).verdict, DJ_VERDICT_REGRESSION);
    a[3] = 1e9;
    cr_assert_eq(judge(one, other, &usual).verdict, DJ_VERDICT_REGRESSION);
}

Test(effect, another_alpha_recomputes_the_interval)
{
    struct dj_effect_side a = SIDE(10, 11, 12, 13, 14);
    struct dj_effect_side b = SIDE(15, 16.5, 18, 19.5, 21);
    struct dj_effect_rules rules = usual;
    struct dj_effect effect = judge(a, b, &usual);
    struct dj_effect whole;
    struct dj_error err = {0};
    rules.alpha = 0.01;
    cr_assert_eq(dj_compare_recompute_effect(&a, &b, &rules, &effect, &err), 0);
    whole = judge(a, b, &rules);
    cr_assert_eq(effect.ci.low, whole.ci.low);
    cr_assert_eq(effect.p, whole.p);
    cr_assert_eq(effect.verdict, whole.verdict);
    expect_near(effect.ci.low, 15.0 / 14, 1e-12);
    rules.alpha_p = 0.001; /* Without support by p, no verdict has a direction. */
    cr_assert_eq(dj_compare_recompute_effect(&a, &b, &rules, &effect, &err), 0);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
}
