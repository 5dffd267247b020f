#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "compare/compare_private.h"
#include "memory/memory.h"
#include "stats/mann_whitney.h"
#include "stats/spread.h"

enum { RUNS_FOR_DRIFT = 5, LEFT_OUT_NAMED = 3 };

static const double DRIFT_P = 0.01;

/* Appends a note if no difference of times can be significant. With n and m runs, p is at
 * least 2 / C(n + m, n). This can be above the alpha that Holm's method leaves for a
 * metric. */
static void append_least_p(const struct dj_comparison *comparison, struct dj_text *words)
{
    size_t n = comparison->a->run_count;
    size_t m = comparison->b->run_count;
    double least = dj_mann_whitney_least_p(n, m);
    size_t tests = 0;
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        tests += metric->member.gates && metric->metric->kind == DJ_EFFECT_RATIO &&
                 !dj_compare_refusal_drops_out(metric->member.effect.refusal);
    }
    double level = tests > 0 ? comparison->alpha / (double)tests : 1;
    if (n >= 2 && m >= 2 && least > level) {
        dj_text_format(words,
                       "; so few runs cannot prove a difference of times (p is at least "
                       "%.2g, and alpha for %zu metric%s is %.2g)",
                       least, tests, tests == 1 ? "" : "s", level);
    }
}

void dj_compare_warn_few_runs(struct dj_comparison *comparison)
{
    size_t n = comparison->a->run_count;
    size_t m = comparison->b->run_count;
    size_t less = n < m ? n : m;
    struct dj_text words = {0};
    if (less >= 10) {
        return;
    }
    dj_text_format(&words, "%zu against %zu runs are ", n, m);
    dj_text_add(&words, less < 2 ? "too few to distinguish a change from chance"
                        : less < DJ_EFFECT_RUNS_MIN ? "too few for a reliable verdict"
                                                    : "few");
    append_least_p(comparison, &words);
    dj_text_add(&words, "; dejank recommends ten or more per side");
    dj_compare_add_warning(comparison, DJ_WARNING_FEW_RUNS, &words);
}

void dj_compare_warn_unequal_runs(struct dj_comparison *comparison)
{
    if (comparison->a->run_count != comparison->b->run_count) {
        dj_compare_format_warning(comparison, DJ_WARNING_UNEQUAL,
                                  "the sides have unequal numbers of runs, so intervals "
                                  "are wider than with equal numbers");
    }
}

static bool is_same_cause(const char *a, const char *b)
{
    size_t length = a != NULL ? strcspn(a, ":") : 0;
    return a != NULL && b != NULL && strcspn(b, ":") == length &&
           strncmp(a, b, length) == 0;
}

/* Appends the causes of disturbances, each with the number of runs it disturbed: "load 3,
 * temperature 1". */
static void append_disturbances(const struct dj_side *side, struct dj_text *words)
{
    const char *between = "";
    for (size_t i = 0; i < side->run_count; i++) {
        const char *disturbed = side->runs[i].disturbed;
        size_t count = 0, first = i;
        for (size_t k = side->run_count; k > 0; k--) {
            if (is_same_cause(disturbed, side->runs[k - 1].disturbed)) {
                count++;
                first = k - 1;
            }
        }
        if (count > 0 && first == i) {
            char *cause = dj_xcopy(disturbed, strcspn(disturbed, ":"));
            dj_text_add(words, between);
            dj_text_append_escaped_name(words, cause);
            dj_text_format(words, " %zu", count);
            free(cause);
            between = ", ";
        }
    }
}

static size_t count_disturbed(const struct dj_side *side)
{
    size_t count = 0;
    for (size_t i = 0; i < side->run_count; i++) {
        count += side->runs[i].disturbed != NULL;
    }
    return count;
}

