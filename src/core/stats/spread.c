#include "stats/spread.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/error.h"
#include "stats/order.h"
#include "stats/special.h"
#include "stats/two_groups/differences.h"

double dj_spread_sample_variance(const double *values, size_t count)
{
    double mean = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        mean += values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return count < 2 ? NAN : squares / (double)(count - 1);
}

double dj_spread_mad(double *values, size_t count)
{
    static const double TO_NORMAL = 1.4826; /* The factor 1 / Φ⁻¹(3/4). */
    dj_order_sort(values, count);
    double median = dj_order_median_sorted(values, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = fabs(values[i] - median);
    }
    dj_order_sort(values, count);
    return TO_NORMAL * dj_order_median_sorted(values, count);
}

double dj_spread_shamos_sorted(const double *sorted, size_t count)
{
    static const double TO_NORMAL = 1.0484; /* The factor 1 / (√2 Φ⁻¹(3/4)). */
    if (count < 2) {
        return (double)NAN;
    }
    /* In ascending order, the n² differences are `pairs` differences ≤ 0, then n zeros
     * (the difference of each number with itself), and then `pairs` differences ≥ 0. The
     * last part begins at `first`. */
    size_t pairs = count * (count - 1) / 2;
    size_t first = pairs + count;
    size_t ranks[2] = {first + (pairs - 1) / 2, first + pairs / 2};
    double middle[2];
    if (dj_differences_find(sorted, count, sorted, count, ranks, 2, middle) != 0) {
        return (double)NAN;
    }
    return TO_NORMAL * (middle[0] + middle[1]) / 2;
}

double dj_spread_shamos_pooled_sorted(const double *x, size_t n, const double *y,
                                      size_t m)
{
    double of_x = dj_spread_shamos_sorted(x, n);
    double of_y = dj_spread_shamos_sorted(y, m);
    if (n < 2 || m < 2) {
        return n < 2 ? of_y : of_x;
    }
    double squares = (double)(n - 1) * of_x * of_x + (double)(m - 1) * of_y * of_y;
    return sqrt(squares / (double)(n + m - 2));
}

struct ranked {
    double value;
    size_t index;
};

static int compare_values(const void *a, const void *b)
{
    const struct ranked *left = a;
    const struct ranked *right = b;
    return DJ_COMPARE(left->value, right->value);
}

/* Computes twice the midrank of each number. */
static void compute_ranks(const double *values, size_t count, struct ranked *scratch,
                          double *ranks)
{
    for (size_t i = 0; i < count; i++) {
        scratch[i] = (struct ranked){values[i], i};
    }
    qsort(scratch, count, sizeof(*scratch), compare_values);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && scratch[end].value == scratch[i].value; end++) {
        }
        for (size_t k = i; k < end; k++) {
            ranks[scratch[k].index] = (double)(i + end + 1);
        }
    }
}

/* Pearson's correlation of ranks. The sums are exact, because they are integers.
 */
static double compute_correlation(const double *x, const double *y, size_t count)
{
    double mean = (double)(count + 1); /* Mean of twice the ranks. */
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
        xy += (x[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

static double compute_p(double rho, size_t count)
{
    if (isnan(rho)) {
        return 1;
    }
    double df = (double)(count - 2);
    double rest = (1 - rho) * (1 + rho);
    return rest > 0 ? dj_special_t_two_sided(rho * sqrt(df / rest), df) : 0;
}

int dj_spread_rank_correlation(const double *x, const double *y, size_t count,
                               struct dj_spread_rank_correlation *result)
{
    enum { LEAST = 4 };
    if (count < LEAST) {
        return DJ_E_NO_DATA;
    }
    if (!dj_order_all_finite(x, count) || !dj_order_all_finite(y, count)) {
        return DJ_E_INVALID;
    }
    struct ranked *scratch = calloc(count, sizeof(*scratch));
    double *ranks = calloc(2 * count, sizeof(*ranks));
    int error = scratch == NULL || ranks == NULL ? DJ_E_NO_MEMORY : 0;
    if (error == 0) {
        compute_ranks(x, count, scratch, ranks);
        compute_ranks(y, count, scratch, ranks + count);
        result->rho = compute_correlation(ranks, ranks + count, count);
        result->p = compute_p(result->rho, count);
    }
    free(scratch);
    free(ranks);
    return error;
}

int dj_spread_compute_drift(const double *values, size_t count,
                            struct dj_spread_rank_correlation *result)
{
    double *order = calloc(count + 1, sizeof(*order));
    if (order == NULL) {
        return DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (double)i;
    }
    int error = dj_spread_rank_correlation(order, values, count, result);
    free(order);
    return error;
}
