#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../store/support.h"
#include "plan/gate_request.h"

enum { CELLS = 4 };

static struct dj_gate gate;
static struct dj_gate_cell cell[CELLS];
static struct dj_cell_batches batches[CELLS];
static struct dj_batch_row candidate[CELLS], baseline[CELLS];
static const struct dj_batch_row *baselines[CELLS];
static struct dj_gate_request request;
static struct dj_looks looks;
static size_t look;
static struct dj_error failure;
static char message[1024];

static void keep_message(void *user, const char *text)
{
    (void)user;
    snprintf(message, sizeof(message), "%s", text);
}

static const struct dj_messages messages = {keep_message, NULL};

/* Adds a compared and undecided cell. Both builds belong to one pair. */
static struct dj_gate_cell *add_cell(const char *flow, size_t runs_a, size_t runs_b)
{
    size_t i = gate.cell_count++;
    candidate[i] = baseline[i] = (struct dj_batch_row){.group = "pair-1"};
    baselines[i] = &baseline[i];
    batches[i] = (struct dj_cell_batches){.flow = flow,
                                          .serial = "serial-1",
                                          .candidate = &candidate[i],
                                          .baseline = &baselines[i],
                                          .baseline_count = 1};
    cell[i] = (struct dj_gate_cell){.batches = &batches[i],
                                    .a = {.run_count = runs_a},
                                    .b = {.run_count = runs_b},
                                    .compared = true,
                                    .answer = DJ_GATE_UNDECIDED};
    gate.cell = cell;
    return &cell[i];
}

static void expect_looks(const double *runs, size_t count, size_t reached)
{
    cr_assert_eq(dj_plan_gate_interim_levels(&request, &gate, &looks, &look, &failure), 0,
                 "%s", failure.message);
    cr_assert_eq(looks.count, count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(looks.runs[i], runs[i], "look %zu: %g", i, looks.runs[i]);
    }
    cr_expect_eq(look, reached, "look %zu", look);
}

/* ---- looks ---- */

Test(gate_rerun, default_looks_are_multiples_of_the_planned_runs)
{
    static const double runs[] = {10, 15, 20, 30};
    add_cell("scroll", 10, 10);
    candidate[0].runs.planned = 10;
    expect_looks(runs, 4, 0);
    cr_expect_lt(looks.level[0], looks.level[3]);
    cr_expect_lt(looks.level[3], 0.05);
}

Test(gate_rerun, the_largest_planned_number_of_all_cells_is_used)
{
    static const double runs[] = {7, 11, 14, 21};
    add_cell("scroll", 4, 4);
    add_cell("fling", 4, 4);
    candidate[0].runs.planned = 5;
    candidate[1].runs.planned = 7;
    expect_looks(runs, 4, 0);
}

Test(gate_rerun, valid_runs_replace_an_unknown_plan)
{
    static const double runs[] = {6, 9, 12, 18};
    add_cell("scroll", 6, 6);
    candidate[0].runs.clean = 6;
    expect_looks(runs, 4, 0);
}

Test(gate_rerun, fewer_than_two_runs_are_planned_as_two)
{
    static const double runs[] = {2, 3, 4, 6};
    add_cell("scroll", 1, 1);
    batches[0].candidate = NULL;
    expect_looks(runs, 4, 0);
}

Test(gate_rerun, looks_of_the_request_are_used)
{
    static const double runs[] = {8, 12};
    add_cell("scroll", 9, 9);
    request.plan.gate.looks[0] = 8;
    request.plan.gate.looks[1] = 12;
    request.plan.gate.look_count = 2;
    expect_looks(runs, 2, 0);
}

/* A look is reached when every side of every comparison has its runs. */
Test(gate_rerun, the_side_with_the_fewest_runs_decides_the_look)
{
    static const double runs[] = {10, 15, 20, 30};
    add_cell("scroll", 20, 22);
    add_cell("fling", 30, 15);
    add_cell("tap", 1, 1)->compared = false;
    candidate[0].runs.planned = 10;
    expect_looks(runs, 4, 1);
    cell[1].b.run_count = 14;
    expect_looks(runs, 4, 0);
    cell[1].b.run_count = 500;
    expect_looks(runs, 4, 2);
    cell[0].a.run_count = 500;
    cell[0].b.run_count = 500;
    cell[1].a.run_count = 500;
    expect_looks(runs, 4, 3);
}

