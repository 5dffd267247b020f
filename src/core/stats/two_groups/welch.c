#include "stats/welch.h"

#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "stats/special.h"
#include "stats/two_groups/sorted_groups.h"

struct moments {
    double mean;
    double squared_error; /* Squared standard error of the mean, variance / n. */
};

static struct moments compute_moments(const double *sorted, size_t count)
{
    struct moments result = {0};
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        result.mean += sorted[i];
    }
    result.mean /= (double)count;
    /* The computed mean of equal numbers may have a rounding error, which would give
     * these numbers a spread. */
    if (sorted[0] == sorted[count - 1]) {
        result.mean = sorted[0];
    }
    for (size_t i = 0; i < count; i++) {
        squares += (sorted[i] - result.mean) * (sorted[i] - result.mean);
    }
    result.squared_error = squares / (double)(count - 1) / (double)count;
    return result;
}

static struct dj_welch without_spread(double difference)
{
    bool equal = difference == 0;
    return (struct dj_welch){
        .difference = difference,
        .t = equal ? 0 : copysign((double)INFINITY, difference),
        .df = (double)NAN,
        .p = equal ? 1 : 0,
        .bounds = {difference, difference},
    };
}

static struct dj_welch compare_means(struct moments x, double x_df, struct moments y,
                                     double y_df, double level)
{
    double squared_error = x.squared_error + y.squared_error;
    double difference = y.mean - x.mean;
    if (squared_error == 0) {
        return without_spread(difference);
    }
    double error = sqrt(squared_error);
    /* Computes with fractions of the sum, because the squared variances of tiny numbers
     * would underflow to 0. */
    double of_x = x.squared_error / squared_error;
    double of_y = y.squared_error / squared_error;
    double df = 1 / (of_x * of_x / x_df + of_y * of_y / y_df);
    double half_width = dj_special_t_quantile(1 - (1 - level) / 2, df) * error;
    return (struct dj_welch){
        .difference = difference,
        .t = difference / error,
        .df = df,
        .p = dj_special_t_two_sided(difference / error, df),
        .bounds = {difference - half_width, difference + half_width},
    };
}

int dj_welch(const double *x, size_t n, const double *y, size_t m, double level,
             struct dj_welch *result)
{
    struct dj_sorted_groups groups;
    if (!(level > 0 && level < 1)) {
        return DJ_E_USAGE;
    }
    int error = dj_sorted_groups_create(x, n, y, m, 2, &groups);
    if (error != 0) {
        return error;
    }
    *result = compare_means(compute_moments(groups.x, n), (double)(n - 1),
                            compute_moments(groups.y, m), (double)(m - 1), level);
    dj_sorted_groups_finish(&groups);
    return 0;
}
