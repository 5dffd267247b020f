#include "stats/looks.h"

#include "stats/mann_whitney.h"
#include "support.h"

/* Levels from a simulation of 2 million statistics. */
static const struct {
    double runs[5];
    size_t count;
    double alpha;
    double obrien_fleming[5];
} table[] = {
    {{10, 20}, 2, 0.05, {0.00562, 0.0477}},
    {{10, 20, 30}, 3, 0.05, {0.00071, 0.0161, 0.0439}},
    {{10, 15, 20, 30}, 4, 0.05, {0.00071, 0.0053, 0.0144, 0.0437}},
    {{10, 15, 20, 25, 30}, 5, 0.05, {0.00068, 0.0053, 0.0144, 0.0257, 0.0376}},
    {{10, 15, 20, 30}, 4, 0.01, {0.00001, 0.00027, 0.0015, 0.0094}},
};

Test(looks, levels_match_a_simulation)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct dj_looks slow;
        cr_assert_eq(
            dj_looks_compute(table[i].runs, table[i].count, table[i].alpha, &slow), 0);
        for (size_t k = 0; k < table[i].count; k++) {
            double error = 5e-5 + 0.02 * table[i].obrien_fleming[k];
            cr_expect_float_eq(slow.level[k], table[i].obrien_fleming[k], error,
                               "row %zu look %zu: %g", i, k, slow.level[k]);
        }
        cr_expect_float_eq(slow.spent[slow.count - 1], table[i].alpha, 1e-15);
    }
}

/* A random walk without drift exceeds the level of any look with probability alpha. */
Test(looks, random_walks_stop_with_probability_alpha)
{
    static const double runs[] = {5, 6, 12, 30, 31, 60};
    enum { WALKS = 40000 };
    uint64_t state = 51;
    struct dj_looks looks;
    int stopped = 0;
    cr_assert_eq(dj_looks_compute(runs, 6, 0.1, &looks), 0);
    for (int walk = 0; walk < WALKS; walk++) {
        double position = 0;
        bool out = false;
        for (size_t k = 0; k < 6 && !out; k++) {
            position += sqrt(runs[k] - (k > 0 ? runs[k - 1] : 0)) * normal(&state);
            out = erfc(fabs(position) / sqrt(2 * runs[k])) <= looks.level[k];
        }
        stopped += out;
    }
    /* The expected number is 4000 with a standard deviation of 60. */
    cr_expect(stopped > 3760 && stopped < 4240, "%d", stopped);
}

Test(looks, a_single_look_uses_all_of_alpha)
{
    double runs[] = {10};
    struct dj_looks looks;
    cr_assert_eq(dj_looks_compute(runs, 1, 0.05, &looks), 0);
    cr_expect_float_eq(looks.level[0], 0.05, 1e-12);
}

Test(looks, rejects_invalid_input)
{
    double fine[] = {10, 20};
    double falling[] = {20, 10};
    double same[] = {10, 10};
    double bad[] = {10, (double)NAN};
    double single[] = {1, 10};
    double many[DJ_LOOKS_MAX + 1];
    for (size_t i = 0; i <= DJ_LOOKS_MAX; i++) {
        many[i] = 10 + (double)i;
    }
    const double *runs[] = {falling, same, bad, single};
    struct dj_looks looks;
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(dj_looks_compute(runs[i], 2, 0.05, &looks), DJ_E_USAGE);
    }
    cr_expect_eq(dj_looks_compute(many, DJ_LOOKS_MAX + 1, 0.05, &looks), DJ_E_USAGE);
    cr_expect_eq(dj_looks_compute(fine, 0, 0.05, &looks), DJ_E_USAGE);
    cr_expect_eq(dj_looks_compute(fine, 2, 0.5, &looks), DJ_E_USAGE);
    cr_expect_eq(dj_looks_compute(fine, 2, 0, &looks), DJ_E_USAGE);
    cr_expect_eq(dj_looks_compute(many, DJ_LOOKS_MAX, 0.05, &looks), 0);
}
