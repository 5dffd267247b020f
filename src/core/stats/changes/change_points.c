#include "stats/change_points.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/changes/pelt.h"
#include "stats/changes/segments.h"
#include "stats/order.h"
#include "stats/spread.h"

enum { SEGMENT_LEAST = 3, WINDOW_HALF = 3 };
enum { HINT_LEAST = DJ_HISTORY_LEAST };

/* The input of the search, and its intermediate results. */
struct series {
    const double *values;
    size_t count;
    const struct dj_change_rules *rules; /* The rules, with defaults filled in. */
    /* The values with limited outliers. The input of PELT. */
    double *limited;
    double *scratch;
    size_t *begins;
    size_t found;
    /* Variance of one point about its level, estimated from the differences of
     * neighbouring points. 0 if unknown. */
    double between;
    double noise, correlation;
};

/* Estimates the standard deviation of one point from the differences of neighbouring
 * points. A change of level hardly affects these differences. Uses the MAD, or the
 * standard deviation of the differences if the MAD is 0. */
static double estimate_noise(struct series *series)
{
    size_t count = series->count - 1;
    for (size_t i = 0; i < count; i++) {
        series->scratch[i] = series->values[i + 1] - series->values[i];
    }
    double sd = sqrt(dj_spread_sample_variance(series->scratch, count));
    /* dj_spread_mad() overwrites `scratch`. */
    double robust = dj_spread_mad(series->scratch, count);
    return (robust > 0 ? robust : sd) / sqrt(2);
}

/* Limits the distance of each point to the median of the seven points around it, because
 * one outlier is not a change and must not hide a change. */
static void limit_outliers(struct series *series, double noise)
{
    static const double MOST = 2.5;
    for (size_t i = 0; i < series->count; i++) {
        double window[2 * WINDOW_HALF + 1];
        size_t from = i < WINDOW_HALF ? 0 : i - WINDOW_HALF;
        size_t to = i + WINDOW_HALF < series->count ? i + WINDOW_HALF + 1 : series->count;
        memcpy(window, series->values + from, (to - from) * sizeof(*window));
        dj_order_sort(window, to - from);
        double median = dj_order_median_sorted(window, to - from);
        double off = series->values[i] - median;
        series->limited[i] = median + fmin(MOST * noise, fmax(-MOST * noise, off));
    }
}

/* Returns the variance of the residuals about the means of the segments. Sets
 * *correlation to the correlation of neighbouring residuals, corrected for the bias that
 * results from estimating one mean per segment. Sets *correlation to 0 if the correlation
 * is not significant. */
static double compute_residual_variance(struct series *series, double *correlation)
{
    static const double SIGNIFICANT = 1.645;
    static const double MOST = 0.7;
    double *rest = series->scratch;
    size_t segments = series->found + 1;
    double n = (double)series->count;
    for (size_t k = 0; k < segments; k++) {
        size_t from = k == 0 ? 0 : series->begins[k - 1];
        size_t to = k == series->found ? series->count : series->begins[k];
        double mean = 0;
        for (size_t i = from; i < to; i++) {
            mean += series->limited[i] / (double)(to - from);
        }
        for (size_t i = from; i < to; i++) {
            rest[i] = series->limited[i] - mean;
        }
    }
    double squares = 0;
    double neighbours = 0;
    for (size_t i = 0; i < series->count; i++) {
        squares += rest[i] * rest[i];
        neighbours += i > 0 ? rest[i] * rest[i - 1] : 0;
    }
    double acf = squares > 0 ? neighbours / squares : 0;
    double rho = acf + (double)segments * (1 + 3 * acf) / n;
    *correlation = rho > SIGNIFICANT / sqrt(n) ? fmin(rho, MOST) : 0;
    return squares / (n - (double)segments);
}

static int find_segments(struct series *series, double variance)
{
    double penalty = series->rules->penalty * log((double)series->count) * variance;
    return dj_pelt_find(series->limited, series->count, penalty, SEGMENT_LEAST,
                        series->begins, &series->found);
}

/* Finds the best segmentation. The penalty is proportional to the long-run variance of
 * the noise, and the estimate of that variance depends on the segments. So this
 * repeats both steps, at most six times, until the segments do not change or the
 * penalty no longer grows. */
static int find_segments_by_noise(struct series *series)
{
    enum { ROUNDS = 6 };
    double noise = estimate_noise(series);
    double variance = noise * noise;
    if (!(variance > 0)) { /* All differences are equal, or too small for a double. */
        return 0;
    }
    series->between = variance;
    limit_outliers(series, noise);
    size_t found_before = series->count;
    size_t *before = calloc(series->count, sizeof(*before));
    if (before == NULL) {
        return DJ_E_NO_MEMORY;
    }
    int error = 0;
    for (int round = 0; error == 0 && round < ROUNDS; round++) {
        error = find_segments(series, variance);
        double rho;
        double rest = compute_residual_variance(series, &rho);
        double single = fmax(noise * noise / (1 - rho), rest);
        double next = single * (1 + rho) / (1 - rho);
        bool same = series->found == found_before &&
                    memcmp(before, series->begins, found_before * sizeof(*before)) == 0;
        series->noise = sqrt(single);
        series->correlation = rho;
        /* If there is no change, a higher penalty finds none either. */
        if (next <= 1.001 * variance || same || series->found == 0) {
            break;
        }
        variance = next;
        found_before = series->found;
        memcpy(before, series->begins, found_before * sizeof(*before));
    }
    free(before);
    return error;
}

