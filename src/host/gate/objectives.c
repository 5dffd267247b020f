#include "gate/objectives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "compare/effect.h"
#include "memory/memory.h"
#include "stats/order.h"
#include "stats/quantile.h"
#include "stats/special.h"

/* Largest share of runs without the metric. If more runs lack it, the objective is
 * undecided (reference: stats, §8). */
static const double LACKING_MOST = 0.1;

/* Largest percentage of unseen frames. If more are unseen, the largest frame time is
 * unknown. */
static const double UNSEEN_MOST_PCT = 1;

static const char *const statistics[] = {"median", "mean", "worst"};

const char *dj_gate_statistic_name(enum dj_objective_statistic statistic)
{
    return statistics[statistic];
}

bool dj_gate_statistic_find(const char *word, enum dj_objective_statistic *statistic)
{
    for (size_t i = 0; i < COUNT_OF(statistics); i++) {
        if (strcmp(word, statistics[i]) == 0) {
            *statistic = (enum dj_objective_statistic)i;
            return true;
        }
    }
    return false;
}

const char *dj_gate_objective_state_name(enum dj_objective_state state)
{
    static const char *const states[] = {"met", "missed", "undecided", "not-measured"};
    return states[state];
}

bool dj_gate_objective_applies(const struct dj_objective *objective, const char *flow,
                               const char *serial, const struct dj_device_facts *facts)
{
    if (objective->flow != NULL && strcmp(objective->flow, flow) != 0) {
        return false;
    }
    if (objective->devices == NULL) {
        return true;
    }
    return objective->has_class ? dj_facts_class_matches(&objective->class, facts)
                                : strcmp(objective->devices, serial) == 0;
}

/* Returns whether the day `by` is over in UTC. An objective "by" a day is due after that
 * day. */
static bool is_over(const char *by, int64_t now_unix_ms)
{
    int64_t day;
    return dj_date_parse(dj_str_of(by), &day) &&
           now_unix_ms >= (day + 1) * DJ_DAY_S * 1000;
}

static void choose_bound(const struct dj_objective *objective, int64_t now_unix_ms,
                         struct dj_objective_result *result)
{
    bool over = objective->by[0] != '\0' && is_over(objective->by, now_unix_ms);
    bool has_goal = !isnan(objective->goal);
    result->due = objective->by[0] == '\0' || over || has_goal;
    result->bound = over && has_goal ? objective->goal : objective->bound;
}

/* The values of an objective in a set of runs. The struct owns its arrays. */
struct sample {
    /* The value of each run. For smooth frames it is 100 − the percentage of janky
     * frames. */
    double *value;
    /* The numbers of which the value is a percentage, for each run: count / of. NaN if
     * unknown. */
    double *count, *of;
    size_t runs;
    size_t counted; /* Number of runs with known `count` and `of`. */
    double expected, recovered;
};

static void add_run(const struct dj_objective *objective, enum dj_metric metric,
                    const struct dj_run_row *run, struct sample *sample, size_t *lacking)
{
    const double *value = run->metrics.value;
    double x = value[metric];
    if (!isfinite(x)) {
        (*lacking)++;
        return;
    }
    sample->value[sample->runs] = objective->smooth ? 100 - x : x;
    sample->count[sample->runs] = NAN;
    sample->of[sample->runs] = NAN;
    const struct dj_metric_share *share = dj_metrics_find_share(objective->metric);
    if (share != NULL && value[share->of] > 0 && isfinite(value[share->count])) {
        sample->count[sample->runs] = value[share->count];
        sample->of[sample->runs] = value[share->of];
        sample->counted++;
    }
    sample->runs++;
    if (isfinite(value[DJ_METRIC_EXPECTED]) && isfinite(value[DJ_METRIC_RECOVERED])) {
        sample->expected += value[DJ_METRIC_EXPECTED];
        sample->recovered += value[DJ_METRIC_RECOVERED];
    }
}

static enum dj_metric choose_metric(const struct dj_objective *objective,
                                    const struct dj_run_row *runs, size_t count)
{
    struct dj_known_metrics known = {0};
    for (size_t i = 0; i < count; i++) {
        if (dj_store_run_counts(&runs[i])) {
            dj_metrics_known_add(&known, &runs[i].metrics);
        }
    }
    return dj_metrics_choose(objective->metric, &known);
}

