#include "stats/rate_ratio.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/order.h"
#include "stats/special.h"

struct group_rate {
    double events, frames;
    double rate;
    double log_rate; /* Logarithm of the rate, with half an event added. */
    double variance; /* Variance of log_rate. */
    double df;
};

static int validate_counts(const struct dj_counts *counts)
{
    if (counts->runs < 2) {
        return DJ_E_NO_DATA;
    }
    for (size_t i = 0; i < counts->runs; i++) {
        double events = counts->events[i];
        double frames = counts->frames[i];
        if (!isfinite(events) || !isfinite(frames) || events < 0 || !(frames > 0)) {
            return DJ_E_INVALID;
        }
    }
    return 0;
}

/* Adds the squares in ascending order, so that the order of the runs does not change the
 * rounding. */
static int sum_squared_residuals(const struct dj_counts *counts, double rate, double *sum)
{
    double *squares = calloc(counts->runs, sizeof(*squares));
    if (squares == NULL) {
        return DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < counts->runs; i++) {
        double residual = counts->events[i] - rate * counts->frames[i];
        squares[i] = residual * residual;
    }
    dj_order_sort(squares, counts->runs);
    *sum = 0;
    for (size_t i = 0; i < counts->runs; i++) {
        *sum += squares[i];
    }
    free(squares);
    return 0;
}

static int compute_group(const struct dj_counts *counts, struct group_rate *group)
{
    int error = validate_counts(counts);
    if (error != 0) {
        return error;
    }
    *group = (struct group_rate){.df = (double)(counts->runs - 1)};
    for (size_t i = 0; i < counts->runs; i++) {
        group->events += counts->events[i];
        group->frames += counts->frames[i];
    }
    group->rate = group->events / group->frames;
    double squares;
    error = sum_squared_residuals(counts, group->rate, &squares);
    if (error != 0) {
        return error;
    }
    double more = group->events + 0.5;
    double between = (group->df + 1) / group->df * squares / (more * more);
    group->log_rate = log(more / group->frames);
    group->variance = fmax(between, 1 / more);
    return 0;
}

static double bound_without_events(const struct group_rate *group)
{
    return group->events == 0 ? 3 / group->frames : (double)NAN;
}

int dj_rate_ratio(const struct dj_counts *a, const struct dj_counts *b, double level,
                  struct dj_rate_ratio *result)
{
    struct group_rate of_a;
    struct group_rate of_b;
    if (!(level > 0 && level < 1)) {
        return DJ_E_USAGE;
    }
    int error = compute_group(a, &of_a);
    error = error != 0 ? error : compute_group(b, &of_b);
    if (error != 0) {
        return error;
    }
    double variance = of_a.variance + of_b.variance;
    double df = variance * variance /
                (of_a.variance * of_a.variance / of_a.df +
                 of_b.variance * of_b.variance / of_b.df);
    double log_ratio = of_b.log_rate - of_a.log_rate;
    double half_width = dj_special_t_quantile(1 - (1 - level) / 2, df) * sqrt(variance);
    *result = (struct dj_rate_ratio){
        .rate_a = of_a.rate,
        .rate_b = of_b.rate,
        .log_ratio = log_ratio,
        .bounds = {log_ratio - half_width, log_ratio + half_width},
        .df = df,
        .p = dj_special_t_two_sided(log_ratio / sqrt(variance), df),
        .events = of_a.events + of_b.events,
        .few = of_a.events + of_b.events < DJ_RATE_EVENTS_LEAST,
        .difference = of_b.rate - of_a.rate,
        .bound_a = bound_without_events(&of_a),
        .bound_b = bound_without_events(&of_b),
    };
    return 0;
}
