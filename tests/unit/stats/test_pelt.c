#include "stats/changes/pelt.h"

#include "support.h"

enum { COUNT_MAX = 200 };

static double cost_of(const double *values, size_t from, size_t to)
{
    double mean = 0;
    double cost = 0;
    for (size_t i = from; i < to; i++) {
        mean += values[i] / (double)(to - from);
    }
    for (size_t i = from; i < to; i++) {
        cost += (values[i] - mean) * (values[i] - mean);
    }
    return cost;
}

static double cost_of_all(const double *values, size_t count, double penalty,
                          const size_t *begins, size_t found)
{
    double cost = penalty * (double)found;
    for (size_t i = 0; i <= found; i++) {
        size_t from = i == 0 ? 0 : begins[i - 1];
        cost += cost_of(values, from, i == found ? count : begins[i]);
    }
    return cost;
}

/* Tries every last segment of every prefix. */
static double least_cost(const double *values, size_t count, double penalty, size_t least)
{
    double best[COUNT_MAX + 1];
    best[0] = -penalty;
    for (size_t t = 1; t <= count; t++) {
        best[t] = (double)INFINITY;
        for (size_t s = 0; s + least <= t; s++) {
            best[t] = fmin(best[t], best[s] + cost_of(values, s, t) + penalty);
        }
    }
    return best[count];
}

/* Fills the array with noise, steps, ramps, outliers or a constant, which PELT prunes
 * differently. */
static void fill(uint64_t *state, int kind, double *values, size_t count)
{
    size_t step = 1 + below(state, count);
    for (size_t i = 0; i < count; i++) {
        double noise = normal(state);
        double shape[] = {noise,
                          noise + 5 * (i >= step),
                          noise + 0.1 * (double)i,
                          i % 17 == 3 ? 20 * noise : noise,
                          (double)(i / step % 3),
                          noise + 3 * (double)(i / 7 % 2),
                          1e6 + noise + 4 * (double)(i / 20 % 3)};
        values[i] = shape[kind];
    }
}

Test(pelt, finds_the_best_segmentation)
{
    uint64_t state = 71;
    for (int round = 0; round < 280; round++) {
        double values[COUNT_MAX];
        size_t begins[COUNT_MAX];
        size_t found;
        size_t count = 6 + below(&state, COUNT_MAX - 6);
        size_t least = 1 + below(&state, 5);
        double penalty = exp(5 * uniform(&state) - 1);
        fill(&state, round % 7, values, count);
        cr_assert_eq(dj_pelt_find(values, count, penalty, least, begins, &found), 0);
        double got = cost_of_all(values, count, penalty, begins, found);
        double want = least_cost(values, count, penalty, least);
        cr_expect_float_eq(got, want, 1e-7 * (1 + fabs(want)),
                           "kind %d, %zu numbers, at least %zu, penalty %g", round % 7,
                           count, least, penalty);
        for (size_t i = 0; i <= found; i++) {
            size_t from = i == 0 ? 0 : begins[i - 1];
            size_t to = i == found ? count : begins[i];
            cr_expect_geq(to, from + least);
        }
    }
}

Test(pelt, too_few_numbers_give_one_segment)
{
    double values[] = {1, 100, 1, 100, 1};
    size_t begins[5];
    size_t found = 7;
    cr_assert_eq(dj_pelt_find(values, 5, 0.1, 3, begins, &found), 0);
    cr_expect_eq(found, 0);
    cr_assert_eq(dj_pelt_find(values, 0, 0.1, 3, begins, &found), 0);
    cr_expect_eq(found, 0);
    cr_assert_eq(dj_pelt_find(values, 5, 0.1, 1, begins, &found), 0);
    cr_expect_eq(found, 4);
}

Test(pelt, without_a_penalty_each_number_is_a_segment)
{
    double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    size_t begins[8];
    size_t found;
    cr_assert_eq(dj_pelt_find(values, 8, 0, 2, begins, &found), 0);
    cr_expect_eq(found, 3);
}
