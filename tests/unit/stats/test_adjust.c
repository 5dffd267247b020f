#include "stats/adjust.h"

#include "support.h"

Test(adjust, no_test_and_one_test)
{
    double p[] = {0.03};
    double adjusted[1];
    cr_expect_eq(dj_adjust_holm(NULL, 0, NULL), 0);
    cr_expect_eq(dj_adjust_benjamini_hochberg(NULL, 0, NULL), 0);
    cr_expect_eq(dj_adjust_holm(p, 1, adjusted), 0);
    cr_expect_eq(adjusted[0], 0.03);
}

Test(adjust, tests_that_were_not_performed_do_not_count)
{
    double p[] = {0.01, (double)NAN, 0.02, 0.9};
    const double holm[] = {0.03, 0, 0.04, 0.9};
    cr_expect_eq(dj_adjust_holm(p, 4, p), 0, "in place");
    cr_expect(isnan(p[1]));
    for (size_t i = 0; i < 4; i++) {
        cr_expect(i == 1 || fabs(p[i] - holm[i]) < 1e-15);
    }
    double none[] = {(double)NAN, (double)NAN};
    cr_expect_eq(dj_adjust_benjamini_hochberg(none, 2, none), 0);
    cr_expect(isnan(none[0]) && isnan(none[1]));
}

Test(adjust, rejects_an_invalid_p)
{
    static const double bad[] = {-0.1, 1.5, (double)INFINITY};
    for (size_t i = 0; i < 3; i++) {
        double p[] = {0.5, bad[i]};
        double adjusted[] = {7, 7};
        cr_expect_eq(dj_adjust_holm(p, 2, adjusted), DJ_E_INVALID);
        cr_expect_eq(dj_adjust_benjamini_hochberg(p, 2, adjusted), DJ_E_INVALID);
        cr_expect(adjusted[0] == 7 && adjusted[1] == 7, "nothing is written");
    }
}

Test(adjust, keeps_the_order_and_never_falls_below_p)
{
    uint64_t state = 31;
    for (int round = 0; round < 100; round++) {
        double p[30];
        double holm[30];
        double hochberg[30];
        size_t count = 1 + below(&state, 30);
        for (size_t i = 0; i < count; i++) {
            p[i] = round % 2 == 0 ? uniform(&state) : (double)below(&state, 5) / 4;
        }
        cr_assert_eq(dj_adjust_holm(p, count, holm), 0);
        cr_assert_eq(dj_adjust_benjamini_hochberg(p, count, hochberg), 0);
        for (size_t i = 0; i < count; i++) {
            cr_expect(holm[i] >= p[i] && holm[i] <= 1);
            cr_expect(hochberg[i] >= p[i] * (1 - 1e-15) &&
                      hochberg[i] <= holm[i] + 1e-15);
            for (size_t k = 0; k < count; k++) {
                cr_expect(p[i] > p[k] || holm[i] <= holm[k]);
                cr_expect(p[i] > p[k] || hochberg[i] <= hochberg[k]);
            }
        }
    }
}

/* ---- levels of Holm's method ---- */

Test(adjust, holm_levels_rise_until_the_first_p_above_its_level)
{
    /* .01 <= .05/4, .016 <= .05/3, .03 > .05/2. So .04 <= .05/1 is not significant. */
    const double p[] = {0.04, 0.01, (double)NAN, 0.03, 0.016};
    const double expected[] = {0.05, 0.0125, 0, 0.025, 0.05 / 3};
    const bool passes[] = {false, true, false, false, true};
    double level[5];
    bool significant[5];
    cr_assert_eq(dj_adjust_holm_levels(p, 5, 0.05, level, significant), 0);
    for (size_t i = 0; i < 5; i++) {
        cr_expect_eq(significant[i], passes[i], "%zu", i);
        cr_expect(isnan(p[i]) ? isnan(level[i]) : level[i] == expected[i], "%zu", i);
    }
}

Test(adjust, equal_p_have_equal_holm_levels)
{
    const double p[] = {0.5, 0.02, 0.02};
    double level[3];
    bool significant[3];
    cr_assert_eq(dj_adjust_holm_levels(p, 3, 0.06, level, significant), 0);
    cr_expect(level[0] == 0.06 && level[1] == 0.02 && level[2] == 0.02);
    cr_expect(!significant[0] && significant[1] && significant[2]);
}

Test(adjust, holm_levels_of_no_tests_and_of_an_invalid_p)
{
    const double invalid[] = {0.5, 2};
    double level[] = {7, 7};
    bool significant[] = {true, true};
    cr_expect_eq(dj_adjust_holm_levels(NULL, 0, 0.05, level, significant), 0);
    cr_expect_eq(dj_adjust_holm_levels(invalid, 2, 0.05, level, significant),
                 DJ_E_INVALID);
    cr_expect(level[0] == 7 && level[1] == 7 && significant[0] && significant[1]);
}

/* A p is significant exactly if its adjusted p is at most alpha. */
Test(adjust, holm_levels_agree_with_adjusted_p)
{
    uint64_t state = 7;
    for (int round = 0; round < 200; round++) {
        double p[20];
        double adjusted[20];
        double level[20];
        bool significant[20];
        size_t count = 1 + below(&state, 20);
        for (size_t i = 0; i < count; i++) {
            p[i] =
                0.01 * (double)(1 + below(&state, 20)) / (1 + (double)below(&state, 9));
        }
        cr_assert_eq(dj_adjust_holm(p, count, adjusted), 0);
        cr_assert_eq(dj_adjust_holm_levels(p, count, 0.0501, level, significant), 0);
        for (size_t i = 0; i < count; i++) {
            cr_expect_eq(significant[i], adjusted[i] <= 0.0501, "%g", p[i]);
        }
    }
}