static void add_runs(const struct dj_objective *objective, const struct dj_run_row *runs,
                     size_t count, struct sample *sample,
                     struct dj_objective_result *result)
{
    double *room = dj_xcalloc(count, 3 * sizeof(*room));
    *sample =
        (struct sample){.value = room, .count = room + count, .of = room + 2 * count};
    for (size_t i = 0; i < count; i++) {
        if (dj_store_run_counts(&runs[i])) {
            add_run(objective, result->metric, &runs[i], sample, &result->lacking);
        }
    }
}

static bool is_within_bound(const struct dj_objective *objective, double value,
                            double bound)
{
    return objective->at_least ? value >= bound : value <= bound;
}

/* Returns P(Bin(n, ½) ≤ k). */
static double compute_half_cdf(size_t n, size_t k)
{
    return k >= n ? 1 : dj_special_incomplete_beta((double)(n - k), (double)k + 1, 0.5);
}

/* Assesses the median. The values must be sorted. */
static void assess_median(const struct sample *sample, double alpha,
                          struct dj_objective_result *result)
{
    size_t n = sample->runs;
    result->value = dj_quantile_compute(sample->value, n, 0.5);
    result->p_missed = compute_half_cdf(n, result->within_count);
    result->p_met =
        result->within_count == 0 ? 1 : 1 - compute_half_cdf(n, result->within_count - 1);
    size_t cut = 0;
    while (2 * compute_half_cdf(n, cut) <= alpha && 2 * cut < n) {
        cut++;
    }
    if (cut > 0) {
        result->interval =
            (struct dj_bounds){sample->value[cut - 1], sample->value[n - cut]};
    }
}

/* Sets the p of a t test. `t` is the distance from the estimate up to the bound, in
 * standard errors. `less` is true if values below the bound meet the objective. */
static void set_p(struct dj_objective_result *result, double t, double df, bool less)
{
    double below = dj_special_t_cdf(t, df);
    result->p_met = less ? 1 - below : below;
    result->p_missed = less ? below : 1 - below;
}

/* Assesses a share: counts clustered by run, in percent. */
static void assess_share(const struct dj_objective *objective,
                         const struct sample *sample, double alpha,
                         struct dj_objective_result *result)
{
    struct dj_share share =
        dj_compare_compute_share(sample->count, sample->of, sample->runs);
    double bound_pct = objective->smooth ? 100 - result->bound : result->bound;
    double df = (double)sample->runs - 1;
    double reach = dj_special_t_quantile(1 - alpha / 2, df) * share.error;
    double low = fmin(100 * exp(share.log - reach), 100);
    double high = fmin(100 * exp(share.log + reach), 100);
    result->value = 100 * share.events / share.frames;
    bool less = objective->at_least == objective->smooth;
    if (bound_pct > 0) {
        set_p(result, (log(bound_pct / 100) - share.log) / share.error, df, less);
    } else {
        /* The bound allows no event. So one event is a miss, and no number of runs can
         * show that the objective is met. */
        result->p_missed = less && share.events > 0 ? 0 : 1;
        result->p_met = less ? 1 : 0;
    }
    result->interval = (struct dj_bounds){low, high};
    if (objective->smooth) {
        result->value = 100 - result->value;
        result->interval = (struct dj_bounds){100 - high, 100 - low};
    }
}

static void assess_mean(const struct dj_objective *objective, const struct sample *sample,
                        double alpha, struct dj_objective_result *result)
{
    double sum = 0, squares = 0;
    size_t n = sample->runs;
    for (size_t i = 0; i < n; i++) {
        sum += sample->value[i];
    }
    result->value = sum / (double)n;
    if (n < 2) {
        return;
    }
    if (sample->counted == n) {
        assess_share(objective, sample, alpha, result);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double rest = sample->value[i] - result->value;
        squares += rest * rest;
    }
    double df = (double)n - 1;
    double error = sqrt(squares / df / (double)n);
    double distance = result->bound - result->value;
    double reach = dj_special_t_quantile(1 - alpha / 2, df) * error;
    result->interval = (struct dj_bounds){result->value - reach, result->value + reach};
    if (error > 0) {
        set_p(result, distance / error, df, !objective->at_least);
    } else {
        /* All runs are equal, so there is no spread from which a p could be computed.
         * Only the comparison with the bound decides. */
        bool is_within = is_within_bound(objective, result->value, result->bound);
        result->p_met = is_within ? 0 : 1;
        result->p_missed = is_within ? 1 : 0;
    }
}

