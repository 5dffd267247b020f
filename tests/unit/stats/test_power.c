#include "stats/power.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

#include "stats/mann_whitney.h"
#include "stats/order.h"
#include "stats/special.h"

enum { TRIES = 1500, MOST = 30 };

static uint64_t state = 88172645463325252ULL;

static double normal(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return dj_special_normal_quantile(((double)(state >> 11) + 0.5) * 0x1p-53);
}

Test(power, rank_test_matches_simulations)
{
    static const size_t counts[] = {5, 6, 8, 12, 30};
    static const double alphas[] = {0.05, 0.0167, 0.001};
    for (size_t i = 0; i < 5; i++) {
        size_t n = counts[i];
        for (double distance = 0.5; distance < 3.3; distance += 0.9) {
            int found[3] = {0}, separate = 0;
            for (int k = 0; k < TRIES; k++) {
                double x[MOST], y[MOST];
                for (size_t j = 0; j < n; j++) {
                    x[j] = normal();
                    y[j] = normal() + distance;
                }
                struct dj_mann_whitney ranks;
                cr_assert_eq(dj_mann_whitney(x, n, y, n, &ranks), 0);
                separate += ranks.superiority == 1;
                for (int a = 0; a < 3; a++) {
                    found[a] += ranks.p <= alphas[a] && ranks.superiority > 0.5;
                }
            }
            for (int a = 0; a < 3; a++) {
                double power = dj_power_of_ranks(distance, n, alphas[a]);
                cr_expect(fabs(power - (double)found[a] / TRIES) < 0.08,
                          "%g at %zu, alpha %g: %g, not %g", distance, n, alphas[a],
                          power, (double)found[a] / TRIES);
            }
            cr_expect(fabs(dj_power_of_separation(distance, n) -
                           (double)separate / TRIES) < 0.04);
        }
    }
}

Test(power, power_at_the_limits)
{
    cr_expect_eq(dj_power_of_ranks(100, 3, 0.05), 0, "2 / C(6, 3) is 0.1");
    cr_expect_eq(dj_power_of_ranks(1e12, 4, 0.05), 1);
    cr_expect(dj_power_of_ranks(-1e12, 4, 0.05) == 0);
    cr_expect(dj_power_of_ranks(0, 2000, 0.05) < 0.03);
    cr_expect(fabs(dj_power_of_ranks(0.0886, 2000, 0.05) - 0.8) < 0.02, "%g",
              dj_power_of_ranks(0.0886, 2000, 0.05));
    cr_expect_eq(dj_power_of_t(INFINITY, 8, 0.05), 1);
}

/* The expected values come from numerical integration over the estimated standard
 * deviation. */
Test(power, t_test_matches_numerical_integration)
{
    static const struct {
        double errors, df, alpha, power;
    } rows[] = {{3.1622776601683795, 8, 0.05, 0.790542},
                {4, 4, 0.01, 0.446767},
                {5, 18, 0.001, 0.829026}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double power = dj_power_of_t(rows[i].errors, rows[i].df, rows[i].alpha);
        cr_expect(fabs(power - rows[i].power) < 1e-4, "%g", power);
    }
}
