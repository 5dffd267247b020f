#include "stats/weighted_mean.h"

#include "stats/special.h"

#include "support.h"

enum { CLUSTERS = 9 };

static void fill(uint64_t *state, double *values, double *weights, size_t count)
{
    fill_normal(state, values, count);
    for (size_t i = 0; i < count; i++) {
        weights[i] = 0.1 + 5 * uniform(state);
    }
}

Test(weighted_mean, equal_weights_give_the_ordinary_mean)
{
    uint64_t state = 5;
    for (size_t n = 2; n < 40; n++) {
        double x[40], weights[40], sum = 0, squares = 0;
        struct dj_weighted_mean mean;
        fill_normal(&state, x, n);
        for (size_t i = 0; i < n; i++) {
            weights[i] = 3;
            sum += x[i];
        }
        for (size_t i = 0; i < n; i++) {
            squares += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
        }
        cr_assert_eq(dj_weighted_mean_compute(x, weights, n, &mean), 0);
        cr_expect(fabs(mean.value - sum / (double)n) < 1e-12);
        cr_expect(fabs(mean.error - sqrt(squares / (double)(n * (n - 1)))) < 1e-12);
        cr_expect(fabs(mean.df - (double)(n - 1)) < 1e-9, "%zu: %g", n, mean.df);
    }
}

/* Computes tr(M)² / tr(M²) from the whole matrix M = (I − h1')diag(a)(I − 1h'). */
static double compute_df_by_matrix(const double *weights, size_t n)
{
    double h[CLUSTERS], a[CLUSTERS], m[CLUSTERS][CLUSTERS], sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += weights[i];
    }
    for (size_t i = 0; i < n; i++) {
        h[i] = weights[i] / sum;
        a[i] = h[i] * h[i] / (1 - h[i]);
    }
    double trace = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            m[i][j] = 0;
            for (size_t k = 0; k < n; k++) {
                m[i][j] += ((i == k) - h[i]) * a[k] * ((k == j) - h[j]);
            }
        }
        trace += m[i][i];
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            square += m[i][j] * m[j][i];
        }
    }
    return trace * trace / square;
}

Test(weighted_mean, degrees_of_freedom_are_those_of_the_matrix)
{
    uint64_t state = 7;
    for (int round = 0; round < 200; round++) {
        double x[CLUSTERS], weights[CLUSTERS];
        size_t n = 2 + below(&state, CLUSTERS - 1);
        struct dj_weighted_mean mean;
        fill(&state, x, weights, n);
        cr_assert_eq(dj_weighted_mean_compute(x, weights, n, &mean), 0);
        double df = compute_df_by_matrix(weights, n);
        cr_expect(fabs(mean.df - df) < 1e-9 * df, "%g, %g", mean.df, df);
    }
}

Test(weighted_mean, a_heavy_cluster_costs_degrees_of_freedom)
{
    double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double weights[] = {100, 1, 1, 1, 1, 1, 1, 1, 1};
    struct dj_weighted_mean mean;
    cr_assert_eq(dj_weighted_mean_compute(x, weights, CLUSTERS, &mean), 0);
    cr_expect(mean.df < 2.5, "%g", mean.df);
}

Test(weighted_mean, scaled_weights_do_not_change_the_result)
{
    uint64_t state = 11;
    double x[CLUSTERS], weights[CLUSTERS], scaled[CLUSTERS];
    struct dj_weighted_mean one, other;
    fill(&state, x, weights, CLUSTERS);
    for (size_t i = 0; i < CLUSTERS; i++) {
        scaled[i] = 1024 * weights[i];
    }
    cr_assert_eq(dj_weighted_mean_compute(x, weights, CLUSTERS, &one), 0);
    cr_assert_eq(dj_weighted_mean_compute(x, scaled, CLUSTERS, &other), 0);
    cr_expect(same_bits(one.value, other.value) && same_bits(one.error, other.error) &&
              same_bits(one.df, other.df));
}

Test(weighted_mean, the_interval_of_few_unequal_clusters_covers)
{
    enum { ROUNDS = 4000 };
    uint64_t state = 13;
    int covered = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double x[CLUSTERS], weights[CLUSTERS];
        struct dj_weighted_mean mean;
        fill(&state, x, weights, CLUSTERS);
        for (size_t i = 0; i < CLUSTERS; i++) {
            x[i] *= 1 / sqrt(weights[i]);
        }
        cr_assert_eq(dj_weighted_mean_compute(x, weights, CLUSTERS, &mean), 0);
        double half = dj_special_t_quantile(0.975, mean.df) * mean.error;
        covered += fabs(mean.value) <= half;
    }
    cr_expect(covered > 0.94 * ROUNDS && covered < 0.97 * ROUNDS, "%d", covered);
}

Test(weighted_mean, two_parts_combine_like_welch)
{
    const struct dj_weighted_mean parts[] = {{1, 0.3, 4}, {3, 0.4, 9}};
    const double weights[] = {2, 2};
    struct dj_weighted_mean mean;
    cr_assert_eq(dj_weighted_mean_combine(parts, weights, 2, &mean), 0);
    cr_expect_eq(mean.value, 2);
    cr_expect(fabs(mean.error - 0.25) < 1e-15);
    double df = 0.25 * 0.25 / (0.09 * 0.09 / 4 + 0.16 * 0.16 / 9);
    cr_expect(fabs(mean.df - df) < 1e-12);
    cr_assert_eq(dj_weighted_mean_combine(parts, weights, 1, &mean), 0);
    cr_expect(mean.value == 1 && fabs(mean.error - 0.3) < 1e-15 && mean.df == 4);
}

Test(weighted_mean, an_unknown_part_makes_the_combination_unknown)
{
    const struct dj_weighted_mean parts[] = {{1, 0.3, 4}, {3, (double)INFINITY, 9}};
    const double weights[] = {2, 2};
    struct dj_weighted_mean mean;
    cr_assert_eq(dj_weighted_mean_combine(parts, weights, 2, &mean), 0);
    cr_expect(isinf(mean.error) && mean.df > 0);
}

Test(weighted_mean, bad_input_is_refused)
{
    const double x[] = {1, 2}, weights[] = {1, 0}, good[] = {1, 1};
    const double nan[] = {1, (double)NAN};
    const struct dj_weighted_mean parts[] = {{1, 0.3, 4}, {3, 0.4, 9}};
    struct dj_weighted_mean mean;
    cr_expect_eq(dj_weighted_mean_compute(x, good, 1, &mean), DJ_E_NO_DATA);
    cr_expect_eq(dj_weighted_mean_compute(x, weights, 2, &mean), DJ_E_INVALID);
    cr_expect_eq(dj_weighted_mean_compute(nan, good, 2, &mean), DJ_E_INVALID);
    cr_expect_eq(dj_weighted_mean_combine(parts, good, 0, &mean), DJ_E_NO_DATA);
    cr_expect_eq(dj_weighted_mean_combine(parts, weights, 2, &mean), DJ_E_INVALID);
}
