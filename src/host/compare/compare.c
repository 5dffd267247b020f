#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare_private.h"
#include "memory/memory.h"

static const double ALPHA = 0.05;

static int check_runs(const struct dj_side *side, char which, struct dj_error *err)
{
    if (side->run_count > 0) {
        return 0;
    }
    const char *name = side->name != NULL ? side->name : "";
    if (side->left_out_count > 0) {
        return dj_error_set(
            err, DJ_E_NO_DATA,
            "side %c, %.100s: none of its %zu runs is valid; %.60s: %.120s", which, name,
            side->left_out_count, side->left_out[0].what, side->left_out[0].why);
    }
    return dj_error_set(err, DJ_E_NO_DATA, "side %c, %.100s, has no runs", which, name);
}

static int check_shared(const struct dj_side *a, const struct dj_side *b,
                        struct dj_error *err)
{
    for (size_t i = 0; i < a->batch_count; i++) {
        for (size_t k = 0; k < b->batch_count; k++) {
            if (strcmp(a->batches[i].id, b->batches[k].id) == 0) {
                return dj_error_set(err, DJ_E_USAGE,
                                    "A and B are the same batch, %s; a comparison needs "
                                    "two different batches",
                                    a->batches[i].id);
            }
        }
    }
    return 0;
}

static bool is_known(const struct dj_comparison_metric *metric, bool b)
{
    const struct dj_effect_side *side = b ? &metric->member.b : &metric->member.a;
    for (size_t i = 0; i < side->count; i++) {
        if (isfinite(side->value[i])) {
            return true;
        }
    }
    return false;
}

static bool is_known_to_both(const struct dj_comparison_metric *metric)
{
    return is_known(metric, false) && is_known(metric, true);
}

static void add_metric(struct dj_comparison *comparison,
                       const struct dj_compare_metric *what, double margin)
{
    struct dj_comparison_metric *metric =
        &comparison->metrics[comparison->metric_count++];
    const struct dj_side *sides[] = {comparison->a, comparison->b};
    struct dj_effect_side *into[] = {&metric->member.a, &metric->member.b};
    *metric = (struct dj_comparison_metric){
        .metric = what,
        .uses_replacement =
            dj_compare_metric_needs_replacement(comparison->a, comparison->b, what),
        .member.rules = {.kind = what->kind,
                         .more_is_better = what->more_is_better,
                         .margin = margin > 0 ? margin : what->margin,
                         .quantile = what->quantile,
                         .apart = comparison->interleaving == DJ_ORDER_APART},
    };
    for (int i = 0; i < 2; i++) {
        double *value;
        double *of;
        dj_compare_side_values(sides[i], what, metric->uses_replacement, &value, &of);
        *into[i] = (struct dj_effect_side){value, of, sides[i]->run_count};
    }
}

static void add_metrics(struct dj_comparison *comparison, double margin)
{
    size_t count = 0;
    while (dj_compare_metric(count) != NULL) {
        count++;
    }
    comparison->metrics = dj_xcalloc(count, sizeof(*comparison->metrics));
    for (size_t i = 0; i < count; i++) {
        add_metric(comparison, dj_compare_metric(i), margin);
    }
}

/* Returns the entry of a metric. Must be called before drop_unknown() removes some
 * entries, because the entries must have the order of dj_compare_metric(). */
static struct dj_comparison_metric *find_metric(struct dj_comparison *comparison,
                                                const struct dj_compare_metric *what)
{
    return &comparison->metrics[what - dj_compare_metric(0)];
}

/* Marks a metric as gating. If both sides know only its substitute, marks the
 * substitute. */
