#include "stats/special.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

double dj_special_normal_cdf(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

/* Newton's method for ln Φ(z) = ln p. Starts below the root and stays below it,
 * because ln Φ(z) is concave and increasing. */
static double lower_normal_quantile(double p)
{
    /* The first z is below the root, because Φ(z) < exp(−z²/2) for z < 0. */
    double z = -sqrt(-2 * log(p));
    for (int i = 0; i < 100; i++) {
        double cdf = dj_special_normal_cdf(z);
        double density = exp(-z * z / 2) / sqrt(2 * acos(-1));
        double step = (log(p) - log(cdf)) * cdf / density;
        z += step;
        if (fabs(step) <= 1e-16 * fabs(z)) {
            break;
        }
    }
    return z;
}

/* Returns whether p is 0.5, 0, 1 or invalid. All distributions that are symmetric about 0
 * have the same quantile of these p. If so, sets *quantile. */
static bool is_trivial_quantile(double p, double *quantile)
{
    *quantile = p == 0.5 ? 0
                : p == 0 ? -(double)INFINITY
                : p == 1 ? (double)INFINITY
                         : (double)NAN;
    return !(p > 0 && p < 1) || p == 0.5;
}

double dj_special_normal_quantile(double p)
{
    double trivial;
    if (is_trivial_quantile(p, &trivial)) {
        return trivial;
    }
    /* DBL_MIN is the limit, because Φ of a smaller p has no precise digits. */
    return p < 0.5 ? lower_normal_quantile(fmax(p, DBL_MIN))
                   : -lower_normal_quantile(1 - p);
}

static double away_from_zero(double value)
{
    enum { LEAST_EXPONENT = -300 };
    double least = pow(10, LEAST_EXPONENT);
    return fabs(value) < least ? least : value;
}

/* The continued fraction of I_x(a, b), by the modified method of Lentz (1976; Thompson
 * and Barnett 1986). Converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    enum { ROUNDS = 10000 };
    double c = 1;
    double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int i = 1; i <= ROUNDS; i++) {
        double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= d * c;
        double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        value *= d * c;
        if (fabs(d * c - 1) < DBL_EPSILON) {
            break;
        }
    }
    return value;
}

static double log_gamma(double x)
{
    int sign; /* Not used. lgamma() would store the sign in a global variable. */
    return lgamma_r(x, &sign);
}

/* ln Γ(x) minus Stirling's formula, for x ≥ 100. */
static double stirling_rest(double x)
{
    double square = x * x;
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / x;
}

/* ln B(a, b). If one argument is large, subtracting two values of ln Γ would lose all
 * digits, so this uses the simplified difference of two Stirling's formulas. */
static double log_beta(double a, double b)
{
    static const double LARGE = 100;
    double small = fmin(a, b);
    double large = fmax(a, b);
    if (large < LARGE) {
        return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    }
    double growth = (large - 0.5) * log1p(small / large) + small * log(large + small) -
                    small + stirling_rest(large + small) - stirling_rest(large);
    return log_gamma(small) - growth;
}

/* ln x, computed from x or from `rest` = 1 − x, whichever is more precise. */
static double compute_log(double x, double rest)
{
    return rest < 0.5 ? log1p(-rest) : log(x);
}

/* I_x(a, b). The caller passes both x and `rest` = 1 − x, because near 1 only 1 − x is
 * precise. */
static double compute_beta(double a, double b, double x, double rest)
{
    if (x <= 0 || rest <= 0) {
        return x <= 0 ? 0 : 1;
    }
    double front =
        exp(a * compute_log(x, rest) + b * compute_log(rest, x) - log_beta(a, b));
    if (x < (a + 1) / (a + b + 2)) {
        return front * beta_fraction(a, b, x) / a;
    }
    return 1 - front * beta_fraction(b, a, rest) / b;
}

double dj_special_incomplete_beta(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x >= 0 && x <= 1) || isinf(a) || isinf(b)) {
        return (double)NAN;
    }
    return fmin(1, fmax(0, compute_beta(a, b, x, 1 - x)));
}

double dj_special_t_two_sided(double t, double df)
{
    /* For more degrees of freedom, the normal distribution is more precise than
     * lgamma(). */
    static const double LARGE = 1e10;
    if (isnan(t) || !(df > 0)) {
        return (double)NAN;
    }
    if (df > LARGE) {
        return erfc(fabs(t) / sqrt(2));
    }
    double square = t * t;
    if (isinf(square)) {
        return 0;
    }
    return fmin(1, compute_beta(df / 2, 0.5, df / (df + square), square / (df + square)));
}

double dj_special_t_cdf(double t, double df)
{
    double outside = dj_special_t_two_sided(t, df) / 2;
    return t < 0 ? outside : 1 - outside;
}

/* Returns the t > 0 with P(|T| > t) = `outside`, to the last bits. Uses false position
 * with the Illinois rule: if an end of the interval did not change twice in succession,
 * its function value is halved. */
static double find_exceeded_t(double outside, double df)
{
    double low = 0, high = 1;
    double at_low = 1 - outside, at_high = dj_special_t_two_sided(high, df) - outside;
    while (at_high > 0) {
        low = high;
        at_low = at_high;
        high *= 2;
        if (isinf(high)) {
            return high;
        }
        at_high = dj_special_t_two_sided(high, df) - outside;
    }
    /* −1 if `low` did not change in the last step, 1 if `high` did not, 0 at first. */
    int unchanged = 0;
    for (int i = 0; i < 200 && high - low > 4 * DBL_EPSILON * high; i++) {
        double middle = high - at_high * (high - low) / (at_high - at_low);
        if (!(middle > low && middle < high)) {
            middle = low + (high - low) / 2;
        }
        double at_middle = dj_special_t_two_sided(middle, df) - outside;
        if (at_middle > 0) {
            low = middle;
            at_low = at_middle;
            at_high = unchanged == 1 ? at_high / 2 : at_high;
            unchanged = 1;
        } else {
            high = middle;
            at_high = at_middle;
            at_low = unchanged == -1 ? at_low / 2 : at_low;
            unchanged = -1;
        }
    }
    return high;
}

double dj_special_t_quantile(double p, double df)
{
    double trivial;
    if (!(df > 0) || is_trivial_quantile(p, &trivial)) {
        return df > 0 ? trivial : (double)NAN;
    }
    return p < 0.5 ? -find_exceeded_t(2 * p, df) : find_exceeded_t(2 * (1 - p), df);
}
