#include "stats/mann_whitney.h"

#include "support.h"

static double u_of(const double *x, size_t n, const double *y, size_t m)
{
    double u = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < m; k++) {
            u += y[k] > x[i] ? 1 : (y[k] == x[i] ? 0.5 : 0);
        }
    }
    return u;
}

/* Enumerates all ways to choose n of n + m numbers. */
static double p_by_hand(const double *x, size_t n, const double *y, size_t m)
{
    double all[20];
    double mean = (double)(n * m) / 2;
    double far = fabs(u_of(x, n, y, m) - mean);
    size_t ways = 0;
    size_t as_far = 0;
    memcpy(all, x, n * sizeof(*x));
    memcpy(all + n, y, m * sizeof(*y));
    for (uint32_t set = 0; set < UINT32_C(1) << (n + m); set++) {
        double a[20];
        double b[20];
        size_t in_a = 0;
        size_t in_b = 0;
        if (__builtin_popcount(set) != (int)n) {
            continue;
        }
        for (size_t i = 0; i < n + m; i++) {
            if (set >> i & 1) {
                a[in_a++] = all[i];
            } else {
                b[in_b++] = all[i];
            }
        }
        ways++;
        as_far += fabs(u_of(a, n, b, m) - mean) >= far;
    }
    return (double)as_far / (double)ways;
}

Test(mann_whitney, exact_p_equals_the_count_of_all_permutations)
{
    uint64_t state = 42;
    for (int round = 0; round < 120; round++) {
        double x[6];
        double y[6];
        size_t n = 1 + below(&state, 6);
        size_t m = 1 + below(&state, 6);
        if (round % 2 == 0) {
            fill_normal(&state, x, n);
            fill_normal(&state, y, m);
        } else {
            fill_tied(&state, x, n, 2 + below(&state, 4));
            fill_tied(&state, y, m, 2 + below(&state, 4));
        }
        struct dj_mann_whitney test;
        cr_assert_eq(dj_mann_whitney(x, n, y, m, &test), 0);
        cr_expect_eq(test.u, u_of(x, n, y, m));
        cr_expect_float_eq(test.p, p_by_hand(x, n, y, m), 1e-12, "%zu and %zu", n, m);
        cr_expect_float_eq(test.superiority, test.u / (double)(n * m), 1e-15);
    }
}

Test(mann_whitney, swapping_and_shuffling_do_not_change_the_result)
{
    uint64_t state = 7;
    for (int round = 0; round < 150; round++) {
        double x[70];
        double y[70];
        size_t n = 1 + below(&state, 70);
        size_t m = round % 3 == 0 ? n : 1 + below(&state, 70);
        if (round % 2 == 0) {
            fill_normal(&state, x, n);
            fill_normal(&state, y, m);
        } else {
            fill_tied(&state, x, n, 9);
            fill_tied(&state, y, m, 11);
        }
        struct dj_mann_whitney one;
        struct dj_mann_whitney other;
        cr_assert_eq(dj_mann_whitney(x, n, y, m, &one), 0);
        shuffle(&state, x, n);
        shuffle(&state, y, m);
        cr_assert_eq(dj_mann_whitney(y, m, x, n, &other), 0);
        cr_expect(same_bits(one.p, other.p), "%.17g %.17g", one.p, other.p);
        cr_expect(same_bits(one.p_normal, other.p_normal));
        cr_expect_eq(one.u + other.u, (double)(n * m));
        cr_expect_eq(one.exact, n + m <= DJ_EXACT_MAX);
        cr_expect(one.p > 0 && one.p <= 1);
    }
}

/* For group sizes at which both methods are possible, their results agree. */
Test(mann_whitney, exact_and_normal_p_agree_for_large_groups)
{
    uint64_t state = 99;
    for (int round = 0; round < 20; round++) {
        double x[60];
        double y[60];
        fill_normal(&state, x, 60);
        fill_tied(&state, y, 60, 5);
        for (size_t i = 0; i < 60; i++) {
            y[i] = round % 2 == 0 ? normal(&state) + 0.3 : y[i];
            x[i] = round % 2 == 0 ? x[i] : floor(3 + x[i]);
        }
        struct dj_mann_whitney test;
        cr_assert_eq(dj_mann_whitney(x, 60, y, 60, &test), 0);
        cr_assert(test.exact);
        cr_expect_float_eq(test.p, test.p_normal, 0.003 + 0.05 * test.p);
    }
}

Test(mann_whitney, least_p_matches_known_values)
{
    static const struct {
        size_t n;
        double p;
    } rows[] = {{3, 0.1},       {4, 0.02857},  {5, 0.0079365},
                {6, 0.0021645}, {8, 1.554e-4}, {10, 1.0825e-5}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double x[10];
        double y[10];
        for (size_t k = 0; k < rows[i].n; k++) {
            x[k] = (double)k;
            y[k] = 100 + (double)k;
        }
        struct dj_mann_whitney test;
        double least = dj_mann_whitney_least_p(rows[i].n, rows[i].n);
        cr_assert_eq(dj_mann_whitney(x, rows[i].n, y, rows[i].n, &test), 0);
        cr_expect_float_eq(least, rows[i].p, 1e-3 * rows[i].p);
        cr_expect_float_eq(test.p, least, 1e-15);
    }
    cr_expect_eq(dj_mann_whitney_least_p(0, 5), 1);
    cr_expect_eq(dj_mann_whitney_least_p(1, 1), 1);
    cr_expect_eq(dj_mann_whitney_least_p(5000, 5000), 0);
}