static void make_gating(struct dj_comparison *comparison,
                        const struct dj_compare_metric *what, double margin)
{
    struct dj_comparison_metric *metric = find_metric(comparison, what);
    const struct dj_compare_metric *substitute = dj_compare_metric_substitute(what);
    if (substitute != NULL) {
        struct dj_comparison_metric *other = find_metric(comparison, substitute);
        struct dj_known_metrics known = {0};
        known.known[what->value] = is_known_to_both(metric);
        known.known[substitute->value] = is_known_to_both(other);
        if (dj_metrics_choose(what->value, &known) == substitute->value) {
            other->replaced_metric = what;
            metric = other;
        }
    }
    metric->member.gates = true;
    metric->member.rules.margin = margin > 0 ? margin : metric->member.rules.margin;
}

/* Returns whether a metric that is always compared shows how long frames took, or how
 * many were janky. The frame rate does not. */
static bool is_of_frame_times(const struct dj_compare_metric *metric)
{
    return !metric->on_request &&
           (metric->quantile > 0 || metric->kind == DJ_EFFECT_SHARE);
}

/* If neither side knows frame times or jank, the metrics of presents that are known gate.
 * Returns whether there are any. */
static bool gate_presents(struct dj_comparison *comparison)
{
    bool gates = false;
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        if (is_of_frame_times(metric->metric) &&
            (is_known(metric, false) || is_known(metric, true))) {
            return false;
        }
    }
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        if (metric->metric->for_presents &&
            (is_known(metric, false) || is_known(metric, true))) {
            make_gating(comparison, metric->metric, 0);
            gates = true;
        }
    }
    return gates;
}

static void set_gates(struct dj_comparison *comparison,
                      const struct dj_compare_rules *rules)
{
    const struct dj_compare_metric *what;
    for (size_t i = 0; i < rules->gate_count; i++) {
        make_gating(comparison, rules->gates[i].metric, rules->gates[i].margin);
    }
    if (rules->gate_count > 0 || gate_presents(comparison)) {
        return;
    }
    for (size_t i = 0; (what = dj_compare_metric(i)) != NULL; i++) {
        if (what->gates) {
            make_gating(comparison, what, 0);
        }
    }
}

static void finish_metric(struct dj_comparison_metric *metric)
{
    free((double *)metric->member.a.value);
    free((double *)metric->member.a.of);
    free((double *)metric->member.b.value);
    free((double *)metric->member.b.of);
    free((double *)metric->past.log_centre);
}

/* Returns whether the metric measures the same quantity as another metric that both sides
 * know more precisely. Example: guide_total is superseded by frame times. */
static bool is_superseded(struct dj_comparison *comparison,
                          const struct dj_compare_metric *metric)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *other = &comparison->metrics[i];
        if (dj_compare_metric_substitute(other->metric) == metric) {
            return is_known_to_both(other);
        }
    }
    return false;
}

/* Removes the metrics that the caller did not request and that neither side knows. */
static void drop_unknown(struct dj_comparison *comparison)
{
    size_t count = comparison->metric_count;
    bool keep[DJ_COMPARE_METRICS_MAX] = {false};
    for (size_t i = 0; i < count; i++) {
        struct dj_comparison_metric *metric = &comparison->metrics[i];
        keep[i] = metric->member.gates ||
                  (!metric->metric->on_request &&
                   (is_known(metric, false) || is_known(metric, true)) &&
                   !is_superseded(comparison, metric->metric));
    }
    comparison->metric_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (keep[i]) {
            comparison->metrics[comparison->metric_count++] = comparison->metrics[i];
        } else {
            finish_metric(&comparison->metrics[i]);
        }
    }
}

static int check_common(const struct dj_comparison *comparison, struct dj_error *err)
{
    struct dj_text only[2] = {{0}, {0}};
    for (size_t i = 0; i < comparison->metric_count; i++) {
        if (is_known_to_both(&comparison->metrics[i])) {
            return 0;
        }
    }
    for (size_t i = 0; i < 2 * comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i / 2];
        struct dj_text *text = &only[i % 2];
        if (is_known(metric, i % 2 == 1)) {
            dj_text_format(text, "%s%s", text->length > 0 ? ", " : "",
                           metric->metric->name);
        }
    }
    int code = dj_error_set(
        err, DJ_E_NO_DATA, "A and B have no metric in common: A has %.120s, B has %.120s",
        only[0].length > 0 ? dj_text_get(&only[0]) : "none",
        only[1].length > 0 ? dj_text_get(&only[1]) : "none");
    dj_text_finish(&only[0]);
    dj_text_finish(&only[1]);
    return code;
}

