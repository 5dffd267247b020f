/* Checks properties of the effect on many random pairs of sides: it does not depend on
 * the unit, the order of runs, or the choice of side A. Random differences are not
 * reported as regressions. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "compare/effect.h"

enum { TRIES = 300, RUNS_MOST = 14 };

static uint64_t state = 88172645463325252ULL;

static double chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

struct sides {
    double a[RUNS_MOST + 1], b[RUNS_MOST + 1];
    size_t n, m;
};

/* Returns two sides with random sizes, spreads and distance, sometimes with ties. */
static struct sides some_sides(void)
{
    struct sides sides = {.n = 5 + (size_t)(chance() * 10)};
    sides.m = chance() < 0.7 ? sides.n : 5 + (size_t)(chance() * 10);
    double spread = 0.3 * chance();
    double slower = chance() < 0.5 ? 1 : 0.7 + 0.6 * chance();
    double step = chance() < 0.2 ? 0.05 : 1e-9;
    for (size_t i = 0; i < sides.n; i++) {
        sides.a[i] = step * round((1 + spread * chance()) / step);
    }
    for (size_t i = 0; i < sides.m; i++) {
        sides.b[i] = step * round(slower * (1 + spread * chance()) / step);
    }
    return sides;
}

static struct dj_effect judge(const double *a, size_t n, const double *b, size_t m)
{
    const struct dj_effect_rules rules = {
        .kind = DJ_EFFECT_RATIO, .margin = 0.05, .alpha = 0.05};
    const struct dj_effect_side of_a = {a, NULL, n}, of_b = {b, NULL, m};
    struct dj_effect effect;
    cr_assert_eq(dj_compare_compute_effect(&of_a, &of_b, &rules, &effect, NULL), 0);
    return effect;
}

static struct dj_effect judge_sides(const struct sides *sides)
{
    return judge(sides->a, sides->n, sides->b, sides->m);
}

static void expect_near(double found, double expected)
{
    cr_assert(found == expected || fabs(found / expected - 1) < 1e-9, "%.17g, not %.17g",
              found, expected);
}

Test(effect_random, unit_does_not_change_the_ratio)
{
    for (int i = 0; i < TRIES; i++) {
        struct sides sides = some_sides();
        struct dj_effect before = judge_sides(&sides);
        for (size_t k = 0; k < RUNS_MOST; k++) {
            sides.a[k] *= 1048576; /* A power of 2, so that ties stay ties. */
            sides.b[k] *= 1048576;
        }
        struct dj_effect after = judge_sides(&sides);
        expect_near(after.ratio, before.ratio);
        expect_near(after.ci.low, before.ci.low);
        expect_near(after.ci.high, before.ci.high);
        expect_near(after.p, before.p);
        cr_assert_eq(after.verdict, before.verdict);
    }
}

Test(effect_random, order_does_not_change_the_result)
{
    for (int i = 0; i < TRIES; i++) {
        struct sides sides = some_sides();
        struct dj_effect before = judge_sides(&sides);
        for (size_t k = sides.n; k > 1; k--) {
            size_t other = (size_t)(chance() * (double)k);
            double saved = sides.a[k - 1];
            sides.a[k - 1] = sides.a[other];
            sides.a[other] = saved;
        }
        struct dj_effect after = judge_sides(&sides);
        cr_assert_eq(memcmp(&after.ci, &before.ci, sizeof(after.ci)), 0);
        cr_assert_eq(after.p, before.p);
        cr_assert_eq(after.ratio, before.ratio);
        cr_assert_eq(after.verdict, before.verdict);
    }
}

Test(effect_random, swapped_sides_reverse_the_result)
{
    for (int i = 0; i < TRIES; i++) {
        struct sides sides = some_sides();
        struct dj_effect forth = judge_sides(&sides);
        struct dj_effect back = judge(sides.b, sides.m, sides.a, sides.n);
        cr_assert_eq(back.p, forth.p, "exactly equal");
        expect_near(back.ratio, 1 / forth.ratio);
        expect_near(back.ci.low, 1 / forth.ci.high);
        expect_near(back.ci.high, 1 / forth.ci.low);
        cr_assert_eq(back.verdict, forth.verdict == DJ_VERDICT_INCONCLUSIVE
                                       ? forth.verdict
                                       : DJ_VERDICT_IMPROVEMENT - forth.verdict);
    }
}

