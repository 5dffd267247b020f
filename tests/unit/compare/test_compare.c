#include "compare/compare.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 10 };

/* Returns the figures of a run with 600 frames. All frame times are near `ms`, and
 * `janky` frames are janky. */
static struct dj_metrics figures(double ms, double janky)
{
    static const struct {
        enum dj_metric metric;
        double share;
    } times[] = {{DJ_METRIC_FRAME_TIME_P50, 1},    {DJ_METRIC_FRAME_TIME_P90, 1.5},
                 {DJ_METRIC_FRAME_TIME_P95, 1.8},  {DJ_METRIC_FRAME_TIME_P99, 2.5},
                 {DJ_METRIC_FRAME_TIME_MEAN, 1.1}, {DJ_METRIC_GUIDE_TOTAL_P50, 1.2},
                 {DJ_METRIC_GUIDE_TOTAL_P95, 2}};
    struct dj_metrics metrics;
    dj_metrics_clear(&metrics);
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        metrics.value[times[i].metric] = ms * 1e6 * times[i].share;
    }
    metrics.value[DJ_METRIC_ROWS_USABLE] = 600;
    metrics.value[DJ_METRIC_FRAMES] = 600;
    metrics.value[DJ_METRIC_JANKY_FRAMES] = janky;
    return metrics;
}

static void add(struct dj_side *side, const struct dj_metrics *metrics)
{
    struct dj_side_run run = {.metrics = *metrics,
                              .order_index = -1,
                              .number = (int64_t)side->run_count + 1,
                              .source = "made"};
    dj_compare_side_add_run(side, &run);
}

/* Adds ten runs with frame times near `ms` to a side. Another `seed` gives other runs. */
static struct dj_side make_side(const char *name, double ms, double janky, int seed)
{
    struct dj_side side = {0};
    dj_compare_side_set_name(&side, name);
    for (int i = 0; i < RUNS; i++) {
        double noise = 1 + 0.002 * ((i * seed) % 11 - 5);
        struct dj_metrics metrics = figures(ms * noise, janky + i % 3);
        add(&side, &metrics);
    }
    return side;
}

static struct dj_comparison compare(const struct dj_side *a, const struct dj_side *b,
                                    const struct dj_compare_rules *rules)
{
    static const struct dj_compare_rules usual = {0};
    struct dj_comparison comparison = {0};
    struct dj_error err = {0};
    int code = dj_compare_sides(a, b, rules != NULL ? rules : &usual, &comparison, &err);
    cr_assert_eq(code, 0, "%s", err.message);
    return comparison;
}

static const struct dj_comparison_metric *metric(const struct dj_comparison *comparison,
                                                 const char *name)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        if (strcmp(comparison->metrics[i].metric->name, name) == 0) {
            return &comparison->metrics[i];
        }
    }
    return NULL;
}

static bool warned(const struct dj_comparison *comparison, enum dj_compare_warning_id id)
{
    for (size_t i = 0; i < comparison->warning_count; i++) {
        if (comparison->warnings[i].id == id) {
            return true;
        }
    }
    return false;
}

static void expect_words(const struct dj_comparison *comparison, const char *part)
{
    struct dj_text words = {0};
    dj_compare_format_verdict(comparison, &words);
    cr_assert(strstr(dj_text_get(&words), part) != NULL, "'%s' is not in '%s'", part,
              dj_text_get(&words));
    dj_text_finish(&words);
}