void dj_compare_warn_disturbed_runs(struct dj_comparison *comparison)
{
    struct dj_text words = {0};
    const char *between = "";
    for (int which = 0; which < 2; which++) {
        const struct dj_side *side = dj_compare_get_side(comparison, which);
        size_t count = count_disturbed(side);
        if (count > 0) {
            dj_text_format(&words, "%s%zu of %zu counted runs of %c were disturbed (",
                           between, count, side->run_count, 'A' + which);
            append_disturbances(side, &words);
            dj_text_add(&words, ")");
            between = ", ";
        }
    }
    if (between[0] != '\0') {
        dj_text_add(&words, ". The state of the device may have caused the difference");
        dj_compare_add_warning(comparison, DJ_WARNING_DISTURBED, &words);
    }
}

void dj_compare_warn_excluded_runs(struct dj_comparison *comparison)
{
    for (int which = 0; which < 2; which++) {
        const struct dj_side *side = dj_compare_get_side(comparison, which);
        struct dj_text words = {0};
        if (side->left_out_count == 0) {
            continue;
        }
        dj_text_format(&words, "%c: %zu %s not counted: ", 'A' + which,
                       side->left_out_count,
                       side->left_out_count == 1 ? "run is" : "runs are");
        for (size_t i = 0; i < side->left_out_count && i < LEFT_OUT_NAMED; i++) {
            dj_text_add(&words, i > 0 ? "; " : "");
            dj_text_append_escaped_name(&words, side->left_out[i].what);
            dj_text_add(&words, " (");
            dj_text_append_escaped_name(&words, side->left_out[i].why);
            dj_text_add(&words, ")");
        }
        dj_text_add(&words, side->left_out_count > LEFT_OUT_NAMED ? "; …" : "");
        dj_compare_add_warning(comparison, DJ_WARNING_LEFT_OUT, &words);
    }
}

static const struct dj_side_run *get_run(const struct dj_comparison *comparison, size_t i)
{
    const struct dj_side *a = comparison->a;
    return i < a->run_count ? &a->runs[i] : &comparison->b->runs[i - a->run_count];
}

static bool is_same_digest(const struct dj_side_run *a, const struct dj_side_run *b)
{
    return a->digest != NULL && b->digest != NULL && strcmp(a->digest, b->digest) == 0;
}

void dj_compare_warn_duplicates(struct dj_comparison *comparison)
{
    size_t count = comparison->a->run_count + comparison->b->run_count;
    size_t doubles = 0;
    struct dj_text words = {0};
    for (size_t i = 1; i < count; i++) {
        const struct dj_side_run *run = get_run(comparison, i);
        size_t k = 0;
        while (k < i && !is_same_digest(run, get_run(comparison, k))) {
            k++;
        }
        if (k < i && doubles++ == 0) {
            dj_text_append_name(&words, "", run->source, " has the same bytes as ");
            dj_text_append_escaped_name(&words, get_run(comparison, k)->source);
        }
    }
    if (doubles > 0) {
        dj_text_format(&words, "%s. Two measurements never have exactly the same bytes",
                       doubles > 1 ? ", and there are more such files" : "");
        dj_compare_add_warning(comparison, DJ_WARNING_DUPLICATE, &words);
    }
}

void dj_compare_warn_order(struct dj_comparison *comparison)
{
    struct dj_text words = {0};
    if (comparison->interleaving != DJ_ORDER_APART) {
        return;
    }
    dj_text_add(&words, "the runs of A and B did not alternate, so the difference may "
                        "also come from heat, load or the network");
    if (comparison->past_batches >= DJ_EFFECT_PAST_BATCHES_MIN) {
        dj_text_format(
            &words,
            ". The verdict takes this into account: it uses the spread between "
            "%zu earlier batches",
            comparison->past_batches);
    } else {
        dj_text_format(&words,
                       ". The verdict is at most 'likely': a certain verdict needs %d "
                       "earlier batches of the store, and %zu are known",
                       DJ_EFFECT_PAST_BATCHES_MIN, comparison->past_batches);
    }
    dj_compare_add_warning(comparison, DJ_WARNING_NOT_INTERLEAVED, &words);
}

