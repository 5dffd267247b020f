#include "stats/special.h"

#include "support.h"

Test(special, normal_cdf_matches_known_values)
{
    cr_expect_eq(dj_special_normal_cdf(0), 0.5);
    cr_expect_float_eq(dj_special_normal_cdf(1.959963984540054), 0.975, 1e-15);
    cr_expect_float_eq(dj_special_normal_quantile(0.975), 1.959963984540054, 1e-14);
    cr_expect_float_eq(dj_special_normal_quantile(1e-10), -6.361340902404056, 1e-12);
    cr_expect_eq(dj_special_normal_quantile(0.5), 0);
    cr_expect(isinf(dj_special_normal_quantile(0)) && dj_special_normal_quantile(0) < 0);
    cr_expect(isinf(dj_special_normal_quantile(1)) && dj_special_normal_quantile(1) > 0);
    cr_expect(isnan(dj_special_normal_quantile(-0.1)) &&
              isnan(dj_special_normal_quantile(1.1)));
    cr_expect(isnan(dj_special_normal_quantile((double)NAN)));
    cr_expect_float_eq(dj_special_normal_quantile(1e-320), -37.5, 0.1,
                       "below normal numbers");
}

Test(special, normal_quantile_inverts_the_cdf)
{
    for (double z = -37; z < 5; z += 0.13) {
        double back = dj_special_normal_quantile(dj_special_normal_cdf(z));
        double loses = z > 0 ? 1e-9 : 1e-13; /* The cdf is less precise near 1. */
        cr_expect_float_eq(back, z, loses * fmax(1, fabs(z)), "%g %g", z, back);
    }
}

Test(special, beta_is_symmetric_and_increasing)
{
    uint64_t state = 21;
    for (int i = 0; i < 500; i++) {
        double a = exp(6 * uniform(&state) - 1);
        double b = exp(6 * uniform(&state) - 1);
        double x = uniform(&state);
        double here = dj_special_incomplete_beta(a, b, x);
        cr_expect(here >= 0 && here <= 1);
        cr_expect_float_eq(here + dj_special_incomplete_beta(b, a, 1 - x), 1, 1e-11);
        cr_expect_geq(dj_special_incomplete_beta(a, b, x + (1 - x) / 2), here - 1e-12);
    }
    /* I_x(1, b) = 1 − (1 − x)^b, and I_x(a, 1) = x^a. */
    cr_expect_float_eq(dj_special_incomplete_beta(1, 7, 0.2), 1 - pow(0.8, 7), 1e-14);
    cr_expect_float_eq(dj_special_incomplete_beta(7, 1, 0.2), pow(0.2, 7), 1e-18);
    cr_expect_eq(dj_special_incomplete_beta(3, 4, 0), 0);
    cr_expect_eq(dj_special_incomplete_beta(3, 4, 1), 1);
}

Test(special, beta_rejects_invalid_arguments)
{
    static const double bad[][3] = {{0, 1, 0.5}, {1, -1, 0.5}, {1, 1, -0.1}, {1, 1, 1.1}};
    for (size_t i = 0; i < 4; i++) {
        cr_expect(isnan(dj_special_incomplete_beta(bad[i][0], bad[i][1], bad[i][2])));
    }
    cr_expect(isnan(dj_special_incomplete_beta((double)NAN, 1, 0.5)));
    cr_expect(isnan(dj_special_incomplete_beta(1, (double)INFINITY, 0.5)));
}

Test(special, t_matches_closed_forms)
{
    /* df = 1 is the Cauchy distribution. df = 2 has a closed form. */
    for (double t = -30; t <= 30; t += 0.7) {
        cr_expect_float_eq(dj_special_t_cdf(t, 1), 0.5 + atan(t) / acos(-1), 1e-12);
        cr_expect_float_eq(dj_special_t_cdf(t, 2), 0.5 + t / (2 * sqrt(2 + t * t)),
                           1e-12);
        cr_expect_float_eq(dj_special_t_cdf(t, (double)INFINITY),
                           dj_special_normal_cdf(t), 1e-15);
        cr_expect_float_eq(dj_special_t_cdf(t, 1e9), dj_special_normal_cdf(t), 1e-7);
        cr_expect(
            same_bits(dj_special_t_two_sided(t, 7.3), dj_special_t_two_sided(-t, 7.3)));
    }
    cr_expect_eq(dj_special_t_two_sided((double)INFINITY, 3), 0);
    cr_expect_eq(dj_special_t_two_sided(1e200, 3), 0);
    cr_expect_eq(dj_special_t_two_sided(0, 3), 1);
    cr_expect(isnan(dj_special_t_cdf((double)NAN, 3)) && isnan(dj_special_t_cdf(1, 0)));
}

Test(special, t_quantile_inverts_the_cdf)
{
    static const double df[] = {0.5, 1, 2.7, 10, 100, 1e6};
    for (size_t i = 0; i < 6; i++) {
        for (double p = 0.0005; p < 1; p += 0.0137) {
            cr_expect_float_eq(dj_special_t_cdf(dj_special_t_quantile(p, df[i]), df[i]),
                               p, 1e-11);
        }
        cr_expect_eq(dj_special_t_quantile(0.5, df[i]), 0);
        cr_expect(same_bits(dj_special_t_quantile(0.25, df[i]),
                            -dj_special_t_quantile(0.75, df[i])));
    }
    cr_expect(isinf(dj_special_t_quantile(1, 3)) && isinf(dj_special_t_quantile(0, 3)));
    cr_expect(isnan(dj_special_t_quantile(0.9, -1)) &&
              isnan(dj_special_t_quantile(2, 3)));
}
