/* Checks on simulated runs that the recommended number of runs per side is correct. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

#include "compare/effect.h"
#include "compare/family.h"
#include "stats/special.h"

enum { RUNS_MOST = 400, TRIES = 250 };

static uint64_t state;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

/* Draws runs with median 15 · exp(shift). Their logarithms have the standard deviation
 * sigma. */
static void draw(double *values, size_t count, double shift, double sigma)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = 15 * exp(shift + sigma * dj_special_normal_quantile(uniform()));
    }
}

/* Sets runs at evenly spaced quantiles, so that the observed shift and spread are
 * exact. */
static void place_at_quantiles(double *values, size_t count, double shift, double sigma)
{
    for (size_t i = 0; i < count; i++) {
        double at = ((double)i + 0.5) / (double)count;
        values[i] = 15 * exp(shift + sigma * dj_special_normal_quantile(at));
    }
}

static struct dj_effect judge(const double *a, const double *b, size_t count,
                              const struct dj_effect_rules *rules)
{
    const struct dj_effect_side of_a = {a, NULL, count}, of_b = {b, NULL, count};
    struct dj_effect effect;
    cr_assert_eq(dj_compare_compute_effect(&of_a, &of_b, rules, &effect, NULL), 0);
    return effect;
}

static bool is_settled(const struct dj_effect *effect,
                       const struct dj_effect_rules *rules)
{
    return effect->verdict != DJ_VERDICT_INCONCLUSIVE &&
           !(rules->likely_is_open && effect->verdict == DJ_VERDICT_LIKELY_REGRESSION);
}

static double share_settled(double shift, double sigma, size_t count,
                            const struct dj_effect_rules *rules)
{
    double a[RUNS_MOST], b[RUNS_MOST];
    int settled = 0;
    state = 88172645463325252ULL;
    for (int i = 0; i < TRIES; i++) {
        draw(a, count, 0, sigma);
        draw(b, count, shift, sigma);
        struct dj_effect effect = judge(a, b, count, rules);
        settled += is_settled(&effect, rules);
    }
    return (double)settled / TRIES;
}

/* Computes the effect of `count` runs per side with this shift and spread. */
static struct dj_effect compute_observed(double shift, double sigma, size_t count,
                                         const struct dj_effect_rules *rules)
{
    double a[RUNS_MOST], b[RUNS_MOST];
    place_at_quantiles(a, count, 0, sigma);
    place_at_quantiles(b, count, shift + 1e-6,
                       sigma); /* The added shift prevents ties. */
    struct dj_effect effect = judge(a, b, count, rules);
    cr_assert_not(is_settled(&effect, rules), "%g at %g is settled", shift, sigma);
    return effect;
}

/* Checks that the recommended number gives a verdict with 80 % probability. Fewer runs
 * may also be enough if the number is the minimum of five or the present number. */
static void expect_power(double shift, double sigma, size_t count,
                         const struct dj_effect_rules *rules)
{
    struct dj_effect effect = compute_observed(shift, sigma, count, rules);
    cr_assert(effect.runs_needed <= RUNS_MOST, "%g", effect.runs_needed);
    size_t runs = (size_t)effect.runs_needed;
    double power = share_settled(shift, effect.spread, runs, rules);
    cr_expect(power >= 0.68, "%g at %g, from %zu: %zu runs settle %.2f", shift, sigma,
              count, runs, power);
    size_t fewer = runs * 3 / 5;
    if (fewer > count && fewer >= DJ_EFFECT_RUNS_MIN) {
        power = share_settled(shift, effect.spread, fewer, rules);
        cr_expect(power < 0.78, "%g at %g, from %zu: %zu runs are enough instead of %zu",
                  shift, sigma, count, fewer, runs);
    }
}

static const struct dj_effect_rules alone = {
    .kind = DJ_EFFECT_RATIO, .margin = 0.05, .alpha = 0.05};
/* The level that Holm's method uses for the smallest p of three metrics. */
static const struct dj_effect_rules of_three = {.kind = DJ_EFFECT_RATIO,
                                                .margin = 0.05,
                                                .alpha = 0.05 / 3,
                                                .alpha_p = 0.05 / 3,
                                                .alpha_within = 0.05};
static const struct dj_effect_rules of_gate = {.kind = DJ_EFFECT_RATIO,
                                               .margin = 0.05,
                                               .alpha = 0.05 / 3,
                                               .alpha_p = 0.05 / 3,
                                               .alpha_within = 0.05,
                                               .likely_is_open = true};

Test(effect_runs, advised_number_of_runs_decides)
{
    static const struct {
        double shift, sigma;
        size_t count;
    } cases[] = {{0, 0.06, 4},     {0, 0.08, 10},   {0.02, 0.06, 6}, {0.04, 0.03, 4},
                 {0.1, 0.06, 4},   {0.1, 0.15, 10}, {0.3, 0.15, 4},  {0.5, 0.7, 5},
                 {0.01, 0.06, 10}, {1, 0.5, 4},     {-0.3, 0.3, 5}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect_power(cases[i].shift, cases[i].sigma, cases[i].count, &of_three);
    }
    expect_power(0.1, 0.1, 5, &alone);
}

