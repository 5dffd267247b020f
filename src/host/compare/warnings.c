#include "compare/compare_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"

static const char *const names[DJ_WARNING_COUNT] = {
    [DJ_WARNING_FEW_RUNS] = "few-runs",
    [DJ_WARNING_NOT_INTERLEAVED] = "not-interleaved",
    [DJ_WARNING_DRIFT] = "thermal-drift",
    [DJ_WARNING_QUANTISED] = "quantised",
    [DJ_WARNING_DEVICE_MIX] = "device-mix",
    [DJ_WARNING_RELEASE] = "different-release",
    [DJ_WARNING_REFRESH] = "different-refresh-rate",
    [DJ_WARNING_UNITS] = "mixed-units",
    [DJ_WARNING_PROJECT] = "different-project",
    [DJ_WARNING_LEFT_OUT] = "runs-left-out",
    [DJ_WARNING_REFUSED] = "metric-left-out",
    [DJ_WARNING_DUPLICATE] = "duplicate",
    [DJ_WARNING_CLOCK] = "clock-order",
    [DJ_WARNING_OPPOSITE] = "opposite-verdicts",
    [DJ_WARNING_METRICS] = "different-metrics",
    [DJ_WARNING_UNEQUAL] = "unequal-runs",
    [DJ_WARNING_DISTURBED] = "disturbed-runs",
};

const char *dj_compare_warning_name(enum dj_compare_warning_id id)
{
    return names[id];
}

void dj_compare_add_warning(struct dj_comparison *comparison,
                            enum dj_compare_warning_id id, struct dj_text *words)
{
    DJ_XPUSH(comparison->warnings, comparison->warning_count,
             (struct dj_compare_warning){id, dj_xtext_detach(words)});
}

void dj_compare_format_warning(struct dj_comparison *comparison,
                               enum dj_compare_warning_id id, const char *format, ...)
{
    char words[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    DJ_XPUSH(comparison->warnings, comparison->warning_count,
             (struct dj_compare_warning){id, dj_xstrdup(words)});
}

const struct dj_side *dj_compare_get_side(const struct dj_comparison *comparison,
                                          int which)
{
    return which == 0 ? comparison->a : comparison->b;
}

static bool is_different(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) != 0;
}

/* A fact of a batch, or of the runs of a side without batches, and its warning. */
struct source_fact {
    size_t of_batch, of_run; /* Offsets of the texts. */
    enum dj_compare_warning_id id;
    const char *words;
};

/* Returns the fact of the i-th batch, or of the i-th run of a side without batches. */
static const char *get_text(const struct dj_side *side, size_t i,
                            const struct source_fact *fact)
{
    const char *record = side->batch_count > 0
                             ? (const char *)&side->batches[i] + fact->of_batch
                             : (const char *)&side->runs[i] + fact->of_run;
    return *(const char *const *)record;
}

/* Finds two batches or runs that differ in the fact. Returns false if all known texts are
 * equal, or if only one side has batches: files name devices and apps differently. */
static bool find_difference(const struct dj_comparison *comparison,
                            const struct source_fact *fact, const char **one,
                            const char **other)
{
    *one = NULL;
    if ((comparison->a->batch_count > 0) != (comparison->b->batch_count > 0)) {
        return false;
    }
    for (int which = 0; which < 2; which++) {
        const struct dj_side *side = dj_compare_get_side(comparison, which);
        size_t count = side->batch_count > 0 ? side->batch_count : side->run_count;
        for (size_t i = 0; i < count; i++) {
            *other = get_text(side, i, fact);
            if (is_different(*one, *other)) {
                return true;
            }
            *one = *one == NULL ? *other : *one;
        }
    }
    return false;
}

static void warn_of_facts(struct dj_comparison *comparison)
{
    static const struct source_fact all[] = {
        {offsetof(struct dj_batch_row, serial), offsetof(struct dj_side_run, device),
         DJ_WARNING_DEVICE_MIX, "the runs are from different devices"},
        {offsetof(struct dj_batch_row, release), offsetof(struct dj_side_run, release),
         DJ_WARNING_RELEASE, "the devices have different releases of the system"},
        {offsetof(struct dj_batch_row, project), offsetof(struct dj_side_run, app),
         DJ_WARNING_PROJECT, "the runs are from different apps (projects)"},
    };
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        const char *one;
        const char *other;
        struct dj_text words = {0};
        if (find_difference(comparison, &all[i], &one, &other)) {
            dj_text_format(&words, "%s: ", all[i].words);
            dj_text_append_escaped_name(&words, one);
            dj_text_add(&words, " and ");
            dj_text_append_escaped_name(&words, other);
            dj_compare_add_warning(comparison, all[i].id, &words);
        }
    }
}

/* Warns if the dumps have different dialects (formats of Android releases), because each
 * release has its own rule for jank. */
