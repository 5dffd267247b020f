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
