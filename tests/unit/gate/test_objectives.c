#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "gate/objectives.h"

enum { RUNS = 40 };

/* 2026-11-22 00:00 UTC. */
static const int64_t NOW_MS = INT64_C(1795305600000);

static struct dj_run_row runs[RUNS];
static struct dj_objectives objectives;
static struct dj_objective_result result;

static void make_runs(enum dj_metric metric, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        runs[i] = (struct dj_run_row){.number = (int64_t)i + 1, .outcome = DJ_RUN_OK};
        dj_metrics_clear(&runs[i].metrics);
        runs[i].metrics.value[metric] = values[i];
    }
}

static const struct dj_objective *parse(const char *words)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_gate_objective_parse(words, &objectives, &err), 0, "%s", err.message);
    return &objectives.objective[objectives.count - 1];
}

static enum dj_objective_state assess(const char *words, size_t count)
{
    dj_gate_objective_assess(parse(words), runs, count, 0.05, NOW_MS, &result);
    return result.state;
}

/* ---- the median: exact, by the signs ---- */

/* P(Bin(10, ½) ≥ 9) = 11/1024 is small enough. P(Bin(10, ½) ≥ 8) = 56/1024 is not. */
Test(objectives, nine_of_ten_runs_meet_a_median_and_eight_do_not_decide)
{
    const double ms[] = {15, 15.1, 15.2, 15.3, 15.4, 15.5, 15.6, 15.7, 15.8, 17};
    double ns[10];
    for (size_t i = 0; i < 10; i++) {
        ns[i] = ms[i] * 1e6;
    }
    make_runs(DJ_METRIC_FRAME_TIME_P95, ns, 10);
    cr_expect_eq(assess("p95 <= 16.7 ms", 10), DJ_OBJECTIVE_MET);
    cr_expect_float_eq(result.p_met, 11.0 / 1024, 1e-12);
    cr_expect_float_eq(result.p_missed, 1023.0 / 1024, 1e-12);
    cr_expect_float_eq(result.confidence, 1 - 11.0 / 1024, 1e-12);
    cr_expect_eq(result.within_count, 9);
    cr_expect_float_eq(result.value, 15.45e6, 1);
    /* 2 P(Bin ≤ 1) = 22/1024 ≤ .05 < 2 P(Bin ≤ 2), so the bounds are the second values
     * from either end. */
    cr_expect_eq(result.interval.low, ns[1]);
    cr_expect_eq(result.interval.high, ns[8]);
    cr_expect_eq(assess("p95 <= 15.75 ms", 10), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_float_eq(result.p_met, 56.0 / 1024, 1e-12);
    /* One of ten runs keeps the bound. */
    cr_expect_eq(assess("p95 <= 15 ms", 10), DJ_OBJECTIVE_MISSED);
    cr_expect_float_eq(result.p_missed, 11.0 / 1024, 1e-12);
    /* Three of ten runs keep the bound. */
    cr_expect_eq(assess("p95 <= 15.2 ms", 10), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_float_eq(result.p_missed, 176.0 / 1024, 1e-12);
    dj_gate_objectives_finish(&objectives);
}

Test(objectives, few_runs_decide_nothing)
{
    const double rates[] = {60, 60, 60, 60, 60};
    make_runs(DJ_METRIC_FRAME_RATE, rates, 5);
    cr_expect_eq(assess("frame_rate_hz >= 58 Hz", 4), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_float_eq(result.p_met, 1.0 / 16, 1e-12);
    cr_expect(isinf(result.interval.low) && isinf(result.interval.high));
    /* P(Bin(5, ½) ≥ 5) = 1/32. */
    cr_expect_eq(assess("frame_rate_hz >= 58 Hz", 5), DJ_OBJECTIVE_MET);
    cr_expect_eq(assess("frame_rate_hz >= 61 Hz", 5), DJ_OBJECTIVE_MISSED);
    cr_expect_eq(assess("frame_rate_hz >= 58 Hz", 0), DJ_OBJECTIVE_NOT_MEASURED);
    cr_expect(isnan(result.value));
    dj_gate_objectives_finish(&objectives);
}

/* ---- shares ---- */

/* The value is 100 − janky_pct, so the direction of the bound is reversed. */
Test(objectives, smooth_is_100_percent_minus_janky)
{
    double pct[10];
    for (size_t i = 0; i < 10; i++) {
        pct[i] = i == 0 ? 12 : 1;
    }
    make_runs(DJ_METRIC_JANKY_PCT, pct, 10);
    cr_expect_eq(assess("smooth_pct >= 98 %", 10), DJ_OBJECTIVE_MET);
    cr_expect_eq(result.value, 99);
    cr_expect_eq(assess("jank <= 2 %", 10), DJ_OBJECTIVE_MET);
    cr_expect_eq(assess("smooth >= 99.5 %", 10), DJ_OBJECTIVE_MISSED);
    dj_gate_objectives_finish(&objectives);
}

static void make_shares(const double *janky, double frames, size_t count)
{
    double pct[RUNS] = {0};
    for (size_t i = 0; i < count; i++) {
        pct[i] = 100 * janky[i] / frames;
    }
    make_runs(DJ_METRIC_JANKY_PCT, pct, count);
    for (size_t i = 0; i < count; i++) {
        runs[i].metrics.value[DJ_METRIC_JANKY_FRAMES] = janky[i];
        runs[i].metrics.value[DJ_METRIC_FRAMES] = frames;
    }
}

/* A hand calculation. Two runs of 100 frames have 8 and 12 janky frames, so the rate
 * is .1. With ½ added, J⁺ = 20.5. The residuals −2 and 2 give the variance 2 · 8 /
 * 20.5² = .038073. This is below the smallest possible variance 1 / 20.5 = .048780, so
 * that one is used, and the standard error is .220863. With one degree of freedom,
 * t(.975) = 12.706205, so the interval is 10.25 % · exp(±2.80633) = .61941 … 169.6,
 * limited to 100. */
Test(objectives, a_mean_share_is_clustered_by_runs)
{
    const double janky[] = {8, 12};
    make_shares(janky, 100, 2);
    cr_expect_eq(assess("janky_pct <= 20 % mean", 2), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_float_eq(result.value, 10, 1e-12);
    cr_expect_float_eq(result.interval.low, 0.61941, 2e-4);
    cr_expect_eq(result.interval.high, 100);
    /* t = ln(20/10.25)/.220863 = 3.02655: P(T₁ > t) = ½ − atan(t)/π = .10160. */
    cr_expect_float_eq(result.p_met, 0.5 - atan(3.026551) / acos(-1), 1e-4);
    cr_expect_float_eq(result.p_met + result.p_missed, 1, 1e-12);
    dj_gate_objectives_finish(&objectives);
}

/* Runs that differ much carry less information than the number of their frames suggests.
 * Pooled, 1000 of 10 000 frames would be 10 % ± .6. */
Test(objectives, spread_between_runs_counts)
{
    const double janky[] = {0, 0, 0, 0, 0, 200, 200, 200, 200, 200};
    make_shares(janky, 1000, 10);
    cr_expect_eq(assess("janky_pct <= 12 % mean", 10), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_lt(result.interval.low, 6);
    cr_expect_gt(result.interval.high, 16);
    cr_expect_eq(assess("smooth_pct >= 50 % mean", 10), DJ_OBJECTIVE_MET);
    cr_expect_float_eq(result.value, 90, 1e-9);
    cr_expect_lt(result.interval.low, 90);
    dj_gate_objectives_finish(&objectives);
}

Test(objectives, zero_jank_can_be_missed_but_not_met)
{
    const double none[10] = {0};
    const double one[10] = {1};
    make_shares(none, 500, 10);
    cr_expect_eq(assess("janky_pct <= 0 % mean", 10), DJ_OBJECTIVE_UNDECIDED);
    make_shares(one, 500, 10);
    cr_expect_eq(assess("janky_pct <= 0 % mean", 10), DJ_OBJECTIVE_MISSED);
    dj_gate_objectives_finish(&objectives);
}

/* ---- means ---- */

/* A hand calculation. 10, 12 and 14 ms have the mean 12, the standard deviation 2 and
 * the standard error 1.154701. With t₂(.975) = 4.302653 the interval is 12 ± 4.968276.
 * At 17 ms, t = 4.330127 and P(T₂ > t) = ½ (1 − t/√(2 + t²)) = .024704. */
Test(objectives, mean_uses_students_t)
{
    const double ns[] = {10e6, 12e6, 14e6};
    make_runs(DJ_METRIC_FRAME_TIME_MEAN, ns, 3);
    cr_expect_eq(assess("frame_time_mean_ns <= 17 ms mean", 3), DJ_OBJECTIVE_MET);
    cr_expect_float_eq(result.interval.low, (12 - 4.968276) * 1e6, 10);
    cr_expect_float_eq(result.interval.high, (12 + 4.968276) * 1e6, 10);
    cr_expect_float_eq(result.p_met, 0.024704, 1e-5);
    cr_expect_eq(assess("frame_time_mean_ns <= 15 ms mean", 3), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_eq(assess("frame_time_mean_ns >= 30 ms mean", 3), DJ_OBJECTIVE_MISSED);
    cr_expect_eq(assess("frame_time_mean_ns <= 15 ms mean", 1), DJ_OBJECTIVE_UNDECIDED);
    cr_expect(isnan(result.p_met));
    dj_gate_objectives_finish(&objectives);
}

/* ---- the worst run ---- */

static void make_longest(const double *ms, size_t count, double expected,
                         double recovered)
{
    double ns[RUNS] = {0};
    for (size_t i = 0; i < count; i++) {
        ns[i] = ms[i] * 1e6;
    }
    make_runs(DJ_METRIC_FRAME_TIME_MAX, ns, count);
    for (size_t i = 0; i < count; i++) {
        runs[i].metrics.value[DJ_METRIC_EXPECTED] = expected;
        runs[i].metrics.value[DJ_METRIC_RECOVERED] = recovered;
    }
}

Test(objectives, one_long_frame_breaks_a_worst_bound)
{
    const double fine[] = {100, 200, 300, 699, 100, 90, 80, 70, 60, 50};
    const double broken[] = {100, 200, 300, 701, 100, 90, 80, 70, 60, 50};
    make_longest(fine, 10, 600, 600);
    cr_expect_eq(assess("max <= 700 ms worst", 10), DJ_OBJECTIVE_MET);
    cr_expect_float_eq(result.interval.high, 1 - pow(0.05, 0.1), 1e-12); /* 25.9 % */
    /* The longest frame is observed, so there is no test. */
    cr_expect(isnan(result.p_missed));
    make_longest(broken, 10, 600, 600);
    cr_expect_eq(assess("max <= 700 ms worst", 10), DJ_OBJECTIVE_MISSED);
    cr_expect_eq(result.value, 701e6);
    dj_gate_objectives_finish(&objectives);
}

/* The longest frame may be one of the unseen frames. */
Test(objectives, unseen_frames_leave_the_longest_undecided)
{
    const double fine[] = {100, 200, 300};
    make_longest(fine, 3, 600, 590);
    cr_expect_eq(assess("max <= 700 ms worst", 3), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_float_eq(result.unseen_pct, 100.0 / 60, 1e-9);
    make_longest(fine, 3, 600, 597);
    cr_expect_eq(assess("max <= 700 ms worst", 3), DJ_OBJECTIVE_MET);
    make_longest(fine, 3, NAN, NAN);
    cr_expect_eq(assess("max <= 700 ms worst", 3), DJ_OBJECTIVE_UNDECIDED);
    dj_gate_objectives_finish(&objectives);
}

/* ---- what counts ---- */

Test(objectives, invalid_runs_and_runs_without_the_metric_are_ignored)
{
    double rates[12];
    for (size_t i = 0; i < 12; i++) {
        rates[i] = 60;
    }
    make_runs(DJ_METRIC_FRAME_RATE, rates, 12);
    runs[0].warmup = true;
    runs[0].metrics.value[DJ_METRIC_FRAME_RATE] = 1;
    runs[1].excluded = "by hand";
    cr_expect_eq(assess("frame_rate_hz >= 58", 12), DJ_OBJECTIVE_MET);
    cr_expect_eq(result.runs, 10);
    runs[2].metrics.value[DJ_METRIC_FRAME_RATE] = NAN;
    /* One of ten runs lacks the metric. */
    cr_expect_eq(assess("frame_rate_hz >= 58", 12), DJ_OBJECTIVE_MET);
    runs[3].metrics.value[DJ_METRIC_FRAME_RATE] = NAN;
    cr_expect_eq(assess("frame_rate_hz >= 58", 12), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_eq(result.lacking, 2);
    dj_gate_objectives_finish(&objectives);
}

/* ---- dates and goals ---- */

Test(objectives, future_date_is_not_due)
{
    const double rates[] = {50, 50, 50, 50, 50};
    make_runs(DJ_METRIC_FRAME_RATE, rates, 5);
    cr_expect_eq(assess("frame_rate_hz >= 58 by 2027-03-31", 5), DJ_OBJECTIVE_MISSED);
    cr_expect_not(result.due);
    /* The day is not over. */
    assess("frame_rate_hz >= 58 by 2026-11-22", 5);
    cr_expect_not(result.due);
    assess("frame_rate_hz >= 58 by 2026-11-21", 5);
    cr_expect(result.due);
    assess("frame_rate_hz >= 58", 5);
    cr_expect(result.due);
    dj_gate_objectives_finish(&objectives);
}

static const char planned[] =
    "{\"schema\":\"dejank.objectives/1\",\"flows\":[{\"name\":\"scroll\",\"priority\":"
    "\"high\"}],\"classes\":[{\"name\":\"small\",\"model\":null,\"needs\":[{\"fact\":"
    "\"ram\",\"least\":null,\"most\":3e9,\"above\":false,\"below\":true}]}],"
    "\"objectives\":[{\"metric\":\"smooth_pct\",\"at_least\":90,\"goal\":98,\"by\":"
    "\"2026-11-21\",\"statistic\":\"median\",\"flow\":\"scroll\",\"devices\":\"small\","
    "\"priority\":\"high\",\"note\":null},{\"metric\":\"frame_time_p95_ns\",\"at_most\":"
    "16700000,\"goal\":null,\"statistic\":\"worst\",\"flow\":null,\"devices\":"
    "\"low-end\"}]}";

Test(objectives, objectives_of_plans_are_read)
{
    struct dj_error err = {0};
    struct dj_device_facts facts;
    double pct[5] = {5, 5, 5, 5, 5};
    cr_assert_eq(dj_gate_objectives_read(planned, &objectives, &err), 0, "%s",
                 err.message);
    cr_assert_eq(objectives.count, 2);
    cr_assert_eq(objectives.flow_count, 1);
    cr_expect_str_eq(objectives.flow[0].priority, "high");
    const struct dj_objective *first = &objectives.objective[0];
    const struct dj_objective *second = &objectives.objective[1];
    cr_expect(first->smooth && first->at_least && first->bound == 90);
    cr_expect_eq(second->statistic, DJ_OBJECTIVE_WORST);
    dj_facts_init(&facts);
    /* The RAM is unknown. */
    cr_expect_not(dj_gate_objective_applies(first, "scroll", "D", &facts));
    facts.ram_bytes = 2000000000;
    cr_expect(dj_gate_objective_applies(first, "scroll", "D", &facts));
    cr_expect_not(dj_gate_objective_applies(first, "tap", "D", &facts));
    /* The class is the predefined class "low-end". */
    cr_expect(dj_gate_objective_applies(second, "tap", "D", &facts));
    facts.ram_bytes = 4000000000;
    cr_expect_not(dj_gate_objective_applies(second, "tap", "D", &facts));
    /* The goal is due since yesterday. 95 % keep the bound of 90, but not the goal of
     * 98. */
    make_runs(DJ_METRIC_JANKY_PCT, pct, 5);
    dj_gate_objective_assess(first, runs, 5, 0.05, NOW_MS, &result);
    cr_expect_eq(result.bound, 98);
    cr_expect_eq(result.state, DJ_OBJECTIVE_MISSED);
    cr_expect_float_eq(result.goal_gap, 3, 1e-12);
    dj_gate_objective_assess(first, runs, 5, 0.05, NOW_MS - 86400001, &result);
    cr_expect_eq(result.bound, 90);
    cr_expect_eq(result.state, DJ_OBJECTIVE_MET);
    /* The bound is always due. */
    cr_expect(result.due);
    dj_gate_objectives_finish(&objectives);
}

Test(objectives, invalid_json_is_refused)
{
    static const struct {
        const char *json;
        int code;
        const char *part;
    } cases[] = {
        {"{", DJ_E_INVALID, "the objectives are not JSON"},
        {"{}", DJ_E_INVALID, "expected the schema dejank.objectives/1, found none"},
        {"{\"schema\":\"dejank.objectives/9\"}", DJ_E_VERSION, "dejank.objectives/9"},
        {"{\"schema\":\"dejank.objectives/1\",\"objectives\":[{\"metric\":\"x\"}]}",
         DJ_E_INVALID, "objective 1: this version of dejank has no metric 'x'"},
        {"{\"schema\":\"dejank.objectives/1\",\"objectives\":[{\"metric\":\"janky_pct\"}]"
         "}",
         DJ_E_INVALID, "objective 1: expected either at_most or at_least"},
        {"{\"schema\":\"dejank.objectives/1\",\"objectives\":[{\"metric\":\"janky_pct\","
         "\"at_most\":1,\"by\":\"soon\"}]}",
         DJ_E_INVALID, "to be a date"},
        {"{\"schema\":\"dejank.objectives/1\",\"objectives\":[{\"metric\":\"janky_pct\","
         "\"at_most\":1,\"statistic\":\"mode\"}]}",
         DJ_E_INVALID, "median, mean or worst"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_error err = {0};
        cr_expect_eq(dj_gate_objectives_read(cases[i].json, &objectives, &err),
                     cases[i].code);
        cr_expect_not_null(strstr(err.message, cases[i].part), "%s", err.message);
        cr_expect_eq(objectives.count, 0);
        dj_gate_objectives_finish(&objectives);
    }
    cr_expect_eq(dj_gate_objectives_read(NULL, &objectives, NULL), 0);
    cr_expect_eq(dj_gate_objectives_read("", &objectives, NULL), 0);
}

/* ---- words ---- */

Test(objectives, invalid_texts_are_refused)
{
    static const struct {
        const char *words, *part;
    } cases[] = {
        {"p95 16 ms", "expected METRIC <= BOUND or METRIC >= BOUND"},
        {"p96 <= 16 ms", "expected a metric before <= or >="},
        {"p95 <= 16", "expected a time with its unit, such as 16 ms"},
        {"p95 <= ", "expected a time with its unit"},
        {"p95 <= 16 ms ms", "expected a time with its unit"},
        {"p95 <= nan ms", "expected a time with its unit"},
        {"p95 <= 1e999 ms", "expected a time with its unit"},
        {"jank <= 2 ms", "expected a share in percent"},
        {"jank <= 2 % by tomorrow", "expected a date such as 2027-03-31 after 'by'"},
        {"jank <= 2 % by 2027-13-01", "expected a date"},
        {"jank <= 2 % by 2027-02-30", "expected a date"},
        {"jank <= 2 % by 2027-02-29", "expected a date"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_error err = {0};
        cr_expect_eq(dj_gate_objective_parse(cases[i].words, &objectives, &err),
                     DJ_E_USAGE, "%s", cases[i].words);
        cr_expect_not_null(strstr(err.message, cases[i].part), "%s: %s", cases[i].words,
                           err.message);
    }
    cr_expect_eq(objectives.count, 0);
}

Test(objectives, sentences_without_a_metric_are_objectives)
{
    static const struct {
        const char *words, *read;
    } all[] = {
        {"≥ 98 % of frames on time by 2027-03-31", "smooth ≥ 98 % by 2027-03-31"},
        {" >=98% of frames on time", "smooth ≥ 98 %"},
        {"no frame > 700 ms", "frame time max ≤ 700 ms (worst of runs)"},
        {"no frame > 700 ms by 2027-03-31",
         "frame time max ≤ 700 ms (worst of runs) by 2027-03-31"},
    };
    struct dj_error err;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct dj_text text = {0};
        dj_gate_objective_format(&text, parse(all[i].words), NULL);
        cr_expect_str_eq(dj_text_get(&text), all[i].read);
        dj_text_finish(&text);
    }
    cr_expect_eq(dj_gate_objective_parse("no frame > 700", &objectives, &err),
                 DJ_E_USAGE);
    cr_expect_eq(dj_gate_objective_parse("98 % of frames on time", &objectives, &err),
                 DJ_E_USAGE);
    cr_expect_eq(dj_gate_objective_parse("no frame > ", &objectives, &err), DJ_E_USAGE);
    dj_gate_objectives_finish(&objectives);
}

Test(objectives, parsed_objective_is_described_in_words)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"p95<=16.7ms", "frame time p95 ≤ 16.7 ms"},
        {"smooth_pct ≥ 98 % mean by 2027-03-31",
         "smooth ≥ 98 % (mean of runs) by 2027-03-31"},
        {"frame_time_max_ns <= 0.7 s worst", "frame time max ≤ 700 ms (worst of runs)"},
        {" findings <= 2 ", "findings ≤ 2"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_text text = {0};
        dj_gate_objective_format(&text, parse(cases[i].in), NULL);
        cr_expect_str_eq(dj_text_get(&text), cases[i].out);
        dj_text_finish(&text);
    }
    dj_gate_objectives_finish(&objectives);
}

Test(objectives, reasons_name_the_runs)
{
    const double ns[] = {15e6, 15e6, 15e6, 15e6, 15e6, 17e6};
    struct dj_text text = {0};
    make_runs(DJ_METRIC_FRAME_TIME_P95, ns, 6);
    assess("p95 <= 16.7 ms", 6);
    dj_gate_objective_format_reason(&text, &objectives.objective[0], &result);
    cr_expect_str_eq(dj_text_get(&text),
                     "5 of 6 runs keep 16.7 ms; median 15 ms [15 ms, 17 ms]; met with "
                     "89.06 % confidence");
    dj_text_finish(&text);
    dj_gate_objectives_finish(&objectives);
}

Test(objectives, p95_of_a_log_is_named_guide_total)
{
    const double ns[] = {15e6, 15.1e6, 15.2e6, 15.3e6, 15.4e6};
    struct dj_text text = {0};
    make_runs(DJ_METRIC_GUIDE_TOTAL_P95, ns, 5);
    cr_expect_eq(assess("p95 <= 16.7 ms", 5), DJ_OBJECTIVE_MET);
    cr_expect_eq(result.metric, DJ_METRIC_GUIDE_TOTAL_P95);
    dj_gate_objective_format(&text, &objectives.objective[objectives.count - 1], &result);
    cr_expect_str_eq(dj_text_get(&text), "guide total p95 ≤ 16.7 ms");
    dj_text_finish(&text);
    cr_expect_eq(assess("frame_time_p95_ns <= 14 ms", 5), DJ_OBJECTIVE_MISSED);
    cr_expect_eq(assess("max <= 16.7 ms", 5), DJ_OBJECTIVE_NOT_MEASURED);
    /* One run has the metric. */
    runs[0].metrics.value[DJ_METRIC_FRAME_TIME_P95] = 14e6;
    cr_expect_eq(assess("p95 <= 16.7 ms", 5), DJ_OBJECTIVE_UNDECIDED);
    cr_expect_eq(result.metric, DJ_METRIC_FRAME_TIME_P95);
    cr_expect_eq(result.lacking, 4);
}

Test(objectives, short_names_are_metrics)
{
    struct dj_objective objective = {0};
    cr_expect(dj_gate_objective_set_metric("p95", &objective));
    cr_expect_str_eq(objective.metric_name, "frame_time_p95_ns");
    cr_expect(objective.metric == DJ_METRIC_FRAME_TIME_P95 && !objective.smooth);
    cr_expect(dj_gate_objective_set_metric("smooth", &objective) && objective.smooth);
    cr_expect_not(dj_gate_objective_set_metric("p96", &objective));
    cr_expect_str_eq(objective.metric_name, "p96", "for what is said of it");
}

Test(objectives, statistics_have_names)
{
    enum dj_objective_statistic statistic = DJ_OBJECTIVE_MEDIAN;
    cr_expect(dj_gate_statistic_find("worst", &statistic));
    cr_expect_eq(statistic, DJ_OBJECTIVE_WORST);
    cr_expect_not(dj_gate_statistic_find("best", &statistic));
    cr_expect_eq(statistic, DJ_OBJECTIVE_WORST);
}