Test(mann_whitney, all_numbers_equal)
{
    double x[150];
    for (size_t i = 0; i < 150; i++) {
        x[i] = 16.6;
    }
    static const size_t sizes[][2] = {{1, 1}, {5, 5}, {10, 3}, {60, 60}, {150, 150}};
    for (size_t i = 0; i < 5; i++) {
        struct dj_mann_whitney test;
        cr_assert_eq(dj_mann_whitney(x, sizes[i][0], x, sizes[i][1], &test), 0);
        cr_expect_eq(test.p, 1);
        cr_expect_eq(test.p_normal, 1);
        cr_expect_eq(test.superiority, 0.5);
        cr_expect_eq(test.tie_share, 1);
    }
}

Test(mann_whitney, rejects_infinite_numbers_and_nan)
{
    double fine[] = {1, 2, 3};
    double bad[][3] = {
        {1, (double)NAN, 3}, {(double)INFINITY, 1, 2}, {1, 2, -(double)INFINITY}};
    struct dj_mann_whitney test;
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(dj_mann_whitney(fine, 3, bad[i], 3, &test), DJ_E_INVALID);
        cr_expect_eq(dj_mann_whitney(bad[i], 3, fine, 3, &test), DJ_E_INVALID);
    }
    cr_expect_eq(dj_mann_whitney(fine, 0, fine, 3, &test), DJ_E_NO_DATA);
    cr_expect_eq(dj_mann_whitney(fine, 3, NULL, 0, &test), DJ_E_NO_DATA);
    cr_expect_eq(dj_mann_whitney(fine, 1, fine, 1, &test), 0);
    cr_expect_eq(test.p, 1, "one run each says nothing");
}

Test(mann_whitney, minus_zero_is_zero)
{
    double x[] = {-0.0, 0.0, 1};
    double y[] = {0.0, -0.0, 1};
    struct dj_mann_whitney test;
    cr_assert_eq(dj_mann_whitney(x, 3, y, 3, &test), 0);
    cr_expect_eq(test.u, 4.5);
    cr_expect_eq(test.tie_share, 1);
}

/* Counts with the recurrence f(n, m, u) = f(n − 1, m, u − m) + f(n, m − 1, u), which
 * needs no subtraction. */
static double pascal[61][61][1801];

static long critical_by_hand(size_t n, size_t m, double alpha)
{
    double all = 1;
    double sum = 0;
    long critical = -1;
    for (size_t i = 1; i <= n; i++) {
        all *= (double)(m + i) / (double)i;
    }
    for (size_t u = 0; u <= n * m / 2; u++) {
        sum += pascal[n][m][u];
        if (2 * sum / all > alpha * (1 + 1e-9)) {
            break;
        }
        critical = (long)u;
    }
    return critical;
}

Test(mann_whitney, critical_ranks_match_a_recurrence)
{
    static const double alphas[] = {0.001, 0.01, 0.05, 0.1, 0.2};
    for (size_t n = 0; n <= 60; n++) {
        for (size_t m = 0; m <= 60; m++) {
            for (size_t u = 0; u <= 1800 && u <= n * m; u++) {
                if (n == 0 || m == 0) {
                    pascal[n][m][u] = u == 0;
                    continue;
                }
                double with = u >= m ? pascal[n - 1][m][u - m] : 0;
                double without = u <= n * (m - 1) ? pascal[n][m - 1][u] : 0;
                pascal[n][m][u] = with + without;
            }
        }
    }
    for (size_t n = 1; n <= 60; n++) {
        for (size_t m = 1; m <= 60; m++) {
            for (size_t i = 0; i < 5; i++) {
                cr_expect_eq(dj_mann_whitney_critical(n, m, alphas[i]),
                             critical_by_hand(n, m, alphas[i]), "%zu %zu %g", n, m,
                             alphas[i]);
            }
        }
    }
}

Test(mann_whitney, critical_ranks_at_the_limits)
{
    cr_expect_eq(dj_mann_whitney_critical(3, 3, 0.05), -1);
    cr_expect_eq(dj_mann_whitney_critical(3, 3, 1 - 0.9), 0,
                 "0.1 of 20 ways is one each");
    cr_expect_eq(dj_mann_whitney_critical(10, 10, 0.05), 23);
    cr_expect_eq(dj_mann_whitney_critical(0, 10, 0.05), -1);
    cr_expect_eq(dj_mann_whitney_critical(10, 10, 0), -1);
    cr_expect_eq(dj_mann_whitney_critical(10, 10, (double)NAN), -1);
    cr_expect_eq(dj_mann_whitney_critical(30, 30, 2), 450, "all up to the middle");
    cr_expect_eq(dj_mann_whitney_critical(200, 200, 0.05), 17733, "20000.5 − 1.96 sd");
}