static void assess_worst(const struct dj_objective *objective,
                         const struct sample *sample, double alpha,
                         struct dj_objective_result *result)
{
    size_t n = sample->runs;
    result->value = sample->value[objective->at_least ? 0 : n - 1];
    if (result->within_count == n) {
        result->interval = (struct dj_bounds){0, 1 - pow(alpha, 1 / (double)n)};
        result->confidence = 1 - alpha;
    }
}

static enum dj_objective_state decide_state(const struct dj_objective *objective,
                                            const struct dj_objective_result *result,
                                            double alpha)
{
    size_t runs = result->runs + result->lacking;
    bool lacking = (double)result->lacking > LACKING_MOST * (double)runs;
    bool unseen = objective->metric == DJ_METRIC_FRAME_TIME_MAX &&
                  !(result->unseen_pct <= UNSEEN_MOST_PCT);
    if (objective->statistic == DJ_OBJECTIVE_WORST) {
        return result->within_count < result->runs ? DJ_OBJECTIVE_MISSED
               : lacking || unseen                 ? DJ_OBJECTIVE_UNDECIDED
                                                   : DJ_OBJECTIVE_MET;
    }
    return lacking                     ? DJ_OBJECTIVE_UNDECIDED
           : result->p_missed <= alpha ? DJ_OBJECTIVE_MISSED
           : unseen                    ? DJ_OBJECTIVE_UNDECIDED
           : result->p_met <= alpha    ? DJ_OBJECTIVE_MET
                                       : DJ_OBJECTIVE_UNDECIDED;
}

static void assess_statistic(const struct dj_objective *objective, struct sample *sample,
                             double alpha, struct dj_objective_result *result)
{
    for (size_t i = 0; i < sample->runs; i++) {
        result->within_count +=
            is_within_bound(objective, sample->value[i], result->bound);
    }
    if (objective->statistic == DJ_OBJECTIVE_MEAN) {
        assess_mean(objective, sample, alpha, result);
        return;
    }
    dj_order_sort(sample->value, sample->runs);
    if (objective->statistic == DJ_OBJECTIVE_MEDIAN) {
        assess_median(sample, alpha, result);
    } else {
        assess_worst(objective, sample, alpha, result);
    }
}

void dj_gate_objective_assess(const struct dj_objective *objective,
                              const struct dj_run_row *runs, size_t count, double alpha,
                              int64_t now_unix_ms, struct dj_objective_result *result)
{
    struct sample sample;
    *result = (struct dj_objective_result){
        .state = DJ_OBJECTIVE_NOT_MEASURED,
        .metric = choose_metric(objective, runs, count),
        .value = NAN,
        .interval = {-INFINITY, INFINITY},
        .p_met = NAN,
        .p_missed = NAN,
        .confidence = NAN,
        .goal_gap = NAN,
        .unseen_pct = NAN,
    };
    choose_bound(objective, now_unix_ms, result);
    add_runs(objective, runs, count, &sample, result);
    if (sample.runs > 0) {
        result->runs = sample.runs;
        if (sample.expected > 0) {
            result->unseen_pct =
                100 * fmax(sample.expected - sample.recovered, 0) / sample.expected;
        }
        assess_statistic(objective, &sample, alpha, result);
        result->state = decide_state(objective, result, alpha);
        if (!isnan(result->p_met)) {
            result->confidence = 1 - result->p_met;
        }
        if (!isnan(objective->goal)) {
            double gap = objective->at_least ? objective->goal - result->value
                                             : result->value - objective->goal;
            result->goal_gap = fmax(gap, 0);
        }
    }
    free(sample.value);
}