Test(compare, slower_build_is_a_regression)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 11.4, 20, 5);
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_assert_eq(comparison.overall.verdict, DJ_VERDICT_REGRESSION);
    cr_assert_eq(comparison.overall.gating, 3);
    cr_assert(isnan(comparison.runs_needed));
    cr_assert_eq(metric(&comparison, "jank_rate")->member.effect.refusal,
                 DJ_EFFECT_NO_REFUSAL);
    cr_assert(metric(&comparison, "frame_time_p95")->member.gates);
    cr_assert_not(metric(&comparison, "frame_time_p90")->member.gates);
    cr_assert_null(metric(&comparison, "guide_total_p50"),
                   "frame times are more precise");
    cr_assert_null(metric(&comparison, "stage_app_p95"), "no run has it");
    cr_assert_eq(comparison.warning_count, 0);
    expect_words(&comparison, "B renders slower: p");
    expect_words(&comparison, "+14 % (98.3 % CI +");
    expect_words(&comparison, "10 vs 10 runs");
    dj_compare_comparison_finish(&comparison);
    comparison = compare(&b, &a, NULL);
    cr_assert_eq(comparison.overall.verdict, DJ_VERDICT_IMPROVEMENT);
    expect_words(&comparison, "B renders faster: p");
    expect_words(&comparison, "−12 % (98.3 % CI −");
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, more_jank_is_reported_as_jank)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 10, 60, 5);
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_assert_eq(comparison.overall.verdict, DJ_VERDICT_REGRESSION);
    expect_words(&comparison, "B renders more janky frames: jank rate +");
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, slower_with_less_jank_is_inconclusive)
{
    struct dj_side a = make_side("a", 10, 60, 3), b = make_side("b", 12, 10, 5);
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_assert_eq(comparison.overall.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert(warned(&comparison, DJ_WARNING_OPPOSITE));
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, frame_times_decide_without_jank)
{
    struct dj_side a = make_side("a", 10, 0, 3), b = make_side("b", 10.01, 0, 5);
    for (int i = 0; i < RUNS; i++) {
        a.runs[i].metrics.value[DJ_METRIC_JANKY_FRAMES] = 0;
        b.runs[i].metrics.value[DJ_METRIC_JANKY_FRAMES] = i == 0;
    }
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_assert_eq(comparison.overall.verdict, DJ_VERDICT_EQUIVALENT);
    cr_assert_eq(comparison.overall.dropped, 1);
    cr_assert(warned(&comparison, DJ_WARNING_REFUSED));
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, guide_total_gates_if_a_side_lacks_frame_times)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 12, 20, 5);
    for (int i = 0; i < RUNS; i++) {
        b.runs[i].metrics.value[DJ_METRIC_FRAME_TIME_P50] = NAN;
        b.runs[i].metrics.value[DJ_METRIC_JANKY_FRAMES] = NAN;
    }
    struct dj_comparison comparison = compare(&a, &b, NULL);
    const struct dj_comparison_metric *p50 = metric(&comparison, "guide_total_p50");
    cr_assert(p50->member.gates);
    cr_assert_str_eq(p50->replaced_metric->name, "frame_time_p50");
    cr_assert(metric(&comparison, "frame_time_p95")->member.gates, "both sides have it");
    cr_assert_eq(metric(&comparison, "jank_rate")->member.effect.refusal,
                 DJ_EFFECT_UNKNOWN);
    cr_assert_eq(comparison.overall.gating, 2);
    cr_assert(warned(&comparison, DJ_WARNING_METRICS));
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, both_sides_count_jank_the_same_way)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 10, 20, 5);
    for (int i = 0; i < RUNS; i++) {
        a.runs[i].metrics.value[DJ_METRIC_ROWS_JANKY] = 7;
        a.runs[i].metrics.value[DJ_METRIC_ROWS_JUDGED] = 100;
        b.runs[i].metrics.value[DJ_METRIC_ROWS_JANKY] = 7;
        b.runs[i].metrics.value[DJ_METRIC_ROWS_JUDGED] = 100;
    }
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_assert_not(metric(&comparison, "jank_rate")->uses_replacement);
    dj_compare_comparison_finish(&comparison);
    b.runs[3].metrics.value[DJ_METRIC_JANKY_FRAMES] = NAN;
    comparison = compare(&a, &b, NULL);
    cr_assert(metric(&comparison, "jank_rate")->uses_replacement);
    cr_assert_float_eq(metric(&comparison, "jank_rate")->member.effect.a, 0.07, 1e-12);
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, only_requested_metrics_gate)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 11, 20, 5);
    const struct dj_compare_gate gates[] = {
        {dj_compare_metric_find("p90"), 0.5},
        {dj_compare_metric_find("frame_time_p99_ns"), 0}};
    struct dj_compare_rules rules = {.gates = gates, .gate_count = 2, .margin = 0.3};
    struct dj_comparison comparison = compare(&a, &b, &rules);
    cr_assert_eq(comparison.overall.gating, 1);
    cr_assert_eq(comparison.overall.dropped, 1, "600 frames are too few for p99");
    cr_assert_eq(metric(&comparison, "frame_time_p90")->member.effect.margin, 0.5);
    cr_assert_eq(metric(&comparison, "frame_time_p50")->member.effect.margin, 0.3);
    cr_assert_eq(comparison.overall.verdict, DJ_VERDICT_EQUIVALENT);
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

/* ---- no comparison ---- */

