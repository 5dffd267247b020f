#include "stats/welch.h"

#include "support.h"

Test(welch, swapping_and_shuffling_do_not_change_the_result)
{
    uint64_t state = 3;
    for (int round = 0; round < 300; round++) {
        double x[40];
        double y[40];
        size_t n = 2 + below(&state, 38);
        size_t m = 2 + below(&state, 38);
        fill_normal(&state, x, n);
        fill_tied(&state, y, m, 5);
        struct dj_welch one;
        struct dj_welch other;
        cr_assert_eq(dj_welch(x, n, y, m, 0.95, &one), 0);
        shuffle(&state, x, n);
        shuffle(&state, y, m);
        cr_assert_eq(dj_welch(y, m, x, n, 0.95, &other), 0);
        cr_expect(same_bits(one.p, other.p) && same_bits(one.df, other.df));
        cr_expect(one.t == -other.t && one.difference == -other.difference);
        cr_expect(one.bounds.low == -other.bounds.high &&
                  one.bounds.high == -other.bounds.low);
        cr_expect_eq(one.p > 0.05, one.bounds.low < 0 && one.bounds.high > 0);
    }
}

Test(welch, without_a_spread_p_depends_on_equality)
{
    double x[] = {0.1, 0.1, 0.1};
    double y[] = {0.3, 0.3};
    struct dj_welch test;
    cr_assert_eq(dj_welch(x, 3, x, 2, 0.95, &test), 0);
    cr_expect(test.p == 1 && test.t == 0 && test.bounds.low == 0 && isnan(test.df));
    cr_assert_eq(dj_welch(x, 3, y, 2, 0.95, &test), 0);
    cr_expect(test.p == 0 && isinf(test.t) && test.t > 0);
    cr_expect_eq(test.bounds.low, test.bounds.high);
    cr_assert_eq(dj_welch(y, 2, x, 3, 0.95, &test), 0);
    cr_expect(test.p == 0 && isinf(test.t) && test.t < 0);
}

Test(welch, tiny_and_huge_numbers)
{
    double x[] = {1e-200, 2e-200, 3e-200};
    double y[] = {4e-200, 5e-200, 7e-200};
    double large_x[] = {1, 2, 3};
    double large_y[] = {4, 5, 7};
    struct dj_welch tiny;
    struct dj_welch large;
    cr_assert_eq(dj_welch(x, 3, y, 3, 0.95, &tiny), 0);
    cr_assert_eq(dj_welch(large_x, 3, large_y, 3, 0.95, &large), 0);
    /* The squares of 1e-200 underflow to 0, but the test still finds the difference. */
    cr_expect_lt(tiny.p, 0.05);
    cr_expect_lt(large.p, 0.05);
}

Test(welch, rejects_invalid_input)
{
    double fine[] = {1, 2, 3};
    double bad[] = {1, (double)INFINITY};
    struct dj_welch test;
    cr_expect_eq(dj_welch(fine, 1, fine, 3, 0.95, &test), DJ_E_NO_DATA);
    cr_expect_eq(dj_welch(fine, 3, fine, 0, 0.95, &test), DJ_E_NO_DATA);
    cr_expect_eq(dj_welch(fine, 3, bad, 2, 0.95, &test), DJ_E_INVALID);
    cr_expect_eq(dj_welch(fine, 3, fine, 3, 1, &test), DJ_E_USAGE);
    cr_expect_eq(dj_welch(fine, 3, fine, 3, (double)NAN, &test), DJ_E_USAGE);
}
