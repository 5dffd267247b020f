#include <criterion/criterion.h>
#include <string.h>

#include "plan/gate_request.h"

static struct dj_gate_options options;
static struct dj_gate_request request;
static struct dj_error failure;

static void finish(void)
{
    dj_plan_gate_request_finish(&request);
}

static void expect_usage(const char *begin)
{
    cr_expect_eq(dj_plan_gate_request_init(&options, &request, &failure), DJ_E_USAGE);
    cr_expect_eq(strncmp(failure.message, begin, strlen(begin)), 0, "%s",
                 failure.message);
}

static void expect_request(void)
{
    cr_assert_eq(dj_plan_gate_request_init(&options, &request, &failure), 0, "%s",
                 failure.message);
}

TestSuite(gate_request, .fini = finish);

Test(gate_request, without_options_nothing_is_set)
{
    expect_request();
    cr_expect_null(request.rules.project);
    cr_expect_eq(request.rules.gate_count, 0);
    cr_expect_not(request.rules.only_these);
    cr_expect_not(request.rules.cells.has_baseline);
    cr_expect_eq(request.plan.gate.undecided, DJ_UNDECIDED_FAILS);
    cr_expect_gt(request.rules.now_unix_ms, 0);
}

Test(gate_request, numbers_are_read)
{
    options = (struct dj_gate_options){.margin = "5%",
                                       .alpha = "0.01",
                                       .stale = "7d",
                                       .looks = "10,15,20",
                                       .undecided = "pass"};
    expect_request();
    cr_expect_float_eq(request.rules.margin, 0.05, 1e-12);
    cr_expect_float_eq(request.rules.alpha, 0.01, 1e-12);
    cr_expect_eq(request.rules.stale_ms, INT64_C(7) * 86400 * 1000);
    cr_expect_eq(request.plan.gate.look_count, 3);
    cr_expect_eq(request.plan.gate.undecided, DJ_UNDECIDED_PASSES);
}

Test(gate_request, metrics_are_separated_by_commas_or_given_in_several_options)
{
    const char *const metrics[] = {"p95=5%,jank", "p50"};
    options.metrics = metrics;
    options.metric_count = 2;
    expect_request();
    cr_expect_eq(request.rules.gate_count, 3);
    cr_expect_float_eq(request.rules.gates[0].margin, 0.05, 1e-12);
}

Test(gate_request, rerun_is_the_answer_to_an_undecided_gate)
{
    options.rerun = true;
    expect_request();
    cr_expect_eq(request.plan.gate.undecided, DJ_UNDECIDED_RERUNS);
}

Test(gate_request, options_win_over_the_plan)
{
    struct dj_plan_device devices[] = {{.selector = "serial"}, {.selector = "adb:"}};
    struct dj_plan_flow flows[] = {{.name = "scroll"}, {.name = "idle"}};
    request.plan = (struct dj_plan){.devices = devices,
                                    .device_count = 2,
                                    .flows = flows,
                                    .flow_count = 2,
                                    .store = "plan.db"};
    request.plan.batch.package = "com.x";
    options.plan = "p.yaml";
    options.flow = "scroll";
    options.store = "mine.db";
    expect_request();
    cr_expect_str_eq(request.plan.store, "mine.db");
    cr_expect_str_eq(request.rules.project, "com.x");
    cr_expect(request.rules.only_these);
    cr_expect_eq(request.rules.cells.wanted_count, 1);
    cr_expect_str_eq(request.rules.cells.wanted[0].flow, "scroll");
    request.plan.devices = NULL;
    request.plan.flows = NULL;
    request.plan.device_count = request.plan.flow_count = 0;
}

Test(gate_request, unknown_metric_is_refused)
{
    const char *const metrics[] = {"p95,nonsense"};
    options.metrics = metrics;
    options.metric_count = 1;
    expect_usage("--metric 'p95,nonsense': expected a metric of dejank compare");
}

Test(gate_request, margin_must_be_a_share_above_zero)
{
    options.margin = "0";
    expect_usage("--margin '0': expected a share above 0 such as 5% or 0.05");
}

Test(gate_request, alpha_must_be_below_one_half)
{
    options.alpha = "0.5";
    expect_usage("--alpha '0.5': expected a chance above 0 and below 0.5");
}

Test(gate_request, invalid_age_looks_and_answer_are_refused)
{
    options.stale = "soon";
    expect_usage("--stale 'soon': expected an age such as 7d or 12h");
    options = (struct dj_gate_options){.looks = "20,10"};
    expect_usage("--looks '20,10': expected rising numbers of runs per build");
    options = (struct dj_gate_options){.undecided = "maybe"};
    expect_usage("--undecided 'maybe': expected fail, pass or rerun");
}

Test(gate_request, invalid_objective_is_an_error_of_its_option)
{
    const char *const objectives[] = {"fast enough"};
    options.objectives = objectives;
    options.objective_count = 1;
    cr_expect_neq(dj_plan_gate_request_init(&options, &request, &failure), 0);
    cr_expect_eq(strncmp(failure.message, "--objective: ", 13), 0, "%s", failure.message);
}
