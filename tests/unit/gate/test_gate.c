#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gate/gate_private.h"

enum { CELLS = 3, RUNS = 5 };

static struct dj_gate gate;
static struct dj_gate_cell cell[CELLS];
static struct dj_comparison_metric metric[CELLS];
static struct dj_gate_objective objective[CELLS];

static const double low[RUNS] = {10.0, 10.1, 10.2, 10.3, 10.4};
/* Compared with `low`, p is 2/C(10,5) = .0079. */
static const double high[RUNS] = {20.0, 20.1, 20.2, 20.3, 20.4};
static const double same[RUNS] = {10.05, 10.14, 10.23, 10.26, 10.44};

/* Sets up a cell with one gated metric. Its sides are `low` and `b`. */
static void compare(const double *b)
{
    struct dj_gate_cell *own = &cell[gate.cell_count];
    struct dj_comparison_metric *one = &metric[gate.cell_count++];
    *one = (struct dj_comparison_metric){
        .metric = dj_compare_metric_find("p95"),
        .member = {.a = {low, NULL, RUNS},
                   .b = {b, NULL, RUNS},
                   .rules = {.kind = DJ_EFFECT_RATIO, .margin = 0.05, .alpha = 0.05},
                   .gates = true}};
    cr_assert_eq(dj_compare_compute_effect(&one->member.a, &one->member.b,
                                           &one->member.rules, &one->member.effect, NULL),
                 0);
    *own = (struct dj_gate_cell){.compared = true};
    own->comparison.metrics = one;
    own->comparison.metric_count = 1;
}

/* Sets up a cell with one missed objective. */
static void miss(double p_missed, bool gates)
{
    struct dj_gate_cell *own = &cell[gate.cell_count];
    struct dj_gate_objective *one = &objective[gate.cell_count++];
    *one = (struct dj_gate_objective){
        .result = {.state = DJ_OBJECTIVE_MISSED, .p_missed = p_missed, .due = gates},
        .gates = gates,
        .level = NAN};
    *own = (struct dj_gate_cell){.objective = one, .objective_count = 1};
}

static void judge(void)
{
    struct dj_error err = {0};
    gate.cell = cell;
    gate.alpha = 0.05;
    cr_assert_eq(dj_gate_judge_family(&gate, &err), 0, "%s", err.message);
}

/* .0079 ≤ .05/2 and .03 ≤ .05. */
Test(gate, metrics_and_objectives_are_one_family)
{
    compare(high);
    miss(0.03, true);
    judge();
    cr_expect_eq(gate.tests, 2);
    cr_expect_eq(cell[0].verdict, DJ_VERDICT_REGRESSION);
    cr_expect_float_eq(metric[0].member.effect.p, 2.0 / 252, 1e-12);
    cr_expect_float_eq(metric[0].member.adjusted_p, 4.0 / 252, 1e-12);
    cr_expect_float_eq(objective[1].level, 0.05, 1e-12);
    cr_expect_eq(objective[1].result.state, DJ_OBJECTIVE_MISSED);
}

/* With one more test, .0079 ≤ .05/3, but .03 > .05/2. */
Test(gate, more_tests_share_the_risk)
{
    compare(high);
    miss(0.03, true);
    compare(same);
    judge();
    cr_expect_eq(gate.tests, 3);
    cr_expect_eq(cell[0].verdict, DJ_VERDICT_REGRESSION);
    cr_expect_float_eq(objective[1].level, 0.025, 1e-12);
    cr_expect_eq(objective[1].result.state, DJ_OBJECTIVE_UNDECIDED);
    cr_expect_neq(cell[2].verdict, DJ_VERDICT_REGRESSION);
}

/* With five against five runs, p is at least .0079. This is more than .05/7, so there is
 * no regression. */
Test(gate, five_runs_are_too_few_for_many_tests)
{
    static struct dj_gate_objective many[6];
    compare(high);
    miss(0.5, true);
    for (size_t i = 0; i < 6; i++) {
        many[i] = objective[1];
    }
    cell[1].objective = many;
    cell[1].objective_count = 6;
    judge();
    cr_expect_eq(gate.tests, 7);
    cr_expect_neq(cell[0].verdict, DJ_VERDICT_REGRESSION);
}

Test(gate, objective_that_is_not_due_is_no_test)
{
    compare(high);
    miss(0.03, false);
    judge();
    cr_expect_eq(gate.tests, 1);
    /* The objective is reported as missed, but does not fail the gate. */
    cr_expect_eq(objective[1].result.state, DJ_OBJECTIVE_MISSED);
    cr_expect(isnan(objective[1].level));
}

/* ---- what a person asks for ---- */

Test(gate, options_are_read)
{
    double share, runs[DJ_LOOKS_MAX];
    int64_t ms;
    size_t count;
    struct dj_compare_gate one;
    cr_expect(dj_gate_read_share("5 %", &share) && fabs(share - 0.05) < 1e-15);
    cr_expect(dj_gate_read_share("0.05", &share) && fabs(share - 0.05) < 1e-15);
    cr_expect(dj_gate_read_share("5", &share) && fabs(share - 0.05) < 1e-15);
    cr_expect(dj_gate_read_age("7d", &ms) && ms == INT64_C(604800000));
    cr_expect(dj_gate_read_age("1.5h", &ms) && ms == 5400000);
    cr_expect(dj_gate_read_metric("jank=20%", &one) && fabs(one.margin - 0.2) < 1e-15);
    cr_expect(dj_gate_read_interim_levels("10,15,20,30", runs, &count) && count == 4);
    static const char *const shares[] = {"",     "-5%", "0",   "100%",
                                         "5 ms", "0x5", "nan", "inf"};
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        cr_expect_not(dj_gate_read_share(shares[i], &share), "%s", shares[i]);
    }
    static const char *const ages[] = {"", "7", "0d", "-1d", "7w", "1e300d"};
    for (size_t i = 0; i < sizeof(ages) / sizeof(ages[0]); i++) {
        cr_expect_not(dj_gate_read_age(ages[i], &ms), "%s", ages[i]);
    }
    static const char *const looks[] = {
        "", "10,", "10,5", "1", "2.5", "10,10", "x", "2,3,4,5,6,7,8,9,10,11,12,13,14"};
    for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
        cr_expect_not(dj_gate_read_interim_levels(looks[i], runs, &count), "%s",
                      looks[i]);
    }
}