Test(effect_runs, gate_needs_more_runs_than_a_direction)
{
    static const struct {
        double shift, sigma;
        size_t count;
    } cases[] = {{0, 0.06, 4}, {0.1, 0.03, 4}, {0.15, 0.06, 6}, {0.3, 0.15, 8},
                 {1, 0.5, 6},  {2.1, 0.7, 4},  {-0.3, 0.3, 5}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect_power(cases[i].shift, cases[i].sigma, cases[i].count, &of_gate);
        double direction =
            compute_observed(cases[i].shift, cases[i].sigma, 4, &of_three).runs_needed;
        double gate =
            compute_observed(cases[i].shift, cases[i].sigma, 4, &of_gate).runs_needed;
        cr_expect(direction <= gate, "%g and %g", direction, gate);
    }
}

/* With two metrics, four runs per side can never give a small enough p, but five can.
 * Whatever the spread is, a change of 743 % does not need thousands of runs. */
Test(effect_runs, huge_change_needs_the_fewest_runs_for_ranks)
{
    const struct dj_effect_rules of_two = {
        .kind = DJ_EFFECT_RATIO, .margin = 0.05, .alpha = 0.025, .alpha_within = 0.05};
    struct dj_effect effect = compute_observed(log(8.43), 0.3, 4, &of_two);
    cr_assert_eq(effect.runs_needed, 5);
    cr_assert_eq(effect.runs_to_show, 5);
    cr_assert_leq(compute_observed(log(8.43), 0.9, 4, &of_two).runs_needed, 9);
    cr_assert_leq(compute_observed(log(8.43), 0.7, 4, &of_gate).runs_needed, 10);
}

/* At a level of 1e-5, sides that do not overlap need nine runs each. */
Test(effect_runs, level_sets_the_least_number)
{
    struct dj_effect_rules strict = alone;
    strict.alpha = 1e-4;
    struct dj_effect effect = compute_observed(2, 0.01, 5, &strict);
    cr_assert_eq(effect.runs_needed, 9, "2 / C(16, 8) = 1.6e-4, 2 / C(18, 9) = 4.1e-5");
}

Test(effect_runs, recommended_runs_decide_a_share)
{
    double few[] = {9, 11, 13, 10, 8}, many[] = {14, 18, 13, 22, 16};
    double frames[RUNS_MOST];
    for (size_t i = 0; i < RUNS_MOST; i++) {
        frames[i] = 600;
    }
    struct dj_effect_rules rules = of_three;
    rules.kind = DJ_EFFECT_SHARE;
    rules.margin = 0.2;
    rules.alpha = rules.alpha_p = 0.002;
    struct dj_effect_side a = {few, frames, 5}, b = {many, frames, 5};
    struct dj_effect effect;
    cr_assert_eq(dj_compare_compute_effect(&a, &b, &rules, &effect, NULL), 0);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert(effect.runs_needed >= 7 && effect.runs_needed < 30, "%g",
              effect.runs_needed);
}

/* The batches differ by more than the change, so more runs of these two batches do not
 * help. */
Test(effect_runs, spread_between_batches_limits_the_result)
{
    static const double centres[] = {0, 0.3, -0.2, 0.25, -0.3, 0.1, 0.2, -0.1};
    struct dj_effect_past past = {centres, 8};
    struct dj_effect_rules rules = alone;
    rules.apart = true;
    rules.past = &past;
    cr_assert(isinf(compute_observed(0.25, 0.01, 5, &rules).runs_needed));
    /* A gate needs a hard verdict. Sides that were measured separately cannot have
     * one. */
    rules = of_gate;
    rules.apart = true;
    cr_assert(isinf(compute_observed(0.25, 0.05, 5, &rules).runs_needed));
}

/* A family is decided if one metric has a direction. Otherwise all metrics must be
 * decided. */
Test(effect_runs, first_direction_decides_a_family)
{
    struct dj_family_member members[] = {
        {.gates = true, .effect = {.runs_needed = 6, .runs_to_show = 6}},
        {.gates = true, .effect = {.runs_needed = 900, .runs_to_show = INFINITY}},
        {.gates = true, .effect = {.runs_needed = NAN, .runs_to_show = NAN}},
        {.effect = {.runs_needed = 5, .runs_to_show = 5}},
    };
    cr_assert_eq(dj_compare_family_runs_needed(members, 4), 6);
    members[0].effect.runs_to_show = INFINITY;
    cr_assert_eq(dj_compare_family_runs_needed(members, 4), 900);
    members[1].effect.runs_needed = INFINITY;
    cr_assert(isnan(dj_compare_family_runs_needed(members, 4)));
    cr_assert(isnan(dj_compare_family_runs_needed(members + 2, 2)),
              "both members are decided");
}
