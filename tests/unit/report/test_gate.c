#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/gate.h"

enum { CELLS_MAX = 20, METRICS = 2 };

static struct dj_gate gate;
static struct dj_gate_report report;
static struct dj_gate_cell cells[CELLS_MAX];
static struct dj_cell_batches batches[CELLS_MAX];
static struct dj_comparison_metric metrics[CELLS_MAX][METRICS];
static struct dj_batch_row candidate = {.id = "newer", .label = "B", .version = "1.9"};
static struct dj_batch_row baseline = {.id = "older", .label = "A"};
static const struct dj_batch_row *baselines[] = {&baseline};
static struct dj_objective limit = {.metric_name = "frame_time_p95_ns",
                                    .metric = DJ_METRIC_FRAME_TIME_P95,
                                    .bound = 16.7e6,
                                    .goal = NAN,
                                    .statistic = DJ_OBJECTIVE_MEDIAN};
static struct dj_gate_objective objective;
static struct dj_document document;
static struct dj_text text;

static void start(void)
{
    gate = (struct dj_gate){.cell = cells,
                            .cells = {.candidate = &candidate, .words = "last release A"},
                            .alpha = 0.05,
                            .tests = METRICS,
                            .runs_needed = NAN};
    report = (struct dj_gate_report){.gate = &gate, .project = "com.example"};
}

/* Adds a cell with two metrics that have this ratio and verdict. */
static struct dj_gate_cell *add_cell(const char *flow, const char *device, double ratio,
                                     enum dj_compare_verdict verdict)
{
    static const char *const names[METRICS] = {"p50", "p95"};
    size_t i = gate.cell_count++;
    batches[i] = (struct dj_cell_batches){.flow = flow,
                                          .serial = device,
                                          .candidate = &candidate,
                                          .baseline = baselines,
                                          .baseline_count = 1};
    for (size_t k = 0; k < METRICS; k++) {
        metrics[i][k] = (struct dj_comparison_metric){
            .metric = dj_compare_metric_find(names[k]),
            .member = {.gates = true,
                       .adjusted_p = 0.004,
                       .effect = {.n_a = 10,
                                  .n_b = 9,
                                  .a = 15e6,
                                  .b = 15e6 * ratio,
                                  .ratio = ratio,
                                  .ci = {ratio - 0.03, ratio + 0.05},
                                  .level = 0.975,
                                  .margin = 0.05,
                                  .verdict = verdict}}};
    }
    cells[i] = (struct dj_gate_cell){
        .batches = &batches[i],
        .compared = true,
        .verdict = verdict,
        .comparison = {.metrics = metrics[i], .metric_count = METRICS}};
    snprintf(cells[i].facts.model, sizeof(cells[i].facts.model), "%s", device);
    return &cells[i];
}

static void add_objective(struct dj_gate_cell *cell, enum dj_objective_state state,
                          bool is_due)
{
    objective = (struct dj_gate_objective){.objective = &limit,
                                           .gates = is_due,
                                           .level = NAN,
                                           .result = {.state = state,
                                                      .metric = limit.metric,
                                                      .bound = limit.bound,
                                                      .runs = 10,
                                                      .within_count = 9,
                                                      .value = 15.2e6,
                                                      .interval = {-INFINITY, INFINITY},
                                                      .confidence = NAN,
                                                      .goal_gap = NAN,
                                                      .unseen_pct = NAN}};
    cell->objective = &objective;
    cell->objective_count = 1;
}

static void finish(void)
{
    for (size_t i = 0; i < gate.cell_count; i++) {
        dj_text_finish(&cells[i].missing);
    }
    dj_document_finish(&document);
    dj_text_finish(&text);
}

static const char *draw(enum dj_gate_answer answer, bool all)
{
    const struct dj_terminal_style style = {.width = 80, .unicode = true};
    dj_document_finish(&document);
    dj_text_clear(&text);
    gate.answer = answer;
    dj_report_build_gate(&document, &report);
    dj_document_write_terminal(&text, &document, &style, all);
    return dj_xtext(&text);
}

static void expect(const char *where, const char *string)
{
    cr_expect(strstr(where, string) != NULL, "'%s' is not in:\n%s", string, where);
}

static void expect_first_line(const char *shown, const char *line)
{
    size_t length = strcspn(shown, "\n");
    cr_expect(strlen(line) == length && strncmp(shown, line, length) == 0, "%s", shown);
}

TestSuite(gate_report, .init = start, .fini = finish);

Test(gate_report, a_pass_says_what_was_tested)
{
    struct dj_gate_cell *cell = add_cell("scroll", "phone", 1.001, DJ_VERDICT_EQUIVALENT);
    const char *shown = draw(DJ_GATE_PASS, false);
    expect_first_line(shown, "gate passes: no regression in 2 tests (scroll on phone)");
    expect(shown, "candidate  B 1.9\nbaseline   last release A\n");
    expect(shown, "The gate passes: no checked metric is a regression");
    expect(shown, "\np95 frame time, ms     15.00      15.01  +0.1 % (-2.9 … +5.1 %)  "
                  "equivalent\n");
    cr_expect_null(strstr(shown, "next:"));
    add_objective(cell, DJ_OBJECTIVE_MET, true);
    expect_first_line(
        draw(DJ_GATE_PASS, false),
        "gate passes: no regression, no missed objective in 2 tests (scroll "
        "on phone)");
    gate.tests = 0;
    expect_first_line(draw(DJ_GATE_PASS, false),
                      "gate passes: no missed objective (scroll on phone)");
    cell->objective_count = 0;
    expect_first_line(draw(DJ_GATE_PASS, false),
                      "gate passes: there was nothing to test (scroll on phone)");
}

