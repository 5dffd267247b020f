#include "stats/mann_whitney.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/error.h"
#include "stats/special.h"
#include "stats/two_groups/sorted_groups.h"

enum { WAYS_MAX = DJ_EXACT_MAX / 2 * (DJ_EXACT_MAX / 2) / 2 + 1 };

/* The number of ways to choose a group. C(120, 60) is below 2^117, so 128 bits are
 * enough. */
typedef unsigned __int128 way_count;

/* Sums over the numbers of both groups. */
struct pooled {
    uint64_t twice_u; /* Twice the U of y over x. */
    double cubes;     /* Σ (t³ − t) over classes of t equal numbers. */
    size_t tied;      /* Count of numbers that equal at least one other number. */
};

/* Computes the sums over both groups, which must be sorted. If `scores` is not NULL,
 * stores twice the midrank of each number. */
static struct pooled pool_groups(const double *x, size_t n, const double *y, size_t m,
                                 uint32_t *scores)
{
    struct pooled result = {0};
    size_t i = 0;
    size_t k = 0;
    while (i < n || k < m) {
        double value = k == m || (i < n && x[i] <= y[k]) ? x[i] : y[k];
        size_t first = i + k;
        size_t below = i;
        size_t of_y = k;
        while (i < n && x[i] == value) {
            i++;
        }
        while (k < m && y[k] == value) {
            k++;
        }
        size_t equal = i + k - first;
        of_y = k - of_y;
        result.twice_u += (uint64_t)of_y * (2 * below + (i - below));
        result.tied += equal > 1 ? equal : 0;
        result.cubes += (double)equal * ((double)equal * (double)equal - 1);
        for (size_t s = first; scores != NULL && s < first + equal; s++) {
            scores[s] = (uint32_t)(2 * first + equal + 1);
        }
    }
    return result;
}

/* Sets count[u] to the number of ways in which U is u, for u from 0 to `most`. These
 * are the coefficients of the Gaussian binomial, the product of (1 − q^(m+i)) / (1 −
 * q^i). Its intermediate results may be negative, but unsigned integers modulo 2^128 give
 * the exact final counts. */
static void count_ways(way_count *count, size_t n, size_t m, size_t most)
{
    for (size_t u = 1; u <= most; u++) {
        count[u] = 0;
    }
    count[0] = 1;
    for (size_t i = 1; i <= n; i++) {
        for (size_t u = most + 1; u-- > m + i;) {
            count[u] -= count[u - m - i];
        }
        for (size_t u = i; u <= most; u++) {
            count[u] += count[u - i];
        }
    }
}

/* Returns C(n + m, n). Exact for up to DJ_EXACT_MAX numbers. */
static double count_all_ways(size_t n, size_t m)
{
    way_count result = 1;
    for (size_t i = 1; i <= n; i++) {
        result = result * (m + i) / i;
    }
    return (double)result;
}

static double compute_p_without_ties(size_t n, size_t m, uint64_t u)
{
    size_t few = DJ_LEAST(n, m);
    size_t many = DJ_MOST(n, m);
    size_t low = (size_t)(u < n * m - u ? u : n * m - u);
    way_count count[WAYS_MAX];
    way_count sum = 0;
    count_ways(count, few, many, low);
    for (size_t i = 0; i <= low; i++) {
        sum += count[i];
    }
    return fmin(1, 2 * (double)sum / count_all_ways(few, many));
}

/* For each k from 0 to `few`, and for each possible sum of k scores: the number of ways
 * to choose k numbers with this sum. A score is twice the midrank of a number. Row k
 * begins at the smallest sum of k scores. top[k] is the largest index in row k whose
 * count is not zero. */
struct sums {
    double *count; /* few + 1 rows, each with `width` counts. */
    size_t width;
    size_t top[DJ_EXACT_MAX / 2 + 1];
};

