#include "stats/rate_ratio.h"

#include "stats/special.h"
#include "support.h"

enum { RUNS = 10 };

static double frames[RUNS] = {600, 610, 590, 600, 605, 600, 598, 602, 600, 595};

Test(rate_ratio, matches_the_formula)
{
    const double a[] = {4, 6, 5, 3};
    const double b[] = {9, 14, 8, 11, 10};
    struct dj_counts of_a = {a, frames, 4};
    struct dj_counts of_b = {b, frames, 5};
    struct dj_rate_ratio got;
    cr_assert_eq(dj_rate_ratio(&of_a, &of_b, 0.95, &got), 0);
    double r_a = 18.0 / 2400;
    double r_b = 52.0 / 3005;
    double squares_a = 0;
    double squares_b = 0;
    for (size_t i = 0; i < 5; i++) {
        squares_a += i < 4 ? pow(a[i] - r_a * frames[i], 2) : 0;
        squares_b += pow(b[i] - r_b * frames[i], 2);
    }
    double v_a = fmax(4.0 / 3 * squares_a / (18.5 * 18.5), 1 / 18.5);
    double v_b = fmax(5.0 / 4 * squares_b / (52.5 * 52.5), 1 / 52.5);
    double log_ratio = log(52.5 / 3005 / (18.5 / 2400));
    double df = pow(v_a + v_b, 2) / (v_a * v_a / 3 + v_b * v_b / 4);
    double half = dj_special_t_quantile(0.975, df) * sqrt(v_a + v_b);
    cr_expect_float_eq(got.rate_a, r_a, 1e-15);
    cr_expect_float_eq(got.log_ratio, log_ratio, 1e-14);
    cr_expect_float_eq(got.df, df, 1e-10);
    cr_expect_float_eq(got.bounds.low, log_ratio - half, 1e-12);
    cr_expect_float_eq(got.bounds.high, log_ratio + half, 1e-12);
    cr_expect_float_eq(got.p, dj_special_t_two_sided(log_ratio / sqrt(v_a + v_b), df),
                       1e-14);
    cr_expect(!got.few && isnan(got.bound_a) && got.events == 70);
}

Test(rate_ratio, swapping_and_shuffling_runs_do_not_change_the_result)
{
    uint64_t state = 77;
    for (int round = 0; round < 300; round++) {
        double a[RUNS];
        double b[RUNS];
        double same[RUNS] = {600, 600, 600, 600, 600, 600, 600, 600, 600, 600};
        size_t levels = 1 + below(&state, 40);
        fill_tied(&state, a, RUNS, levels);
        fill_tied(&state, b, RUNS, levels);
        struct dj_counts of_a = {a, frames, RUNS};
        struct dj_counts of_b = {b, same, 2 + below(&state, RUNS - 1)};
        struct dj_rate_ratio one;
        struct dj_rate_ratio other;
        cr_assert_eq(dj_rate_ratio(&of_a, &of_b, 0.95, &one), 0);
        shuffle(&state, b, of_b.runs);
        cr_assert_eq(dj_rate_ratio(&of_b, &of_a, 0.95, &other), 0);
        cr_expect(same_bits(one.p, other.p) && same_bits(one.df, other.df));
        cr_expect(one.log_ratio == -other.log_ratio &&
                  one.bounds.low == -other.bounds.high &&
                  one.difference == -other.difference);
        cr_expect_eq(one.p > 0.05, one.bounds.low < 0 && one.bounds.high > 0);
    }
}

Test(rate_ratio, no_events_and_few_events)
{
    const double none[RUNS] = {0};
    const double some[RUNS] = {1, 0, 0, 2, 0, 1};
    const double enough[RUNS] = {1, 0, 0, 2, 0, 2};
    struct dj_counts of_none = {none, frames, RUNS};
    struct dj_counts of_some = {some, frames, RUNS};
    struct dj_counts of_enough = {enough, frames, RUNS};
    struct dj_rate_ratio got;
    cr_assert_eq(dj_rate_ratio(&of_none, &of_none, 0.95, &got), 0);
    cr_expect(got.few && got.events == 0 && got.difference == 0 && got.p == 1);
    cr_expect_float_eq(got.bound_a, 3 / 6000.0, 1e-18);
    cr_expect_float_eq(got.bound_b, 3 / 6000.0, 1e-18);
    cr_assert_eq(dj_rate_ratio(&of_none, &of_some, 0.95, &got), 0);
    cr_expect(got.few && !isnan(got.bound_a) && isnan(got.bound_b));
    cr_expect_float_eq(got.difference, 4 / 6000.0, 1e-18);
    cr_assert_eq(dj_rate_ratio(&of_none, &of_enough, 0.95, &got), 0);
    cr_expect(!got.few);
    cr_expect(isfinite(got.bounds.low) && isfinite(got.bounds.high));
}

