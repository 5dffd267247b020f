#include "stats/shift.h"

#include "stats/mann_whitney.h"
#include "stats/order.h"
#include "stats/two_groups/differences.h"
#include "support.h"

/* Returns all differences in ascending order. The caller frees them. */
static double *all_differences(const double *x, size_t n, const double *y, size_t m)
{
    double *all = calloc(n * m, sizeof(*all));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < m; k++) {
            all[i * m + k] = y[k] - x[i];
        }
    }
    dj_order_sort(all, n * m);
    return all;
}

static void fill(uint64_t *state, int kind, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double wild = kind == 2 ? exp(30 * normal(state)) : 1;
        values[i] = kind == 1 ? (double)below(state, 4) : normal(state) * wild;
    }
}

Test(shift, each_rank_equals_that_in_the_sorted_differences)
{
    uint64_t state = 5;
    for (int round = 0; round < 90; round++) {
        double x[40];
        double y[40];
        double got[1600];
        size_t ranks[1600];
        size_t n = 1 + below(&state, 40);
        size_t m = 1 + below(&state, 40);
        fill(&state, round % 3, x, n);
        fill(&state, round % 3, y, m);
        dj_order_sort(x, n);
        dj_order_sort(y, m);
        double *want = all_differences(x, n, y, m);
        for (size_t i = 0; i < n * m; i++) {
            ranks[i] = i;
        }
        cr_assert_eq(dj_differences_find(x, n, y, m, ranks, n * m, got), 0);
        for (size_t i = 0; i < n * m; i++) {
            cr_assert_eq(got[i], want[i], "%zu and %zu, rank %zu", n, m, i);
        }
        free(want);
    }
}

Test(shift, interval_ends_are_the_critical_ranks)
{
    uint64_t state = 6;
    for (int round = 0; round < 60; round++) {
        double x[30];
        double y[30];
        size_t n = 4 + below(&state, 27);
        size_t m = 4 + below(&state, 27);
        fill(&state, round % 3, x, n);
        fill(&state, round % 3, y, m);
        struct shift shift;
        cr_assert_eq(shift_of(x, n, y, m, 0.95, &shift), 0);
        double *all = all_differences(x, n, y, m);
        long q = dj_mann_whitney_critical(n, m, 1 - 0.95);
        cr_expect_eq(shift.shift, dj_order_median_sorted(all, n * m));
        cr_expect_eq(shift.bounds.low, q < 0 ? -(double)INFINITY : all[q]);
        cr_expect_eq(shift.bounds.high,
                     q < 0 ? (double)INFINITY : all[n * m - 1 - (size_t)q]);
        free(all);
    }
}

/* The interval contains exactly the shifts that the test does not reject. */
Test(shift, interval_inverts_the_test)
{
    uint64_t state = 8;
    for (int round = 0; round < 200; round++) {
        double x[12];
        double y[15];
        double moved[15];
        size_t n = 4 + below(&state, 9);
        size_t m = 4 + below(&state, 12);
        fill_normal(&state, x, n);
        fill_normal(&state, y, m);
        struct shift shift;
        cr_assert_eq(shift_of(x, n, y, m, 0.95, &shift), 0);
        for (int i = -40; i <= 40; i++) {
            double by = 0.1 * i + 1e-3;
            struct dj_mann_whitney test;
            for (size_t k = 0; k < m; k++) {
                moved[k] = y[k] - by;
            }
            cr_assert_eq(dj_mann_whitney(x, n, moved, m, &test), 0);
            bool inside = by >= shift.bounds.low && by <= shift.bounds.high;
            cr_assert_eq(inside, test.p > 0.05, "%zu %zu by %g: p %g", n, m, by, test.p);
        }
    }
}

