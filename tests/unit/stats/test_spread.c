#include "stats/spread.h"

#include "stats/order.h"
#include "support.h"

Test(spread, mad_ignores_outliers)
{
    double values[] = {1, 2, 3, 4, 1e9};
    cr_expect_float_eq(dj_spread_mad(values, 5), 1.4826, 1e-12);
    cr_expect(isnan(dj_spread_mad(values, 0)));
    double one[] = {5};
    cr_expect_eq(dj_spread_mad(one, 1), 0);
}

Test(spread, shamos_is_the_median_of_all_distances)
{
    uint64_t state = 15;
    for (size_t n = 2; n < 40; n++) {
        double x[40];
        double distances[800];
        size_t count = 0;
        if (n % 3 == 0) {
            fill_tied(&state, x, n, 3);
        } else {
            fill_normal(&state, x, n);
        }
        dj_order_sort(x, n);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = i + 1; k < n; k++) {
                distances[count++] = x[k] - x[i];
            }
        }
        dj_order_sort(distances, count);
        cr_expect_float_eq(dj_spread_shamos_sorted(x, n),
                           1.0484 * dj_order_median_sorted(distances, count), 1e-14);
    }
    cr_expect(isnan(dj_spread_shamos_sorted(NULL, 0)));
}

Test(spread, estimates_the_sd_of_normal_numbers)
{
    enum { COUNT = 4000 };
    uint64_t state = 16;
    double x[COUNT];
    fill_normal(&state, x, COUNT);
    dj_order_sort(x, COUNT);
    cr_expect_float_eq(dj_spread_shamos_sorted(x, COUNT), 1, 0.04);
    cr_expect_float_eq(dj_spread_mad(x, COUNT), 1, 0.05);
}

Test(spread, pooled_spread_is_weighted_and_ignores_small_groups)
{
    double x[] = {0, 1};
    double y[] = {0, 3, 6};
    double of_x = 1.0484;
    double of_y = 1.0484 * 3;
    cr_expect_float_eq(dj_spread_shamos_pooled_sorted(x, 2, y, 3),
                       sqrt((of_x * of_x + 2 * of_y * of_y) / 3), 1e-12);
    cr_expect(same_bits(dj_spread_shamos_pooled_sorted(x, 2, y, 3),
                        dj_spread_shamos_pooled_sorted(y, 3, x, 2)));
    cr_expect_float_eq(dj_spread_shamos_pooled_sorted(x, 1, y, 3), of_y, 1e-12);
    cr_expect_float_eq(dj_spread_shamos_pooled_sorted(x, 2, y, 0), of_x, 1e-12);
    cr_expect(isnan(dj_spread_shamos_pooled_sorted(x, 1, y, 1)));
}

Test(spread, drift_of_a_warming_device)
{
    double rising[] = {1, 2, 4, 8, 16, 32, 64, 128};
    double falling[] = {5, 4, 3, 2, 1};
    double tied[] = {1, 1, 2, 2, 3, 3};
    double flat[] = {3, 3, 3, 3};
    struct dj_spread_rank_correlation drift;
    cr_assert_eq(dj_spread_compute_drift(rising, 8, &drift), 0);
    cr_expect(drift.rho == 1 && drift.p == 0);
    cr_assert_eq(dj_spread_compute_drift(falling, 5, &drift), 0);
    cr_expect(drift.rho == -1 && drift.p == 0);
    cr_assert_eq(dj_spread_compute_drift(tied, 6, &drift), 0);
    cr_expect_float_eq(drift.rho, 0.956182887467515, 1e-12);
    cr_expect_float_eq(drift.p, 0.002844, 1e-5);
    cr_assert_eq(dj_spread_compute_drift(flat, 4, &drift), 0);
    cr_expect(isnan(drift.rho) && drift.p == 1);
}

Test(spread, drift_test_has_few_false_alarms)
{
    uint64_t state = 17;
    int alarms = 0;
    for (int round = 0; round < 4000; round++) {
        double x[12];
        struct dj_spread_rank_correlation drift;
        fill_normal(&state, x, 12);
        cr_assert_eq(dj_spread_compute_drift(x, 12, &drift), 0);
        alarms += drift.p <= 0.01;
    }
    cr_expect(alarms >= 20 && alarms <= 65, "%d of 4000 at 0.01", alarms);
}

Test(spread, correlation_rejects_invalid_input)
{
    double fine[] = {1, 2, 3, 4};
    double bad[] = {1, (double)NAN, 3, 4};
    struct dj_spread_rank_correlation got;
    cr_expect_eq(dj_spread_compute_drift(fine, 3, &got), DJ_E_NO_DATA);
    cr_expect_eq(dj_spread_compute_drift(NULL, 0, &got), DJ_E_NO_DATA);
    cr_expect_eq(dj_spread_compute_drift(bad, 4, &got), DJ_E_INVALID);
    cr_expect_eq(dj_spread_rank_correlation(fine, bad, 4, &got), DJ_E_INVALID);
    cr_assert_eq(dj_spread_rank_correlation(fine, fine, 4, &got), 0);
    cr_expect_eq(got.rho, 1);
}