static void expect_refusal(const struct dj_side *a, const struct dj_side *b, int code,
                           const char *part)
{
    const struct dj_compare_rules usual = {0};
    struct dj_comparison comparison = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_compare_sides(a, b, &usual, &comparison, &err), code, "%s",
                 err.message);
    cr_assert(strstr(err.message, part) != NULL, "%s", err.message);
    dj_compare_comparison_finish(&comparison);
}

Test(compare, sides_without_runs_or_common_metrics_are_refused)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 10, 20, 5);
    struct dj_side none = {.name = "nothing"};
    expect_refusal(&a, &none, DJ_E_NO_DATA, "side B, nothing, has no runs");
    dj_compare_side_exclude(&none, "run 1", "too hot");
    expect_refusal(&none, &a, DJ_E_NO_DATA, "run 1: too hot");
    for (int i = 0; i < RUNS; i++) {
        dj_metrics_clear(&b.runs[i].metrics);
        b.runs[i].metrics.value[DJ_METRIC_FRAME_RATE] = 60 + i;
    }
    expect_refusal(&a, &b, DJ_E_NO_DATA, "no metric in common");
    expect_refusal(&a, &b, DJ_E_NO_DATA, "B has frame_rate");
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
    dj_compare_side_finish(&none);
}

Test(compare, one_run_per_side_is_no_error)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = {0};
    struct dj_metrics metrics = figures(12, 30);
    add(&b, &metrics);
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_assert_eq(comparison.overall.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_assert_geq(comparison.runs_needed, 5);
    cr_assert(warned(&comparison, DJ_WARNING_FEW_RUNS));
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

/* ---- in turn or apart ---- */

/* Sets the start times of all runs from a pattern. "ABBA" means that a run of A is
 * followed by two runs of B and one of A. */
static void set_times(struct dj_side *a, struct dj_side *b, const char *pattern,
                      bool device)
{
    size_t at[2] = {0, 0};
    for (int i = 0; pattern[i] != '\0'; i++) {
        struct dj_side *side = pattern[i] == 'A' ? a : b;
        struct dj_side_run *run = &side->runs[at[pattern[i] == 'B']++];
        run->started_unix_ms = device ? 0 : 1000 * (i + 1);
        run->span = device ? (struct dj_span){1000 * (i + 1), 1000 * (i + 1) + 900}
                           : (struct dj_span){0};
    }
    a->run_count = at[0];
    b->run_count = at[1];
}

Test(compare, order_of_runs_shows_interleaving)
{
    static const struct {
        const char *pattern;
        enum dj_interleaving order;
    } cases[] = {
        {"AAAAAAAAAABBBBBBBBBB", DJ_ORDER_APART},
        {"BBBBBAAAAA", DJ_ORDER_APART},
        {"ABBAABBAABBA", DJ_ORDER_INTERLEAVED},
        {"ABABABABABABABABABAB", DJ_ORDER_INTERLEAVED},
        {"AABB", DJ_ORDER_APART},
        {"ABAB", DJ_ORDER_INTERLEAVED},
        {"AAAAAB", DJ_ORDER_UNKNOWN}, /* One run has no order. */
        {"AAAAABBBBBBBBBBAAAAA", DJ_ORDER_APART},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int device = 0; device < 2; device++) {
            struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 10, 20, 5);
            set_times(&a, &b, cases[i].pattern, device == 1);
            cr_assert_eq(dj_compare_find_interleaving(&a, &b), cases[i].order, "%s",
                         cases[i].pattern);
            cr_assert_eq(dj_compare_find_interleaving(&b, &a), cases[i].order);
            a.run_count = b.run_count = RUNS;
            dj_compare_side_finish(&a);
            dj_compare_side_finish(&b);
        }
    }
}

Test(compare, overlapping_or_incomplete_clocks_are_ignored)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 10, 20, 5);
    set_times(&a, &b, "AAAAAAAAAABBBBBBBBBB", true);
    b.runs[0].span.start_ns = a.runs[9].span.start_ns + 10;
    cr_assert_eq(dj_compare_find_interleaving(&a, &b), DJ_ORDER_UNKNOWN);
    set_times(&a, &b, "AAAAAAAAAABBBBBBBBBB", true);
    b.runs[4].span = (struct dj_span){0};
    cr_assert_eq(dj_compare_find_interleaving(&a, &b), DJ_ORDER_UNKNOWN);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, separate_sides_are_capped_without_earlier_batches)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 12, 20, 5);
    set_times(&a, &b, "AAAAAAAAAABBBBBBBBBB", false);
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_assert_eq(comparison.overall.verdict, DJ_VERDICT_LIKELY_REGRESSION);
    cr_assert(warned(&comparison, DJ_WARNING_NOT_INTERLEAVED));
    expect_words(&comparison, "B probably renders slower");
    expect_words(&comparison, "not interleaved");
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