/* With at least ten runs per side, an additional infinite or unknown run does not reverse
 * a verdict. */
Test(effect_random, one_outlier_does_not_reverse_a_verdict)
{
    static const double wild[] = {INFINITY, NAN, 1e12};
    for (int i = 0; i < TRIES; i++) {
        struct sides sides = some_sides();
        if (sides.n < 10 || sides.m < 10) {
            continue;
        }
        struct dj_effect before = judge_sides(&sides);
        for (size_t k = 0; k < sizeof(wild) / sizeof(wild[0]); k++) {
            sides.b[sides.m] = wild[k];
            struct dj_effect after = judge(sides.a, sides.n, sides.b, sides.m + 1);
            bool worse = before.verdict == DJ_VERDICT_REGRESSION ||
                         before.verdict == DJ_VERDICT_LIKELY_REGRESSION;
            bool better = before.verdict == DJ_VERDICT_IMPROVEMENT ||
                          before.verdict == DJ_VERDICT_LIKELY_IMPROVEMENT;
            cr_assert_not(worse && (after.verdict == DJ_VERDICT_IMPROVEMENT ||
                                    after.verdict == DJ_VERDICT_LIKELY_IMPROVEMENT));
            cr_assert_not(better && (after.verdict == DJ_VERDICT_REGRESSION ||
                                     after.verdict == DJ_VERDICT_LIKELY_REGRESSION));
        }
    }
}

/* B's runs spread many times as much as A's. The ranks separate the sides (p = 0.01), and
 * the interval of the ranks alone would exclude 1. Welch's interval includes 1. */
Test(effect_random, unequal_spreads_widen_the_interval)
{
    static const double a[] = {10, 10.01, 10.02, 10.03, 10.04, 10.05, 10.06, 10.07};
    static const double b[] = {10.2, 10.5, 10.9, 11.4, 12, 12.6, 13.3, 7};
    struct dj_effect effect = judge(a, 8, b, 8);
    cr_assert_lt(effect.p, 0.05);
    cr_assert_lt(effect.ci.low, 1);
    cr_assert_gt(effect.ci.high, 1);
    cr_assert_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
}

/* The runs differ by half. The interval excludes the margin, but p is too large for a
 * hard verdict. Five runs per side that do not overlap give a hard verdict. */
Test(effect_random, weak_evidence_is_at_most_likely)
{
    static const double a[] = {4, 5, 6, 7, 8, 9, 10, 11, 16, 20};
    static const double b[] = {7.5, 10.5, 12, 13, 14, 15, 17, 19, 21, 23};
    static const double low[] = {4, 5, 6, 7, 8}, high[] = {9, 11, 13, 15, 17};
    static const double close[] = {8.5, 9, 9.5, 10, 10.5};
    struct dj_effect noisy = judge(a, 10, b, 10);
    cr_assert_gt(noisy.p, 0.002);
    cr_assert_gt(noisy.ci.low, 1.05);
    cr_assert_eq(noisy.verdict, DJ_VERDICT_LIKELY_REGRESSION, "p %g, low %g", noisy.p,
                 noisy.ci.low);
    struct dj_effect apart = judge(low, 5, high, 5);
    cr_assert_gt(apart.p, 0.002);
    cr_assert_eq(apart.verdict, DJ_VERDICT_REGRESSION);
    cr_assert_eq(judge(high, 5, low, 5).verdict, DJ_VERDICT_IMPROVEMENT);
    apart = judge(low, 5, close, 5);
    cr_assert_gt(apart.ci.low, 1.05);
    cr_assert_eq(apart.verdict, DJ_VERDICT_LIKELY_REGRESSION, "the spreads differ");
    cr_assert_eq(judge(close, 5, low, 5).verdict, DJ_VERDICT_LIKELY_IMPROVEMENT);
}
