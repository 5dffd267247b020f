#include "stats/looks.h"

#include <math.h>

#include "base/error.h"
#include "stats/mann_whitney.h"
#include "stats/special.h"

enum { STEPS_MIN = 200, STEPS_MAX = 2000 };

/* The density of a Brownian motion that has not reached a bound, at equidistant points
 * from −bound to bound. Each value is multiplied by its weight in Simpson's rule. */
struct density {
    double bound;
    int steps; /* Number of intervals. Even. */
    double weighted[STEPS_MAX + 1];
};

static double compute_spent_alpha(double share, double alpha)
{
    return erfc(dj_special_normal_quantile(1 - alpha / 2) / sqrt(2 * share));
}

static double get_point(const struct density *density, int step)
{
    return density->bound * (2.0 * step / density->steps - 1);
}

static double compute_normal_density(double value, double sd)
{
    return exp(-value * value / (2 * sd * sd)) / (sd * sqrt(2 * acos(-1)));
}

/* Returns the probability that the motion is outside ±bound after its next step, whose
 * standard deviation is `sd`. */
static double compute_exit_probability(const struct density *density, double sd,
                                       double bound)
{
    double sum = 0;
    for (int i = 0; i <= density->steps; i++) {
        double at = get_point(density, i);
        sum += density->weighted[i] * (dj_special_normal_cdf((at - bound) / sd) +
                                       dj_special_normal_cdf((-at - bound) / sd));
    }
    return sum;
}

/* Returns the bound that the next step exceeds with the given probability. */
static double find_bound(const struct density *density, double sd, double chance)
{
    double low = 0;
    double high = density->bound + 10 * sd;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (compute_exit_probability(density, sd, middle) > chance) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

static double compute_density(const struct density *before, double sd, double at)
{
    double sum = 0;
    for (int i = 0; i <= before->steps; i++) {
        sum +=
            before->weighted[i] * compute_normal_density(at - get_point(before, i), sd);
    }
    return sum;
}

/* Computes the density after the next step, of the motions that are within ±bound.
 * `before` is NULL for the first step, which starts at 0. The points are so close to each
 * other that their distance is small compared to the standard deviations of this step and
 * the next one. */
static void compute_density_within(const struct density *before, double sd,
                                   double next_sd, double bound, struct density *after)
{
    double finest = fmin(sd, next_sd) / 10;
    double wanted = 2 * ceil(bound / finest);
    after->bound = bound;
    after->steps = (int)fmin(STEPS_MAX, fmax(STEPS_MIN, wanted));
    for (int i = 0; i <= after->steps; i++) {
        double at = get_point(after, i);
        double value = before == NULL ? compute_normal_density(at, sd)
                                      : compute_density(before, sd, at);
        bool end = i == 0 || i == after->steps;
        double weight = end ? 1 : (i % 2 == 1 ? 4 : 2);
        after->weighted[i] = value * weight / 3 * (2 * bound / after->steps);
    }
}

static bool is_valid(const double *runs, size_t count, double alpha)
{
    if (count == 0 || count > DJ_LOOKS_MAX || !(alpha > 0 && alpha < 0.5)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(runs[i]) || runs[i] < 2 || (i > 0 && runs[i] <= runs[i - 1])) {
            return false;
        }
    }
    return true;
}

int dj_looks_compute(const double *runs, size_t count, double alpha,
                     struct dj_looks *looks)
{
    if (!is_valid(runs, count, alpha)) {
        return DJ_E_USAGE;
    }
    /* The densities before and after the current look, alternating. */
    struct density density[2];
    *looks = (struct dj_looks){.count = count};
    for (size_t i = 0; i < count; i++) {
        double most = runs[count - 1];
        double share = runs[i] / most;
        double sd = sqrt((runs[i] - (i > 0 ? runs[i - 1] : 0)) / most);
        double next_sd = i + 1 < count ? sqrt((runs[i + 1] - runs[i]) / most) : sd;
        const struct density *before = i > 0 ? &density[(i - 1) % 2] : NULL;
        looks->runs[i] = runs[i];
        looks->spent[i] = i + 1 < count ? compute_spent_alpha(share, alpha) : alpha;
        double chance = looks->spent[i] - (i > 0 ? looks->spent[i - 1] : 0);
        double bound = before != NULL ? find_bound(before, sd, chance)
                                      : -dj_special_normal_quantile(chance / 2) * sd;
        looks->level[i] = erfc(bound / sqrt(2 * share));
        compute_density_within(before, sd, next_sd, fmin(bound, 10 * sqrt(share)),
                               &density[i % 2]);
    }
    return 0;
}