/* ---- what there is to compare ---- */

Test(compare, metric_names_are_unique)
{
    const struct dj_compare_metric *one;
    size_t gates = 0;
    for (size_t i = 0; (one = dj_compare_metric(i)) != NULL; i++) {
        cr_assert_eq(dj_compare_metric_find(one->name), one);
        cr_assert_gt(one->margin, 0);
        cr_assert_gt(one->factor, 0);
        cr_assert_eq(dj_compare_metric_substitute(one) != NULL,
                     dj_metrics_substitute(one->value) != one->value, "%s", one->name);
        gates += one->gates;
        cr_assert_eq(one->more_is_better,
                     dj_metrics_direction(one->value) == DJ_METRIC_MORE);
    }
    cr_assert_eq(gates, 3);
    cr_assert_null(dj_compare_metric_find("speed"));
    cr_assert_null(dj_compare_metric_find(""));
    cr_assert_str_eq(dj_compare_metric_find("jank")->name, "jank_rate");
    for (int id = 0; id < DJ_WARNING_COUNT; id++) {
        cr_assert_not_null(dj_compare_warning_name((enum dj_compare_warning_id)id));
    }
}

Test(compare, disturbed_runs_cause_a_warning)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 10, 20, 5);
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_assert_not(warned(&comparison, DJ_WARNING_DISTURBED));
    dj_compare_comparison_finish(&comparison);
    b.runs[1].disturbed = "load: other programs kept the CPUs 95 % busy before the run";
    b.runs[2].disturbed = "load: other programs kept the CPUs 81 % busy before the run";
    b.runs[3].disturbed = "power: it was plugged in in the run";
    comparison = compare(&a, &b, NULL);
    cr_assert(warned(&comparison, DJ_WARNING_DISTURBED));
    for (size_t i = 0; i < comparison.warning_count; i++) {
        if (comparison.warnings[i].id == DJ_WARNING_DISTURBED) {
            char expected[80];
            snprintf(expected, sizeof(expected),
                     "3 of %zu counted runs of B were disturbed (load 2, power 1)",
                     b.run_count);
            cr_assert(strstr(comparison.warnings[i].text, expected) != NULL, "%s",
                      comparison.warnings[i].text);
        }
    }
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, files_of_different_apps_or_devices_cause_a_warning)
{
    struct dj_side a = make_side("a", 10, 20, 3), b = make_side("b", 10, 20, 5);
    for (size_t i = 0; i < a.run_count; i++) {
        a.runs[i].app = "com.example.mail";
        b.runs[i].app = i > 0 ? "com.example.mail" : NULL;
        a.runs[i].device = "Pixel 7";
    }
    struct dj_comparison comparison = compare(&a, &b, NULL);
    cr_expect_not(warned(&comparison, DJ_WARNING_PROJECT), "an unknown app is no other");
    cr_expect_not(warned(&comparison, DJ_WARNING_DEVICE_MIX));
    dj_compare_comparison_finish(&comparison);
    b.runs[0].app = "com.example.shop";
    b.runs[9].device = "Pixel 4";
    comparison = compare(&a, &b, NULL);
    cr_expect(warned(&comparison, DJ_WARNING_PROJECT));
    cr_expect(warned(&comparison, DJ_WARNING_DEVICE_MIX));
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&a);
    dj_compare_side_finish(&b);
}

Test(compare, changes_are_printed_without_exponent)
{
    static const struct {
        double ratio;
        const char *words;
    } cases[] = {{11.8, "+1080"},    {1.14, "+14"},    {0.9969, "-0.31"},
                 {1.0000001, "+0"},  {10.994, "+999"}, {10.996, "+1000"},
                 {1e6, "+99999900"}, {INFINITY, "+∞"}, {NAN, "unknown"}};
    struct dj_text text = {0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dj_text_clear(&text);
        dj_compare_format_change(&text, cases[i].ratio);
        cr_expect_str_eq(dj_text_get(&text), cases[i].words);
    }
    dj_text_finish(&text);
}
