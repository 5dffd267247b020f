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

/* A series and the results for it. */
struct series {
    const double *values;
    size_t count;
    const struct dj_change_rules *rules; /* with all defaults set */
    double *tamed;                       /* the input of PELT */
    double *scratch;
    size_t *begins;
    size_t found;
    double between; /* variance of one point, from neighbours; 0: unknown */
    double noise, correlation;
};

/* Returns the sd of one point, from neighbours, which a change of level hardly
 * affects. Uses the MAD, or the sd of the differences if the MAD is 0. */
static double noise_of(struct series *series)
{
    size_t count = series->count - 1;
    for (size_t i = 0; i < count; i++) {
        series->scratch[i] = series->values[i + 1] - series->values[i];
    }
    double sd = sqrt(dj_spread_sample_variance(series->scratch, count));
    double robust = dj_spread_mad(series->scratch, count); /* overwrites scratch */
    return (robust > 0 ? robust : sd) / sqrt(2);
}

/* Moves a point far from the median of its seven neighbours closer to it: one outlier
 * is not a change, and must not hide one. */
static void tame(struct series *series, double noise)
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
        series->tamed[i] = median + fmin(MOST * noise, fmax(-MOST * noise, off));
    }
}

/* Returns the variance of the residuals about the segments' means, and the correlation
 * of neighbours, corrected for the bias of many means (0 if it may be chance). */
static double residual_variance(struct series *series, double *correlation)
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
            mean += series->tamed[i] / (double)(to - from);
        }
        for (size_t i = from; i < to; i++) {
            rest[i] = series->tamed[i] - mean;
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

static int segment(struct series *series, double variance)
{
    double penalty = series->rules->penalty * log((double)series->count) * variance;
    return dj_pelt_find(series->tamed, series->count, penalty, SEGMENT_LEAST,
                        series->begins, &series->found);
}

/* The penalty is in units of the noise's long-run variance, which depends on the
 * segments: alternates until they do not change. */
static int segment_by_noise(struct series *series)
{
    enum { ROUNDS = 6 };
    double noise = noise_of(series);
    double variance = noise * noise;
    if (!(variance > 0)) { /* all differences are equal, or too small for a number */
        return 0;
    }
    series->between = variance;
    tame(series, noise);
    size_t found_before = series->count;
    size_t *before = calloc(series->count, sizeof(*before));
    if (before == NULL) {
        return DJ_E_NO_MEMORY;
    }
    int error = 0;
    for (int round = 0; error == 0 && round < ROUNDS; round++) {
        error = segment(series, variance);
        double rho;
        double rest = residual_variance(series, &rho);
        double single = fmax(noise * noise / (1 - rho), rest);
        double next = single * (1 + rho) / (1 - rho);
        bool same = series->found == found_before &&
                    memcmp(before, series->begins, found_before * sizeof(*before)) == 0;
        series->noise = sqrt(single);
        series->correlation = rho;
        /* Without any change, a higher penalty finds none either. */
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

static int rules_with_defaults(const struct dj_change_rules *given,
                               struct dj_change_rules *rules)
{
    *rules = given != NULL ? *given : (struct dj_change_rules){0};
    rules->alpha = rules->alpha == 0 ? 0.01 : rules->alpha;
    rules->least = rules->least == 0 ? 0.02 : rules->least;
    rules->level = rules->level == 0 ? 0.95 : rules->level;
    rules->penalty = rules->penalty == 0 ? 4 : rules->penalty;
    bool fine = rules->alpha > 0 && rules->alpha < 1 && rules->least > 0 &&
                isfinite(rules->least) && rules->level > 0 && rules->level < 1 &&
                rules->penalty > 0 && isfinite(rules->penalty);
    return fine ? 0 : DJ_E_USAGE;
}

static int check(const double *values, size_t count)
{
    if (count < DJ_HISTORY_LEAST) {
        return DJ_E_NO_DATA;
    }
    if (count > DJ_HISTORY_MAX) {
        return DJ_E_LIMIT;
    }
    return dj_order_all_finite(values, count) ? 0 : DJ_E_INVALID;
}

/* Finds the changes of the segmentation that pass the test at `alpha`, and describes
 * them. */
static int verify(struct dj_segments *segments, const struct dj_change_rules *rules,
                  double alpha, struct dj_change_points *found)
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

static int find(struct series *series, struct dj_change_points *found)
{
    int error = segment_by_noise(series);
    if (error != 0 || series->found == 0) {
        return error;
    }
    struct dj_segments segments = {.values = series->values,
                                   .count = series->count,
                                   .begins = series->begins,
                                   .changes = series->found};
    return verify(&segments, series->rules, series->rules->alpha, found);
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

/* Between two changes, the points from `from` to before `to`: finds the best
 * segmentation by Schwarz's criterion (a change costs two parameters), assuming that
 * the noise is what neighbours differ by, without memory. */
static int find_hints_between(struct series *series, size_t from, size_t to,
                              struct dj_change_points *found)
{
    static const double ALPHA = 0.05;
    size_t count = to - from;
    struct dj_segments segments = {
        .values = series->values + from, .count = count, .begins = series->begins};
    int error = count < 2 * HINT_LEAST
                    ? 0
                    : dj_pelt_find(series->tamed + from, count,
                                   2 * log((double)count) * series->between, HINT_LEAST,
                                   segments.begins, &segments.changes);
    if (error != 0 || segments.changes == 0) {
        return error;
    }
    struct dj_change_points part = {0};
    error = verify(&segments, series->rules, ALPHA, &part);
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
    bool wanders = series->between > 0 && series->correlation > 0;
    for (size_t i = 0; error == 0 && i <= found->count && wanders; i++) {
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
    int error = rules_with_defaults(given, &rules);
    error = error != 0 ? error : check(values, count);
    if (error != 0) {
        return error;
    }
    struct series series = {.values = values, .count = count, .rules = &rules};
    series.tamed = calloc(2 * count, sizeof(*series.tamed));
    series.begins = calloc(count, sizeof(*series.begins));
    if (series.tamed == NULL || series.begins == NULL) {
        error = DJ_E_NO_MEMORY;
    } else {
        series.scratch = series.tamed + count;
        error = find(&series, found);
        error = error == 0 ? find_hints(&series, found) : error;
    }
    if (error != 0) {
        dj_change_points_finish(found);
    }
    found->noise = series.noise;
    found->correlation = series.correlation;
    free(series.tamed);
    free(series.begins);
    return error;
}

void dj_change_points_finish(struct dj_change_points *found)
{
    free(found->changes);
    free(found->hints);
    *found = (struct dj_change_points){0};
}