static int set_default_rules(const struct dj_change_rules *given,
                             struct dj_change_rules *rules)
{
    *rules = given != NULL ? *given : (struct dj_change_rules){0};
    rules->alpha = rules->alpha == 0 ? 0.01 : rules->alpha;
    rules->least = rules->least == 0 ? 0.02 : rules->least;
    rules->level = rules->level == 0 ? 0.95 : rules->level;
    rules->penalty = rules->penalty == 0 ? 4 : rules->penalty;
    bool is_valid = rules->alpha > 0 && rules->alpha < 1 && rules->least > 0 &&
                    isfinite(rules->least) && rules->level > 0 && rules->level < 1 &&
                    rules->penalty > 0 && isfinite(rules->penalty);
    return is_valid ? 0 : DJ_E_USAGE;
}

static int validate_values(const double *values, size_t count)
{
    if (count < DJ_HISTORY_LEAST) {
        return DJ_E_NO_DATA;
    }
    if (count > DJ_HISTORY_MAX) {
        return DJ_E_LIMIT;
    }
    return dj_order_all_finite(values, count) ? 0 : DJ_E_INVALID;
}

/* Removes the changes that do not pass the test at `alpha`, and describes the others. */
static int verify_changes(struct dj_segments *segments,
                          const struct dj_change_rules *rules, double alpha,
                          struct dj_change_points *found)
{
    int error = dj_segments_sort(segments);
    if (error == 0) {
        error = dj_segments_verify(segments, alpha, log1p(rules->least));
    }
    if (error == 0) {
        error = dj_segments_describe(segments, rules->level, found);
    }
    dj_segments_finish(segments);
    return error;
}

static int find_changes(struct series *series, struct dj_change_points *found)
{
    int error = find_segments_by_noise(series);
    if (error != 0 || series->found == 0) {
        return error;
    }
    struct dj_segments segments = {.values = series->values,
                                   .count = series->count,
                                   .begins = series->begins,
                                   .changes = series->found};
    return verify_changes(&segments, series->rules, series->rules->alpha, found);
}

static int append_hints(struct dj_change_points *found, const struct dj_change *hints,
                        size_t count, size_t from)
{
    struct dj_change *grown =
        realloc(found->hints, (found->hint_count + count) * sizeof(*grown));
    if (grown == NULL) {
        return DJ_E_NO_MEMORY;
    }
    found->hints = grown;
    for (size_t i = 0; i < count; i++) {
        struct dj_change *hint = &grown[found->hint_count++];
        *hint = hints[i];
        hint->index += from;
        hint->from += from;
        hint->to += from;
    }
    return 0;
}

/* Finds the hints among the points from `from` to before `to`, which are between two
 * changes. Uses the best segmentation by Schwarz's criterion, in which a change costs
 * two parameters. Assumes uncorrelated noise, estimated from the differences of
 * neighbours. */
static int find_hints_between(struct series *series, size_t from, size_t to,
                              struct dj_change_points *found)
{
    static const double ALPHA = 0.05;
    size_t count = to - from;
    struct dj_segments segments = {
        .values = series->values + from, .count = count, .begins = series->begins};
    int error = count < 2 * HINT_LEAST
                    ? 0
                    : dj_pelt_find(series->limited + from, count,
                                   2 * log((double)count) * series->between, HINT_LEAST,
                                   segments.begins, &segments.changes);
    if (error != 0 || segments.changes == 0) {
        return error;
    }
    struct dj_change_points part = {0};
    error = verify_changes(&segments, series->rules, ALPHA, &part);
    if (error == 0 && part.count > 0) {
        error = append_hints(found, part.changes, part.count, from);
    }
    free(part.changes);
    return error;
}

static int find_hints(struct series *series, struct dj_change_points *found)
{
    size_t from = 0;
    int error = 0;
    bool is_correlated = series->between > 0 && series->correlation > 0;
    for (size_t i = 0; error == 0 && i <= found->count && is_correlated; i++) {
        size_t to = i < found->count ? found->changes[i].index : series->count;
        error = find_hints_between(series, from, to, found);
        from = to;
    }
    return error;
}

int dj_change_points_find(const double *values, size_t count,
                          const struct dj_change_rules *given,
                          struct dj_change_points *found)
{
    struct dj_change_rules rules;
    *found = (struct dj_change_points){0};
    int error = set_default_rules(given, &rules);
    error = error != 0 ? error : validate_values(values, count);
    if (error != 0) {
        return error;
    }
    struct series series = {.values = values, .count = count, .rules = &rules};
    series.limited = calloc(2 * count, sizeof(*series.limited));
    series.begins = calloc(count, sizeof(*series.begins));
    if (series.limited == NULL || series.begins == NULL) {
        error = DJ_E_NO_MEMORY;
    } else {
        series.scratch = series.limited + count;
        error = find_changes(&series, found);
        error = error == 0 ? find_hints(&series, found) : error;
    }
    if (error != 0) {
        dj_change_points_finish(found);
    }
    found->noise = series.noise;
    found->correlation = series.correlation;
    free(series.limited);
    free(series.begins);
    return error;
}

void dj_change_points_finish(struct dj_change_points *found)
{
    free(found->changes);
    free(found->hints);
    *found = (struct dj_change_points){0};
}
