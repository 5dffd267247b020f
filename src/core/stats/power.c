#include "stats/power.h"

#include <math.h>

#include "stats/mann_whitney.h"
#include "stats/special.h"

/* Largest group size for which the critical U is counted exactly. */
enum { COUNTED_MAX = 20 };

/* Range and step of numerical integration, in standard deviations from the center. With
 * these values, the error of the trapezoidal rule is below 1e-6 for bell-shaped
 * functions. */
static const double REACH = 6, STEP = 0.5;

/* P(x > y and x > y') for one number x and two numbers y and y', where P(x > y) = Φ(h).
 * This is Φ(h) − 2 T(h, 1/√3). Owen's T is computed by Gauss–Legendre integration. */
static double compute_both_below(double h)
{
    static const double node[] = {0.2386191860831969, 0.6612093864662645,
                                  0.9324695142031521};
    static const double weight[] = {0.4679139345726910, 0.3607615730481386,
                                    0.1713244923791704};
    const double half = sqrt(1.0 / 3) / 2;
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        double x = half * (1 + (i % 2 == 0 ? node[i / 2] : -node[i / 2]));
        sum += weight[i / 2] * exp(-h * h * (1 + x * x) / 2) / (1 + x * x);
    }
    double owen = half * sum / (2 * acos(-1));
    return fmax(0, dj_special_normal_cdf(h) - 2 * owen);
}

static double critical_u(size_t n, double alpha)
{
    if (n <= COUNTED_MAX) {
        return (double)dj_mann_whitney_critical(n, n, alpha);
    }
    double size = (double)n;
    double sd = sqrt(size * size * (2 * size + 1) / 12);
    return floor(size * size / 2 - 0.5 + dj_special_normal_quantile(alpha / 2) * sd);
}

double dj_power_of_ranks(double distance, size_t n, double alpha)
{
    double critical = critical_u(n, alpha);
    if (!(critical >= 0)) {
        return 0;
    }
    double size = (double)n;
    double one = dj_special_normal_cdf(-distance / sqrt(2));
    double both = compute_both_below(-distance / sqrt(2));
    double variance =
        (one * (1 - one) + 2 * (size - 1) * (both - one * one)) / size / size;
    /* Sum of the two parameters of the beta distribution. */
    double sum = one * (1 - one) / variance - 1;
    double share = (critical + 0.5) / (size * size);
    if (!(variance > 0 && sum > 0 && isfinite(sum))) {
        return one < share ? 1 : 0;
    }
    return dj_special_incomplete_beta(one * sum, (1 - one) * sum, share);
}

/* Integrates over the largest number of one group. All numbers of the other group must be
 * above it. */
double dj_power_of_separation(double distance, size_t n)
{
    double size = (double)n;
    double sum = 0;
    for (double at = -REACH; at <= REACH; at += STEP / 2) {
        double density = exp(-at * at / 2) / sqrt(2 * acos(-1));
        sum += size * density * pow(dj_special_normal_cdf(at), size - 1) *
               pow(dj_special_normal_cdf(distance - at), size);
    }
    return fmin(1, sum * STEP / 2);
}

/* Integrates over the estimated standard deviation. `scale` is the estimate divided by
 * the true standard deviation. */
double dj_power_of_t(double errors, double df, double alpha)
{
    double critical = dj_special_t_quantile(1 - alpha / 2, df);
    double sd = 1 / sqrt(2 * df);
    double sum = 0;
    double weights = 0;
    for (double at = -REACH; at <= REACH; at += STEP) {
        double scale = 1 + at * sd;
        if (scale > 0) {
            double weight = exp((df - 1) * log(scale) - df / 2 * (scale * scale - 1));
            sum += weight * dj_special_normal_cdf(errors - critical * scale);
            weights += weight;
        }
    }
    return sum / weights;
}
