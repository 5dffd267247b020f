#include "stats/brunner_munzel.h"

#include "stats/mann_whitney.h"
#include "support.h"

Test(brunner_munzel, swapping_shuffling_and_scaling_do_not_change_p)
{
    uint64_t state = 61;
    for (int round = 0; round < 40; round++) {
        double x[25];
        double y[25];
        size_t n = 2 + below(&state, 23);
        size_t m = round % 3 == 0 ? n : 2 + below(&state, 23);
        if (round % 2 == 0) {
            fill_normal(&state, x, n);
            fill_normal(&state, y, m);
        } else {
            fill_tied(&state, x, n, 6);
            fill_tied(&state, y, m, 7);
        }
        struct dj_brunner_munzel one;
        struct dj_brunner_munzel other;
        cr_assert_eq(dj_brunner_munzel(x, n, y, m, &one), 0);
        shuffle(&state, x, n);
        shuffle(&state, y, m);
        for (size_t i = 0; i < 25; i++) {
            x[i] = 1000 * x[i] + 7;
            y[i] = 1000 * y[i] + 7;
        }
        cr_assert_eq(dj_brunner_munzel(y, m, x, n, &other), 0);
        cr_expect(same_bits(one.p, other.p), "%.17g %.17g", one.p, other.p);
        cr_expect_eq(one.statistic, -other.statistic);
        cr_expect_float_eq(one.superiority + other.superiority, 1, 1e-15);
        cr_expect(one.p > 0 && one.p <= 1);
    }
}

/* A sample of permutations gives nearly the same p as all permutations. */
Test(brunner_munzel, sampled_and_enumerated_permutations_agree)
{
    uint64_t state = 62;
    for (int round = 0; round < 6; round++) {
        double x[9];
        double y[9];
        fill_normal(&state, x, 9);
        fill_normal(&state, y, 9);
        for (size_t i = 0; i < 9; i++) {
            y[i] += 0.2 * round;
        }
        struct dj_brunner_munzel drawn;
        struct dj_mann_whitney ranks;
        cr_assert_eq(dj_brunner_munzel(x, 9, y, 9, &drawn), 0);
        cr_assert_eq(dj_mann_whitney(x, 9, y, 9, &ranks), 0);
        cr_expect_not(drawn.enumerated, "48620 ways");
        /* For groups of equal sizes without ties, the rank test gives nearly the same
         * p. */
        cr_expect_float_eq(drawn.p, ranks.p, 0.02 + 0.15 * ranks.p);
        cr_assert_eq(dj_brunner_munzel(x, 7, y, 7, &drawn), 0);
        cr_expect(drawn.enumerated, "3432 ways");
    }
}

Test(brunner_munzel, keeps_its_level_if_the_small_group_has_more_spread)
{
    enum { ROUNDS = 600 };
    uint64_t state = 63;
    int alarms = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double x[5];
        double y[8];
        fill_normal(&state, x, 5);
        fill_normal(&state, y, 8);
        for (size_t i = 0; i < 5; i++) {
            x[i] *= 2;
        }
        struct dj_brunner_munzel test;
        cr_assert_eq(dj_brunner_munzel(x, 5, y, 8, &test), 0);
        alarms += test.p <= 0.05;
    }
    cr_expect_lt(alarms, 60, "%d of %d at 0.05", alarms, ROUNDS);
}

Test(brunner_munzel, separate_groups_and_equal_numbers)
{
    double low[] = {1, 2, 3, 4, 5};
    double high[] = {11, 12, 13, 14};
    double same[] = {3, 3, 3};
    struct dj_brunner_munzel test;
    cr_assert_eq(dj_brunner_munzel(low, 5, high, 4, &test), 0);
    cr_expect(test.superiority == 1 && test.statistic > 0 && isfinite(test.statistic));
    cr_expect_eq(test.p_t, 0);
    cr_expect_float_eq(test.p, 2 / 126.0, 1e-12);
    cr_assert_eq(dj_brunner_munzel(same, 3, same, 2, &test), 0);
    cr_expect(test.statistic == 0 && test.p == 1 && test.p_t == 1);
    cr_expect_eq(test.superiority, 0.5);
}

Test(brunner_munzel, rejects_invalid_input)
{
    double fine[] = {1, 2, 3};
    double bad[] = {1, (double)NAN, 3};
    struct dj_brunner_munzel test;
    cr_expect_eq(dj_brunner_munzel(fine, 1, fine, 3, &test), DJ_E_NO_DATA);
    cr_expect_eq(dj_brunner_munzel(fine, 3, NULL, 0, &test), DJ_E_NO_DATA);
    cr_expect_eq(dj_brunner_munzel(fine, 3, bad, 3, &test), DJ_E_INVALID);
}
