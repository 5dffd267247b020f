#include <criterion/criterion.h>

#include <math.h>

#include "compare/family.h"
#include "compare/share.h"
#include "stats/special.h"

static struct dj_effect judge(double log_ratio, double error, double df)
{
    const struct dj_effect_rules rules = {.margin = 0.05, .alpha = 0.05};
    struct dj_effect_estimate estimate = {
        .log_ratio = {log_ratio, error, df}, .a = 10, .b = 11, .n_a = 7, .n_b = 7};
    struct dj_effect effect;
    cr_assert_eq(dj_compare_judge_estimate(&estimate, &rules, &effect, NULL), 0);
    return effect;
}

Test(effect_estimate, the_interval_is_that_of_student)
{
    struct dj_effect effect = judge(log(1.1), 0.02, 6);
    double half = 2.446911851144969 * 0.02;
    cr_expect(fabs(effect.ratio - 1.1) < 1e-12);
    cr_expect(fabs(effect.ci.low - 1.1 * exp(-half)) < 1e-9);
    cr_expect(fabs(effect.ci.high - 1.1 * exp(half)) < 1e-9);
    cr_expect(fabs(effect.p - dj_special_t_two_sided(log(1.1) / 0.02, 6)) < 1e-15);
    cr_expect(effect.a == 10 && effect.b == 11 && effect.n_a == 7 && effect.n_b == 7);
}

Test(effect_estimate, all_six_verdicts)
{
    static const struct {
        double log_ratio, error;
        enum dj_compare_verdict verdict;
    } cases[] = {
        {0.2, 0.02, DJ_VERDICT_REGRESSION},
        {-0.2, 0.02, DJ_VERDICT_IMPROVEMENT},
        {0.06, 0.02, DJ_VERDICT_LIKELY_REGRESSION},
        {-0.06, 0.02, DJ_VERDICT_LIKELY_IMPROVEMENT},
        {0.001, 0.01, DJ_VERDICT_EQUIVALENT},
        {0.01, 0.1, DJ_VERDICT_INCONCLUSIVE},
        {0, 0, DJ_VERDICT_EQUIVALENT},
        {0.2, 0, DJ_VERDICT_REGRESSION},
        {0.5, (double)INFINITY, DJ_VERDICT_INCONCLUSIVE},
        /* The interval excludes the margin, but p is above alpha / 30. */
        {0.15, 0.045, DJ_VERDICT_LIKELY_REGRESSION},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct dj_effect effect = judge(cases[i].log_ratio, cases[i].error, 20);
        cr_expect_eq(effect.verdict, cases[i].verdict, "%zu: %s", i,
                     dj_compare_verdict_name(effect.verdict));
    }
}

Test(effect_estimate, a_refused_estimate_has_no_verdict)
{
    const struct dj_effect_rules rules = {.margin = 0.05, .alpha = 0.05};
    struct dj_effect_estimate estimate = {.refusal = DJ_EFFECT_FEW_MODELS,
                                          .log_ratio = {1, 0.01, 9}};
    struct dj_effect effect;
    cr_assert_eq(dj_compare_judge_estimate(&estimate, &rules, &effect, NULL), 0);
    cr_expect(isnan(effect.ratio) && isnan(effect.p));
    cr_expect_eq(effect.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_expect(dj_compare_refusal_drops_out(effect.refusal));
    struct dj_effect_rules bad = {.margin = 0, .alpha = 0.05};
    cr_expect_eq(dj_compare_judge_estimate(&estimate, &bad, &effect, NULL), DJ_E_USAGE);
}

/* Each of twenty estimates alone is likely at 5 %, but not after Holm's correction. */
Test(effect_estimate, a_family_of_estimates_is_corrected)
{
    enum { COUNT = 20 };
    struct dj_effect_estimate estimates[COUNT];
    struct dj_family_member members[COUNT];
    struct dj_family_verdict verdict;
    for (size_t i = 0; i < COUNT; i++) {
        estimates[i] = (struct dj_effect_estimate){.log_ratio = {0.05, 0.02, 30}};
        members[i] = (struct dj_family_member){
            .estimate = &estimates[i], .rules = {.margin = 0.01}, .gates = true};
    }
    cr_assert_eq(dj_compare_family_judge(members, 1, 0.05, &verdict, NULL), 0);
    cr_expect_eq(verdict.verdict, DJ_VERDICT_LIKELY_REGRESSION);
    cr_assert_eq(dj_compare_family_judge(members, COUNT, 0.05, &verdict, NULL), 0);
    cr_expect_eq(verdict.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_expect(fabs(members[0].effect.level - (1 - 0.05 / COUNT)) < 1e-12);
}

Test(share, percentages_and_shares)
{
    static const struct {
        const char *text;
        double share; /* 0 if it is invalid. */
    } cases[] = {{"5%", 0.05}, {"0.05", 0.05}, {"5", 0.05}, {"0.5%", 0.005}, {"1", 0.01},
                 {"0", 0},     {"-5%", 0},     {"", 0},     {"%", 0},        {"5%%", 0},
                 {"x", 0},     {"5 x", 0},     {"nan", 0},  {"inf", 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double share = 0;
        bool is_valid = dj_compare_parse_share(dj_str_of(cases[i].text), &share);
        cr_expect_eq(is_valid, cases[i].share > 0, "%s", cases[i].text);
        cr_expect(!is_valid || fabs(share - cases[i].share) < 1e-15, "%s", cases[i].text);
    }
}

Test(share, probabilities)
{
    double alpha = 0;
    cr_expect(dj_compare_parse_alpha(dj_str_of("1%"), &alpha) && alpha == 0.01);
    cr_expect(dj_compare_parse_alpha(dj_str_of("0.2"), &alpha) && alpha == 0.2);
    static const char *const bad[] = {"1", "5", "0.5", "50%", "0", "-1%", ""};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        cr_expect(!dj_compare_parse_alpha(dj_str_of(bad[i]), &alpha), "%s", bad[i]);
    }
}