Test(gate_report, a_failure_names_its_first_reason_and_a_command)
{
    add_cell("scroll", "phone", 1.14, DJ_VERDICT_REGRESSION);
    report.store = "my store.db";
    const char *shown = draw(DJ_GATE_FAIL, true);
    expect_first_line(shown, "gate fails: p50 frame time +14 % (+11 … +19 %), scroll on "
                             "phone; 1 more");
    expect(shown, "The gate fails: a checked metric is worse by more than its margin");
    expect(shown, "p95 frame time, ms  10 vs 9     5 %  97.5 %       0.004\n");
    expect(shown, "dejank compare older newer --store 'my store.db'  all metrics");
    expect(shown, "Change against the baseline\n");
}

Test(gate_report, several_devices_are_one_table_without_what_passes)
{
    static const char *const devices[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    add_cell("scroll", "slow", 1.14, DJ_VERDICT_REGRESSION);
    for (size_t i = 0; i < COUNT_OF(devices); i++) {
        add_cell("scroll", devices[i], 1.0, DJ_VERDICT_EQUIVALENT);
    }
    gate.count[DJ_GATE_FAIL] = 1;
    gate.count[DJ_GATE_PASS] = 8;
    const char *shown = draw(DJ_GATE_FAIL, false);
    expect(shown, "flows      9 pairs of flow and device: 1 failed, 8 passed\n");
    expect(shown,
           "regression  scroll on slow  p95 frame time, ms  +14 % (+11 … +19 %)\n");
    cr_expect_null(strstr(shown, "scroll on a"));
    expect(draw(DJ_GATE_FAIL, true), "scroll on a ");
}

Test(gate_report, what_was_not_measured_is_named)
{
    struct dj_gate_cell *cell = add_cell("scroll", "phone", 1.0, DJ_VERDICT_EQUIVALENT);
    dj_text_add(&cell->missing, "the candidate was not measured");
    cell->compared = false;
    report.place = "plan.yaml";
    const char *shown = draw(DJ_GATE_NOT_MEASURED, false);
    expect_first_line(shown, "gate incomplete: the candidate was not measured, scroll on "
                             "phone");
    expect(shown, "• scroll on phone, not measured: the candidate was not measured\n");
    expect(shown, "  dejank run plan.yaml  measure the plan\n");
    gate.stale = true;
    gate.age_ms = INT64_C(8) * 86400000;
    expect_first_line(draw(DJ_GATE_NOT_MEASURED, false),
                      "gate incomplete: no new data for 8.0 days");
    gate.stale = false;
    dj_text_clear(&cell->missing);
    cell->is_new = true;
    expect(draw(DJ_GATE_PASS, false), "• scroll on phone: new, without a baseline\n");
}

Test(gate_report, an_undecided_gate_says_how_many_runs_would_decide)
{
    struct dj_looks looks = {.count = 2, .runs = {10, 15}, .level = {0.001, 0.05}};
    add_cell("scroll", "phone", 1.04, DJ_VERDICT_LIKELY_REGRESSION);
    gate.runs_needed = 24;
    report.undecided_passes = true;
    report.place = "my plan.yaml";
    report.looks = &looks;
    const char *shown = draw(DJ_GATE_UNDECIDED, false);
    expect_first_line(shown, "gate undecided: p50 frame time +4 % (+1 … +9 %), scroll on "
                             "phone; 1 more");
    expect(shown, "likely regression\n");
    expect(shown, "look       1 of 2: after 10, 15 runs; risk of a false alarm: 0.1 %\n");
    expect(shown, "With --undecided pass, the exit\ncode is 0.");
    expect(shown, "A verdict needs about 24 runs of each build");
    expect(shown, "  dejank gate 'my plan.yaml' --rerun  measure more runs until the "
                  "gate decides\n");
}

Test(gate_report, objectives_have_a_table_and_their_reasons)
{
    struct dj_gate_cell *cell = add_cell("scroll", "phone", 1.0, DJ_VERDICT_EQUIVALENT);
    add_objective(cell, DJ_OBJECTIVE_MISSED, true);
    const char *shown = draw(DJ_GATE_FAIL, false);
    expect_first_line(shown,
                      "gate fails: frame time p95 ≤ 16.7 ms missed, scroll on phone");
    expect(shown, "missed   scroll on phone  15.2 ms  frame time p95 ≤ 16.7 ms\n");
    expect(shown, "9 of 10 runs keep");
    add_objective(cell, DJ_OBJECTIVE_MISSED, false);
    expect(draw(DJ_GATE_PASS, false), "missed, not due yet  scroll on phone");
}

Test(gate_report, the_first_line_fits_whatever_the_names_are)
{
    struct dj_gate_cell *cell =
        add_cell("a flow whose name is a whole sentence, which nobody can read at once",
                 "a-very-long-serial-number-of-a-device", 1.14, DJ_VERDICT_REGRESSION);
    draw(DJ_GATE_FAIL, false);
    cr_expect_leq(dj_name_count_columns(document.blocks[0].text), 80, "%s",
                  document.blocks[0].text);
    add_objective(cell, DJ_OBJECTIVE_MISSED, true);
    cell->compared = false;
    draw(DJ_GATE_FAIL, false);
    expect_first_line(document.blocks[0].text,
                      "gate fails: frame time p95 ≤ 16.7 ms missed");
}