Test(shift, swapped_groups_negate_the_result_exactly)
{
    uint64_t state = 9;
    for (int round = 0; round < 200; round++) {
        double x[80];
        double y[80];
        size_t n = 1 + below(&state, 80);
        size_t m = 1 + below(&state, 80);
        fill(&state, round % 3, x, n);
        fill(&state, round % 3, y, m);
        struct shift one;
        struct shift other;
        cr_assert_eq(shift_of(x, n, y, m, 0.9, &one), 0);
        shuffle(&state, x, n);
        shuffle(&state, y, m);
        cr_assert_eq(shift_of(y, m, x, n, 0.9, &other), 0);
        cr_expect_eq(one.shift, -other.shift);
        cr_expect_eq(one.bounds.low, -other.bounds.high);
        cr_expect_eq(one.bounds.high, -other.bounds.low);
        cr_expect(one.bounds.low <= one.shift && one.shift <= one.bounds.high);
    }
}

Test(shift, equal_numbers_and_small_groups)
{
    double same[] = {2, 2, 2, 2, 2};
    double more[] = {3, 3, 3, 3, 3};
    struct shift shift;
    cr_assert_eq(shift_of(same, 5, more, 5, 0.95, &shift), 0);
    cr_expect(shift.shift == 1 && shift.bounds.low == 1 && shift.bounds.high == 1);
    cr_assert_eq(shift_of(same, 5, same, 5, 0.95, &shift), 0);
    cr_expect(shift.shift == 0 && shift.bounds.low == 0 && shift.bounds.high == 0);
    cr_assert_eq(shift_of(same, 3, more, 3, 0.95, &shift), 0);
    cr_expect(isinf(shift.bounds.low) && isinf(shift.bounds.high) && shift.shift == 1);
    cr_assert_eq(shift_of(same, 1, more, 1, 0.95, &shift), 0);
    cr_expect(isinf(shift.bounds.low) && shift.bounds.low < 0 && shift.shift == 1);
}

Test(shift, rejects_invalid_input)
{
    double fine[] = {1, 2, 3, 4};
    double bad[] = {1, 2, (double)NAN, 4};
    struct shift shift;
    double centre;
    cr_expect_eq(shift_of(fine, 4, bad, 4, 0.95, &shift), DJ_E_INVALID);
    cr_expect_eq(shift_of(fine, 4, fine, 0, 0.95, &shift), DJ_E_NO_DATA);
    static const double levels[] = {0, 1, -1, 2};
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(shift_of(fine, 4, fine, 4, levels[i], &shift), DJ_E_USAGE);
    }
    cr_expect_eq(shift_of(fine, 4, fine, 4, (double)NAN, &shift), DJ_E_USAGE);
    cr_expect_eq(dj_shift_compute_centre(bad, 4, &centre), DJ_E_INVALID);
    cr_expect_eq(dj_shift_compute_centre(fine, 0, &centre), DJ_E_NO_DATA);
}

Test(shift, center_is_the_median_of_pair_means)
{
    uint64_t state = 10;
    for (size_t n = 1; n < 25; n++) {
        double x[25];
        double means[625];
        double centre;
        fill_normal(&state, x, n);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) {
                means[i * n + k] = (x[i] + x[k]) / 2;
            }
        }
        dj_order_sort(means, n * n);
        cr_assert_eq(dj_shift_compute_centre(x, n, &centre), 0);
        cr_expect_float_eq(centre, dj_order_median_sorted(means, n * n), 1e-15);
    }
}

Test(shift, large_groups_need_no_list_of_differences)
{
    enum { COUNT = 20000 };
    uint64_t state = 11;
    double *x = calloc(2 * COUNT, sizeof(*x));
    fill_normal(&state, x, 2 * COUNT);
    for (size_t i = COUNT; i < 2 * COUNT; i++) {
        x[i] += 0.5;
    }
    struct shift shift;
    cr_assert_eq(shift_of(x, COUNT, x + COUNT, COUNT, 0.95, &shift), 0);
    cr_expect_float_eq(shift.shift, 0.5, 0.05);
    cr_expect_float_eq(shift.bounds.high - shift.bounds.low, 2 * 1.96 * 0.01023, 0.002);
    free(x);
}
