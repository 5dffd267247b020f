#include "compare/family.h"

#include <criterion/criterion.h>
#include <math.h>

enum { RUNS = 8 };

/* Sets eight different runs around 10 for A, and eight around 10 × ratio for B. */
struct made {
    double a[RUNS], b[RUNS];
};

static struct dj_family_member make(struct made *made, double ratio, double noise)
{
    for (int i = 0; i < RUNS; i++) {
        made->a[i] = 10 * (1 + noise * ((i * 5) % RUNS - 3.5) / RUNS);
        made->b[i] = 10 * ratio * (1 + noise * ((i * 3) % RUNS - 3.4) / RUNS);
    }
    return (struct dj_family_member){
        .a = {made->a, NULL, RUNS},
        .b = {made->b, NULL, RUNS},
        .rules = {.kind = DJ_EFFECT_RATIO, .margin = 0.05},
        .gates = true,
    };
}

static struct dj_family_verdict judge(struct dj_family_member *members, size_t count)
{
    struct dj_family_verdict verdict;
    struct dj_error err = {0};
    cr_assert_eq(dj_compare_family_judge(members, count, 0.05, &verdict, &err), 0, "%s",
                 err.message);
    return verdict;
}

Test(family, holm_gives_the_smallest_p_the_strictest_level)
{
    struct made made[3];
    struct dj_family_member members[] = {
        make(&made[0], 1.0, 0.02), make(&made[1], 1.5, 0.02), make(&made[2], 1.04, 0.1)};
    struct dj_family_verdict verdict = judge(members, 3);
    cr_assert_eq(verdict.verdict, DJ_VERDICT_REGRESSION);
    cr_assert_eq(verdict.gating, 3);
    cr_assert_eq(members[1].effect.verdict, DJ_VERDICT_REGRESSION);
    cr_assert_eq(members[0].effect.verdict, DJ_VERDICT_EQUIVALENT);
    cr_assert_float_eq(members[1].effect.level, 1 - 0.05 / 3, 1e-12);
    cr_assert_float_eq(members[1].adjusted_p, 3 * members[1].effect.p, 1e-12);
    cr_assert_lt(members[2].effect.level, members[1].effect.level);
}

Test(family, family_level_is_stricter_than_a_single_level)
{
    struct made made[4];
    struct dj_family_member alone = make(&made[0], 1.04, 0.1);
    struct dj_family_verdict verdict = judge(&alone, 1);
    cr_assert(alone.effect.p < 0.05 && alone.effect.p > 0.05 / 4, "p %g", alone.effect.p);
    cr_assert_eq(verdict.verdict, DJ_VERDICT_LIKELY_REGRESSION);
    struct dj_family_member many[] = {make(&made[0], 1.04, 0.1), make(&made[1], 1, 0.02),
                                      make(&made[2], 1, 0.02), make(&made[3], 1, 0.02)};
    verdict = judge(many, 4);
    cr_assert_eq(verdict.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert_eq(many[0].effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert_eq(many[1].effect.verdict, DJ_VERDICT_EQUIVALENT);
}

Test(family, opposite_hard_verdicts_are_inconclusive)
{
    struct made made[2];
    struct dj_family_member members[] = {make(&made[0], 1.5, 0.02),
                                         make(&made[1], 0.6, 0.02)};
    struct dj_family_verdict verdict = judge(members, 2);
    cr_assert_eq(verdict.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert(verdict.contradictory);
}

Test(family, refused_metrics_drop_out)
{
    struct made made[2];
    struct dj_family_member members[] = {make(&made[0], 1.5, 0.02),
                                         make(&made[1], 1, 0.02)};
    made[0].a[2] = 0;
    struct dj_family_verdict verdict = judge(members, 2);
    cr_assert_eq(verdict.dropped, 1);
    cr_assert_eq(verdict.gating, 1);
    cr_assert_eq(verdict.verdict, DJ_VERDICT_EQUIVALENT);
    cr_assert_float_eq(members[1].effect.level, 0.95, 1e-12, "it is the only test");
    cr_assert(isnan(members[0].adjusted_p));
    made[1].a[2] = 0;
    verdict = judge(members, 2);
    cr_assert_eq(verdict.gating, 0);
    cr_assert_eq(verdict.verdict, DJ_VERDICT_INCONCLUSIVE, "no member can be judged");
}

Test(family, metrics_that_do_not_gate_use_benjamini_and_hochberg)
{
    struct made made[3];
    struct dj_family_member members[] = {
        make(&made[0], 1, 0.02), make(&made[1], 1.5, 0.02), make(&made[2], 1.04, 0.1)};
    members[1].gates = members[2].gates = false;
    struct dj_family_verdict verdict = judge(members, 3);
    cr_assert_eq(verdict.verdict, DJ_VERDICT_EQUIVALENT);
    cr_assert_eq(members[1].effect.verdict, DJ_VERDICT_REGRESSION);
    cr_assert_eq(members[2].effect.verdict, DJ_VERDICT_LIKELY_REGRESSION,
                 "the level of the larger of two p is alpha");
    cr_assert_float_eq(members[1].effect.level, 0.95, 1e-12);
}

Test(family, verdicts_combine_by_precedence)
{
    static const struct {
        enum dj_compare_verdict one, other, sum;
    } cases[] = {
        {DJ_VERDICT_REGRESSION, DJ_VERDICT_EQUIVALENT, DJ_VERDICT_REGRESSION},
        {DJ_VERDICT_REGRESSION, DJ_VERDICT_INCONCLUSIVE, DJ_VERDICT_REGRESSION},
        {DJ_VERDICT_REGRESSION, DJ_VERDICT_IMPROVEMENT, DJ_VERDICT_INCONCLUSIVE},
        {DJ_VERDICT_REGRESSION, DJ_VERDICT_LIKELY_IMPROVEMENT, DJ_VERDICT_REGRESSION},
        {DJ_VERDICT_IMPROVEMENT, DJ_VERDICT_LIKELY_REGRESSION, DJ_VERDICT_IMPROVEMENT},
        {DJ_VERDICT_LIKELY_REGRESSION, DJ_VERDICT_LIKELY_IMPROVEMENT,
         DJ_VERDICT_LIKELY_REGRESSION},
        {DJ_VERDICT_LIKELY_IMPROVEMENT, DJ_VERDICT_INCONCLUSIVE,
         DJ_VERDICT_LIKELY_IMPROVEMENT},
        {DJ_VERDICT_EQUIVALENT, DJ_VERDICT_INCONCLUSIVE, DJ_VERDICT_INCONCLUSIVE},
        {DJ_VERDICT_EQUIVALENT, DJ_VERDICT_EQUIVALENT, DJ_VERDICT_EQUIVALENT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int turned = 0; turned < 2; turned++) {
            struct dj_family_verdict verdict;
            struct dj_family_member members[3] = {
                {.gates = true, .effect.verdict = turned ? cases[i].other : cases[i].one},
                {.gates = true, .effect.verdict = turned ? cases[i].one : cases[i].other},
                /* This metric does not gate. */
                {.effect.verdict = DJ_VERDICT_REGRESSION},
            };
            dj_compare_family_combine(members, 3, &verdict);
            cr_assert_eq(verdict.verdict, cases[i].sum, "case %zu", i);
        }
    }
}