static void add_number(struct sums *sums, const uint32_t *scores, size_t number,
                       size_t few, size_t total)
{
    size_t left = total - number - 1;
    size_t most = DJ_LEAST(number + 1, few);
    size_t least = few > left ? few - left : 1;
    for (size_t k = most; k >= least && k > 0; k--) {
        const double *from = sums->count + (k - 1) * sums->width;
        size_t by = scores[number] - scores[k - 1];
        double *to = sums->count + k * sums->width + by;
        size_t top = sums->top[k - 1];
        for (size_t s = 0; s <= top; s++) {
            to[s] += from[s];
        }
        sums->top[k] = DJ_MOST(sums->top[k], top + by);
    }
}

/* Returns the proportion of ways in which the sum of `few` scores is at least as far
 * from the mean as the observed sum. */
static double compute_extreme_share(const struct sums *sums, const uint32_t *scores,
                                    size_t few, size_t many, uint64_t twice_u)
{
    /* Twice the rank sum is twice U plus few (few + 1), the smallest possible value
     * without ties. */
    int64_t mean = (int64_t)(few * (few + many + 1));
    int64_t seen = (int64_t)(twice_u + few * (few + 1));
    int64_t least = 0;
    for (size_t k = 0; k < few; k++) {
        least += scores[k];
    }
    const double *row = sums->count + few * sums->width;
    double sum = 0;
    for (size_t s = 0; s <= sums->top[few]; s++) {
        if (llabs(least + (int64_t)s - mean) >= llabs(seen - mean)) {
            sum += row[s];
        }
    }
    return fmin(1, sum / count_all_ways(few, many));
}

/* Returns the exact two-sided p of groups with ties, or NaN if there is no memory. */
static double compute_p_with_ties(const uint32_t *scores, size_t n, size_t m,
                                  uint64_t twice_u)
{
    size_t few = DJ_LEAST(n, m);
    size_t many = DJ_MOST(n, m);
    /* Uses the smaller group. Both groups give the same p, because |U − mean| is
     * equal. */
    struct sums sums = {.width = 2 * few * many + 1};
    sums.count = calloc((few + 1) * sums.width, sizeof(*sums.count));
    if (sums.count == NULL) {
        return (double)NAN;
    }
    sums.count[0] = 1;
    for (size_t i = 0; i < n + m; i++) {
        add_number(&sums, scores, i, few, n + m);
    }
    double p = compute_extreme_share(&sums, scores, few, many, twice_u);
    free(sums.count);
    return p;
}

static double compute_normal_p(size_t n, size_t m, double u, double cubes)
{
    double pairs = (double)n * (double)m;
    double all = (double)(n + m);
    double variance = pairs / 12 * ((all + 1) - cubes / (all * (all - 1)));
    if (!(variance > 0)) {
        return 1;
    }
    double z = (fabs(u - pairs / 2) - 0.5) / sqrt(variance);
    return fmin(1, erfc(z / sqrt(2)));
}

int dj_mann_whitney_sorted(const double *x, size_t n, const double *y, size_t m,
                           struct dj_mann_whitney *result)
{
    if (n == 0 || m == 0) {
        return DJ_E_NO_DATA;
    }
    uint32_t scores[DJ_EXACT_MAX];
    bool exact = n + m <= DJ_EXACT_MAX;
    struct pooled pooled = pool_groups(x, n, y, m, exact ? scores : NULL);
    *result = (struct dj_mann_whitney){
        .u = (double)pooled.twice_u / 2,
        .exact = exact,
        .tie_share = (double)pooled.tied / (double)(n + m),
    };
    result->superiority = result->u / ((double)n * (double)m);
    result->p_normal = compute_normal_p(n, m, result->u, pooled.cubes);
    if (!exact) {
        result->p = result->p_normal;
    } else if (pooled.tied == 0) {
        result->p = compute_p_without_ties(n, m, pooled.twice_u / 2);
    } else {
        result->p = compute_p_with_ties(scores, n, m, pooled.twice_u);
    }
    return isnan(result->p) ? DJ_E_NO_MEMORY : 0;
}