/* Returns the size of an effect in multiples of the metric's margin. */
static double compute_weight(const struct dj_effect *effect)
{
    double margins = fabs(log(effect->ratio)) / log1p(effect->margin);
    return isfinite(margins) ? margins : 0;
}

/* Chooses the metric that the verdict names. This is the metric with the largest effect
 * among the metrics that have the verdict of the whole comparison. */
static void choose_leading(struct dj_comparison *comparison)
{
    double most = -1;
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_family_member *member = &comparison->metrics[i].member;
        bool agrees = member->gates &&
                      !dj_compare_refusal_drops_out(member->effect.refusal) &&
                      (member->effect.verdict == comparison->overall.verdict ||
                       comparison->overall.contradictory);
        if (agrees && compute_weight(&member->effect) > most) {
            most = compute_weight(&member->effect);
            comparison->leading = i;
        }
    }
}

static int judge_family(struct dj_comparison *comparison, struct dj_error *err)
{
    size_t count = comparison->metric_count;
    struct dj_family_member *members = dj_xcalloc(count, sizeof(*members));
    for (size_t i = 0; i < count; i++) {
        members[i] = comparison->metrics[i].member;
    }
    int code = dj_compare_family_judge(members, count, comparison->alpha,
                                       &comparison->overall, err);
    for (size_t i = 0; i < count; i++) {
        comparison->metrics[i].member = members[i];
    }
    comparison->runs_needed = comparison->overall.verdict == DJ_VERDICT_INCONCLUSIVE
                                  ? dj_compare_family_runs_needed(members, count)
                                  : NAN;
    free(members);
    choose_leading(comparison);
    return code;
}

static int check_rules(const struct dj_side *a, const struct dj_side *b,
                       const struct dj_compare_rules *rules, struct dj_error *err)
{
    int code = check_shared(a, b, err);
    if (code != 0 || (code = check_runs(a, 'A', err)) != 0 ||
        (code = check_runs(b, 'B', err)) != 0) {
        return code;
    }
    return rules->alpha < 0 || rules->alpha >= 0.5 || rules->margin < 0
               ? dj_error_set(err, DJ_E_USAGE,
                              "expected an alpha between 0 and 0.5 and a margin above 0, "
                              "found %g and %g",
                              rules->alpha, rules->margin)
               : 0;
}

int dj_compare_sides(const struct dj_side *a, const struct dj_side *b,
                     const struct dj_compare_rules *rules,
                     struct dj_comparison *comparison, struct dj_error *err)
{
    int code = check_rules(a, b, rules, err);
    if (code != 0) {
        return code;
    }
    comparison->a = a;
    comparison->b = b;
    comparison->alpha = rules->alpha > 0 ? rules->alpha : ALPHA;
    comparison->interleaving = dj_compare_find_interleaving(a, b);
    add_metrics(comparison, rules->margin);
    set_gates(comparison, rules);
    drop_unknown(comparison);
    code = check_common(comparison, err);
    if (code == 0 && comparison->interleaving == DJ_ORDER_APART) {
        code = dj_compare_read_past(comparison, rules->history, err);
    }
    if (code != 0 || (code = judge_family(comparison, err)) != 0 ||
        (code = dj_compare_compute_shift(comparison)) != 0) {
        return code;
    }
    dj_compare_add_findings(comparison);
    dj_compare_add_warnings(comparison);
    return 0;
}

void dj_compare_comparison_finish(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        finish_metric(&comparison->metrics[i]);
    }
    for (size_t i = 0; i < comparison->warning_count; i++) {
        free(comparison->warnings[i].text);
    }
    free(comparison->metrics);
    free(comparison->warnings);
    *comparison = (struct dj_comparison){0};
}