Test(rate_ratio, variance_comes_from_runs_not_from_frames)
{
    /* One run of each group has all janky frames. A test of pooled frames would be
     * significant. */
    const double a[RUNS] = {60, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const double b[RUNS] = {0, 0, 180, 0, 0, 0, 0, 0, 0, 0};
    struct dj_counts of_a = {a, frames, RUNS};
    struct dj_counts of_b = {b, frames, RUNS};
    struct dj_rate_ratio got;
    cr_assert_eq(dj_rate_ratio(&of_a, &of_b, 0.95, &got), 0);
    cr_expect_gt(got.p, 0.3);
    cr_expect(got.bounds.low < 0 && got.bounds.high > 0);
}

Test(rate_ratio, rejects_invalid_input)
{
    const double fine[] = {1, 2};
    const double bad[][2] = {{1, -1}, {(double)NAN, 1}, {1, (double)INFINITY}};
    const double no_frames[] = {600, 0};
    struct dj_counts good = {fine, frames, 2};
    struct dj_rate_ratio got;
    for (size_t i = 0; i < 3; i++) {
        struct dj_counts counts = {bad[i], frames, 2};
        cr_expect_eq(dj_rate_ratio(&good, &counts, 0.95, &got), DJ_E_INVALID);
        cr_expect_eq(dj_rate_ratio(&counts, &good, 0.95, &got), DJ_E_INVALID);
    }
    struct dj_counts empty = {fine, no_frames, 2};
    struct dj_counts one = {fine, frames, 1};
    struct dj_counts none = {NULL, NULL, 0};
    cr_expect_eq(dj_rate_ratio(&good, &empty, 0.95, &got), DJ_E_INVALID);
    cr_expect_eq(dj_rate_ratio(&good, &one, 0.95, &got), DJ_E_NO_DATA);
    cr_expect_eq(dj_rate_ratio(&none, &good, 0.95, &got), DJ_E_NO_DATA);
    cr_expect_eq(dj_rate_ratio(&good, &good, 1, &got), DJ_E_USAGE);
}

/* There are 20 ways to divide 6 runs into 3 and 3. Only two of them are as extreme as the
 * observed groups. */
Test(rate_ratio, permuted_p_equals_a_manual_count)
{
    const double a[] = {1, 2, 3};
    const double b[] = {40, 50, 60};
    struct dj_counts of_a = {a, frames, 3};
    struct dj_counts of_b = {b, frames, 3};
    double p;
    cr_assert_eq(dj_rate_ratio_compute_permuted(&of_a, &of_b, &p), 0);
    cr_expect_float_eq(p, 0.1, 1e-15);
    of_b.runs = 1;
    cr_expect_eq(dj_rate_ratio_compute_permuted(&of_a, &of_b, &p), DJ_E_NO_DATA);
}

Test(rate_ratio, permuted_p_is_at_least_the_p_of_t)
{
    uint64_t state = 78;
    for (int round = 0; round < 60; round++) {
        double a[RUNS];
        double b[RUNS];
        size_t levels = 1 + below(&state, 40);
        fill_tied(&state, a, RUNS, levels);
        fill_tied(&state, b, RUNS, levels);
        struct dj_counts of_a = {a, frames, RUNS};
        struct dj_counts of_b = {b, frames, 2 + below(&state, RUNS - 1)};
        struct dj_rate_ratio plain;
        double one;
        double other;
        cr_assert_eq(dj_rate_ratio(&of_a, &of_b, 0.95, &plain), 0);
        cr_assert_eq(dj_rate_ratio_compute_permuted(&of_a, &of_b, &one), 0);
        cr_assert_eq(dj_rate_ratio_compute_permuted(&of_b, &of_a, &other), 0);
        cr_expect(same_bits(one, other));
        cr_expect(one >= plain.p && one <= 1);
    }
}

/* No sampled permutation is as extreme as these groups. The result is then the smallest
 * possible p, 2 / C(20, 10), which is below one in the number of samples. */
Test(rate_ratio, permuted_p_can_be_below_one_in_ten_thousand)
{
    double a[RUNS];
    double b[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        a[i] = 10 + (double)(i % 3);
        b[i] = 100 + (double)(i % 3);
    }
    struct dj_counts of_a = {a, frames, RUNS};
    struct dj_counts of_b = {b, frames, RUNS};
    double p;
    cr_assert_eq(dj_rate_ratio_compute_permuted(&of_a, &of_b, &p), 0);
    cr_expect_float_eq(p, 2.0 / 184756, 1e-12);
}