static const struct dj_compare_metric *choose_drift_metric(const struct dj_side *side)
{
    struct dj_known_metrics known = {0};
    for (size_t i = 0; i < side->run_count; i++) {
        dj_metrics_known_add(&known, &side->runs[i].metrics);
    }
    return dj_compare_metric_find(
        dj_metrics_name(dj_metrics_choose(DJ_METRIC_FRAME_TIME_P50, &known)));
}

struct timed_value {
    double when, value;
};

static int compare_times(const void *one, const void *other)
{
    const struct timed_value *a = one, *b = other;
    return DJ_COMPARE(a->when, b->when);
}

/* Computes the rank correlation between the values of a metric and the order of the runs.
 * Returns false if the order or the correlation is unknown. */
static bool correlate(const struct dj_side *side, const struct dj_compare_metric *metric,
                      struct dj_spread_rank_correlation *found)
{
    size_t count = 0;
    double *when = dj_xcalloc(side->run_count, sizeof(*when));
    struct timed_value *timed_value = dj_xcalloc(side->run_count, sizeof(*timed_value));
    bool is_known = dj_compare_run_times(side, when);
    for (size_t i = 0; i < side->run_count && is_known; i++) {
        double value = side->runs[i].metrics.value[metric->value];
        if (isfinite(value)) {
            timed_value[count++] = (struct timed_value){when[i], value};
        }
    }
    is_known = is_known && count >= RUNS_FOR_DRIFT;
    if (is_known) {
        qsort(timed_value, count, sizeof(*timed_value), compare_times);
        for (size_t i = 0; i < count; i++) {
            when[i] = timed_value[i].value;
        }
        is_known = dj_xcode(dj_spread_compute_drift(when, count, found)) == 0;
    }
    free(when);
    free(timed_value);
    return is_known;
}

void dj_compare_warn_drift(struct dj_comparison *comparison)
{
    for (int which = 0; which < 2; which++) {
        const struct dj_side *side = dj_compare_get_side(comparison, which);
        const struct dj_compare_metric *metric = choose_drift_metric(side);
        struct dj_spread_rank_correlation found;
        if (correlate(side, metric, &found) && found.p <= DRIFT_P) {
            dj_compare_format_warning(
                comparison, DJ_WARNING_DRIFT,
                "%s of %c %s from run to run, as when a device warms up (Spearman's rho "
                "%+.2f, p %.2g)",
                metric->words, 'A' + which, found.rho > 0 ? "rises" : "falls", found.rho,
                found.p);
        }
    }
}

/* Returns whether a run of a batch has an earlier host time than a run with a smaller
 * index. */
static bool has_backward_times(const struct dj_side *side)
{
    for (size_t i = 1; i < side->run_count; i++) {
        const struct dj_side_run *before = &side->runs[i - 1];
        const struct dj_side_run *run = &side->runs[i];
        if (before->batch == run->batch && before->order_index >= 0 &&
            before->order_index < run->order_index && run->started_unix_ms > 0 &&
            run->started_unix_ms < before->started_unix_ms) {
            return true;
        }
    }
    return false;
}

void dj_compare_warn_clocks(struct dj_comparison *comparison)
{
    for (int which = 0; which < 2; which++) {
        if (has_backward_times(dj_compare_get_side(comparison, which))) {
            dj_compare_format_warning(comparison, DJ_WARNING_CLOCK,
                                      "the clock ran backwards between runs of %c, so "
                                      "the order of the runs is unknown",
                                      'A' + which);
        }
    }
    int64_t first_a = INT64_MAX, last_b = 0;
    for (size_t i = 0; i < comparison->a->run_count; i++) {
        int64_t at = comparison->a->runs[i].started_unix_ms;
        first_a = at > 0 && at < first_a ? at : first_a;
    }
    for (size_t i = 0; i < comparison->b->run_count; i++) {
        int64_t at = comparison->b->runs[i].started_unix_ms;
        last_b = at > last_b ? at : last_b;
    }
    if (last_b > 0 && last_b < first_a) {
        dj_compare_format_warning(comparison, DJ_WARNING_CLOCK,
                                  "B was measured before A, so B may be the older build");
    }
}