int dj_mann_whitney(const double *x, size_t n, const double *y, size_t m,
                    struct dj_mann_whitney *result)
{
    struct dj_sorted_groups groups;
    int error = dj_sorted_groups_create(x, n, y, m, 1, &groups);
    if (error != 0) {
        return error;
    }
    error = dj_mann_whitney_sorted(groups.x, n, groups.y, m, result);
    dj_sorted_groups_finish(&groups);
    return error;
}

double dj_mann_whitney_least_p(size_t n, size_t m)
{
    if (n == 0 || m == 0) {
        return 1;
    }
    double all = 1;
    for (size_t i = 1; i <= DJ_LEAST(n, m) && isfinite(all); i++) {
        all *= (double)(DJ_MOST(n, m) + i) / (double)i;
    }
    return fmin(1, 2 / all);
}

static double compute_sd_of_u(size_t n, size_t m)
{
    return sqrt((double)n * (double)m * (double)(n + m + 1) / 12);
}

static long compute_normal_critical(size_t n, size_t m, double alpha)
{
    double mean = (double)n * (double)m / 2;
    double u =
        floor(mean - 0.5 + dj_special_normal_quantile(alpha / 2) * compute_sd_of_u(n, m));
    return u < 0 ? -1 : (long)u;
}

/* P(U ≤ u) by Edgeworth's series to the fourth cumulant (Fix and Hodges 1955). */
static double compute_share_up_to(size_t n, size_t m, long u)
{
    double pairs = (double)n * (double)m;
    double squares = (double)(n * n + m * m) + pairs + (double)(n + m);
    double kurtosis = -1.2 * squares / (pairs * (double)(n + m + 1));
    double z = ((double)u + 0.5 - pairs / 2) / compute_sd_of_u(n, m);
    double density = exp(-z * z / 2) / sqrt(2 * acos(-1));
    return dj_special_normal_cdf(z) - density * kurtosis / 24 * (z * z * z - 3 * z);
}

/* Returns the critical u, or −1 if the series is not precise enough. For probabilities of
 * 0.02 or more, the relative error of the series is below 0.001, and changing u by 1
 * changes the probability by 1.2 % or more. The series is used because exact counting
 * takes 0.1 ms for groups of 50, which is slow for a history with many changes. */
static long compute_series_critical(size_t n, size_t m, double alpha)
{
    enum { FEW_LEAST = 15, ALL_LEAST = 40 };
    static const double SURE = 0.0025;
    if (!(alpha >= 0.04 && alpha <= 0.5) || DJ_LEAST(n, m) < FEW_LEAST ||
        n + m < ALL_LEAST) {
        return -1;
    }
    long u = compute_normal_critical(n, m, alpha);
    while (u >= 0 && compute_share_up_to(n, m, u) > alpha / 2) {
        u--;
    }
    while (compute_share_up_to(n, m, u + 1) <= alpha / 2) {
        u++;
    }
    bool sure = u >= 0 && compute_share_up_to(n, m, u) < alpha / 2 * (1 - SURE) &&
                compute_share_up_to(n, m, u + 1) > alpha / 2 * (1 + SURE);
    return sure ? u : -1;
}

static long count_critical(size_t n, size_t m, double alpha)
{
    way_count count[WAYS_MAX];
    way_count sum = 0;
    size_t half = n * m / 2;
    /* The tolerance is needed because 1 − 0.9 is not exactly 0.1. */
    double limit = alpha * (1 + 1e-9) * count_all_ways(DJ_LEAST(n, m), DJ_MOST(n, m)) / 2;
    count_ways(count, DJ_LEAST(n, m), DJ_MOST(n, m), half);
    long critical = -1;
    for (size_t u = 0; u <= half; u++) {
        sum += count[u];
        if ((double)sum > limit) {
            break;
        }
        critical = (long)u;
    }
    return critical;
}

long dj_mann_whitney_critical(size_t n, size_t m, double alpha)
{
    if (n == 0 || m == 0 || !(alpha > 0)) {
        return -1;
    }
    if (n + m > DJ_EXACT_MAX) {
        return compute_normal_critical(n, m, alpha);
    }
    long critical = compute_series_critical(n, m, alpha);
    return critical >= 0 ? critical : count_critical(n, m, alpha);
}