Test(gate_rerun, a_smaller_alpha_gives_smaller_levels)
{
    add_cell("scroll", 10, 10);
    candidate[0].runs.planned = 10;
    cr_assert_eq(dj_plan_gate_interim_levels(&request, &gate, &looks, &look, &failure),
                 0);
    double usual = looks.level[3];
    request.rules.alpha = 0.01;
    cr_assert_eq(dj_plan_gate_interim_levels(&request, &gate, &looks, &look, &failure),
                 0);
    cr_expect_lt(looks.level[3], usual);
}

Test(gate_rerun, looks_that_do_not_rise_are_refused)
{
    add_cell("scroll", 10, 10);
    request.plan.gate.looks[0] = 12;
    request.plan.gate.looks[1] = 12;
    request.plan.gate.look_count = 2;
    cr_expect_eq(dj_plan_gate_interim_levels(&request, &gate, &looks, &look, &failure),
                 DJ_E_USAGE);
    cr_expect_neq(failure.message[0], '\0');
}

/* ---- undecided flows ---- */

Test(gate_rerun, each_undecided_flow_is_listed_once)
{
    size_t count;
    add_cell("fling", 10, 10);
    add_cell("fling", 10, 10);
    add_cell("scroll", 10, 10)->answer = DJ_GATE_FAIL;
    add_cell("tap", 10, 10);
    const char **flows = dj_plan_find_undecided_flows(&gate, &messages, &count);
    cr_assert_not_null(flows);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(flows[0], "fling");
    cr_expect_str_eq(flows[1], "tap");
    cr_expect_eq(message[0], '\0');
    free(flows);
}

Test(gate_rerun, no_flow_is_listed_if_all_are_decided)
{
    size_t count = 7;
    add_cell("scroll", 10, 10)->answer = DJ_GATE_PASS;
    const char **flows = dj_plan_find_undecided_flows(&gate, &messages, &count);
    cr_assert_not_null(flows);
    cr_expect_eq(count, 0);
    free(flows);
}

/* An objective may be undecided without a comparison. It needs only the candidate. */
Test(gate_rerun, an_undecided_objective_needs_no_pair)
{
    size_t count;
    struct dj_gate_cell *undecided = add_cell("scroll", 0, 10);
    undecided->compared = false;
    batches[0].baseline_count = 0;
    const char **flows = dj_plan_find_undecided_flows(&gate, &messages, &count);
    cr_assert_not_null(flows);
    cr_expect_eq(count, 1);
    free(flows);
}

static void expect_no_runs(const char *reason)
{
    size_t count;
    message[0] = '\0';
    cr_expect_null(dj_plan_find_undecided_flows(&gate, &messages, &count));
    cr_expect_eq(strncmp(message, "scroll on serial-1: ", 20), 0, "%s", message);
    cr_expect_not_null(strstr(message, reason), "%s", message);
}

Test(gate_rerun, builds_that_were_not_interleaved_get_no_runs)
{
    add_cell("scroll", 10, 10);
    baseline[0].group = "pair-2";
    expect_no_runs("interleaved");
    baseline[0].group = NULL;
    expect_no_runs("interleaved");
    baseline[0].group = "pair-1";
    candidate[0].group = NULL;
    expect_no_runs("interleaved");
    candidate[0].group = "pair-1";
    batches[0].baseline_count = 2;
    expect_no_runs("the baseline has several batches");
}

/* ---- the plan of the candidate ---- */

/* Stores a batch with these options and returns the plan that is found for it. */
static char *find_plan(const char *options)
{
    char *path = test_path("plans.db");
    struct dj_store *store = open_store(path);
    struct dj_store_batch batch = {.project = "com.example",
                                   .device = {.serial = "local:", .kind = "local"},
                                   .name = "scroll",
                                   .kind = "run",
                                   .options = options};
    char id[DJ_STORE_ID_BYTES];
    struct dj_error err = {0};
    expect_ok(dj_store_begin_batch(store, &batch, id, &candidate[0].key, &err), err);
    gate.cells.candidate = &candidate[0];
    char *plan = dj_plan_find_stored(store, &gate);
    dj_store_close(store);
    free(path);
    return plan;
}

Test(gate_rerun, the_plan_of_the_candidate_is_in_its_options)
{
    char *plan = find_plan("{\"for\":10,\"plan\":\"plans/ci.yaml\"}");
    cr_expect_str_eq(plan, "plans/ci.yaml");
    free(plan);
}

Test(gate_rerun, a_candidate_without_a_plan_has_none)
{
    cr_expect_null(find_plan("{\"for\":10}"));
    cr_expect_null(find_plan("{\"plan\":7}"));
    cr_expect_null(find_plan(NULL));
}
