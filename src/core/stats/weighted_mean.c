#include "stats/weighted_mean.h"

#include <math.h>
#include <stdbool.h>

#include "base/error.h"

/* Returns the sum of the weights, or NaN if one is not above 0. */
static double sum_weights(const double *weights, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(weights[i] > 0) || !isfinite(weights[i])) {
            return (double)NAN;
        }
        sum += weights[i];
    }
    return sum;
}

/* The squared error is the quadratic form x'Mx with M = (I − h1')diag(a)(I − 1h') and a =
 * h² / (1 − h). For values with equal spreads, its degrees of freedom are tr(M)² /
 * tr(M²). With S = Σa, M is diag(a) − ah' − ha' + Shh', so both traces follow from a few
 * sums. */
struct sums {
    double a, aa, ah, hh, aah, ahh;
};

static double compute_df(const struct sums *sums)
{
    double s = sums->a;
    double trace = s - 2 * sums->ah + s * sums->hh;
    double rank_two = 2 * sums->ah * sums->ah + 2 * sums->aa * sums->hh -
                      4 * s * sums->ah * sums->hh + s * s * sums->hh * sums->hh;
    double square = sums->aa + 2 * (s * sums->ahh - 2 * sums->aah) + rank_two;
    return trace * trace / square;
}

int dj_weighted_mean_compute(const double *values, const double *weights, size_t count,
                             struct dj_weighted_mean *mean)
{
    if (count < 2) {
        return DJ_E_NO_DATA;
    }
    double sum = sum_weights(weights, count);
    double value = 0, squared = 0;
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        value += weights[i] / sum * values[i];
    }
    if (!isfinite(value)) {
        return DJ_E_INVALID;
    }
    for (size_t i = 0; i < count; i++) {
        double h = weights[i] / sum, a = h * h / (1 - h), e = values[i] - value;
        squared += a * e * e;
        sums.a += a;
        sums.aa += a * a;
        sums.ah += a * h;
        sums.hh += h * h;
        sums.aah += a * a * h;
        sums.ahh += a * h * h;
    }
    *mean = (struct dj_weighted_mean){.value = value,
                                      .error = sqrt(squared),
                                      .df = squared > 0 ? compute_df(&sums)
                                                        : (double)INFINITY};
    return isfinite(squared) ? 0 : DJ_E_INVALID;
}

int dj_weighted_mean_combine(const struct dj_weighted_mean *parts, const double *weights,
                             size_t count, struct dj_weighted_mean *mean)
{
    if (count == 0) {
        return DJ_E_NO_DATA;
    }
    double sum = sum_weights(weights, count);
    double value = 0, variance = 0, by_df = 0;
    for (size_t i = 0; i < count; i++) {
        double share = weights[i] / sum;
        double part = share * share * parts[i].error * parts[i].error;
        value += share * parts[i].value;
        variance += part;
        by_df += part * part / parts[i].df;
    }
    if (!isfinite(value) || isnan(variance)) {
        return DJ_E_INVALID;
    }
    bool has_df = by_df > 0 && isfinite(by_df);
    *mean = (struct dj_weighted_mean){.value = value,
                                      .error = sqrt(variance),
                                      .df = has_df ? variance * variance / by_df
                                                   : (double)INFINITY};
    return 0;
}