static void warn_of_dialects(struct dj_comparison *comparison)
{
    const char *first = NULL;
    for (int which = 0; which < 2; which++) {
        const struct dj_side *side = dj_compare_get_side(comparison, which);
        for (size_t i = 0; i < side->run_count; i++) {
            const char *release = side->runs[i].release;
            first = first == NULL ? release : first;
            if (is_different(first, release)) {
                dj_compare_format_warning(
                    comparison, DJ_WARNING_RELEASE,
                    "the dumps are from different releases, Android %.20s and %.20s. "
                    "Each release has its own rule for janky frames",
                    first, release);
                return;
            }
        }
    }
}

static const double REFRESH_OFF = 0.02, UNITS_APART = 200;

static void warn_of_refresh(struct dj_comparison *comparison)
{
    struct dj_center a;
    struct dj_center b;
    if (!dj_compare_side_center(comparison->a, DJ_METRIC_INTERVAL, &a) ||
        !dj_compare_side_center(comparison->b, DJ_METRIC_INTERVAL, &b)) {
        return;
    }
    double least = fmin(a.min, b.min);
    double most = fmax(a.max, b.max);
    if (most > least * (1 + REFRESH_OFF)) {
        dj_compare_format_warning(comparison, DJ_WARNING_REFRESH,
                                  "the displays have different refresh rates, %.4g and "
                                  "%.4g Hz, so the deadlines of frames differ",
                                  1e9 / most, 1e9 / least);
    }
}

static void warn_of_units(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        const struct dj_effect *effect = &metric->member.effect;
        if (metric->metric->kind == DJ_EFFECT_RATIO && metric->member.gates &&
            (effect->ratio > UNITS_APART || effect->ratio < 1 / UNITS_APART)) {
            dj_compare_format_warning(
                comparison, DJ_WARNING_UNITS,
                "mixed units? %s of B is %.4g times that of A. A and B probably have "
                "different units",
                metric->metric->words, effect->ratio);
            return;
        }
    }
}

static void warn_of_refused(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        enum dj_effect_refusal refusal = metric->member.effect.refusal;
        if (metric->member.gates && refusal != DJ_EFFECT_NO_REFUSAL &&
            refusal != DJ_EFFECT_FEW_RUNS) {
            dj_compare_format_warning(
                comparison,
                refusal == DJ_EFFECT_QUANTISED ? DJ_WARNING_QUANTISED
                                               : DJ_WARNING_REFUSED,
                "%s %s: %s", metric->metric->words,
                dj_compare_refusal_drops_out(refusal) ? "is excluded from the verdict"
                                                      : "is undecided",
                dj_compare_refusal_text(refusal));
        }
    }
}

/* Warns about ties that did not cause a refusal. Either all values are equal, or the
 * sides do not overlap. */
static void warn_of_ties(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        const struct dj_effect *effect = &metric->member.effect;
        if (metric->member.gates && metric->metric->kind == DJ_EFFECT_RATIO &&
            effect->refusal == DJ_EFFECT_NO_REFUSAL && effect->tie_share > 0.5) {
            dj_compare_format_warning(
                comparison, DJ_WARNING_QUANTISED, "%s is the same in %s",
                metric->metric->words,
                effect->ratio == 1
                    ? "all runs, as with a coarse clock. Small changes are not visible"
                    : "many runs, as with a coarse clock. A and B differ, but the amount "
                      "is uncertain");
        }
    }
}

static void warn_of_replaced(struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        if (metric->replaced_metric != NULL) {
            dj_compare_format_warning(comparison, DJ_WARNING_METRICS,
                                      "dejank compares %s instead of %s, because some "
                                      "runs lack the latter (the wait for the display "
                                      "was not recorded)",
                                      metric->metric->words,
                                      metric->replaced_metric->words);
            return;
        }
    }
}

static void warn_of_opposite(struct dj_comparison *comparison)
{
    if (comparison->overall.contradictory) {
        dj_compare_format_warning(comparison, DJ_WARNING_OPPOSITE,
                                  "some metrics are worse and others better, each by "
                                  "more than its margin, so the verdict is inconclusive");
    }
}

void dj_compare_add_warnings(struct dj_comparison *comparison)
{
    static void (*const all[])(struct dj_comparison * comparison) = {
        dj_compare_warn_few_runs,
        dj_compare_warn_disturbed_runs,
        dj_compare_warn_order,
        dj_compare_warn_drift,
        warn_of_opposite,
        warn_of_refused,
        warn_of_ties,
        warn_of_replaced,
        warn_of_units,
        warn_of_refresh,
        warn_of_dialects,
        warn_of_facts,
        dj_compare_warn_clocks,
        dj_compare_warn_unequal_runs,
        dj_compare_warn_duplicates,
        dj_compare_warn_excluded_runs,
    };
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        all[i](comparison);
    }
}
