#include "cli/gate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/run_plan.h"
#include "memory/memory.h"

static int usage(const char *option, const char *found, const char *expected)
{
    return dj_refuse("%s '%.80s': expected %s", option, found, expected);
}

/* ---- options: they win over the plan ---- */

static int take_metrics(const struct dj_option_list *list, struct dj_plan_gate *gate)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *at = list->values[i];
        do {
            size_t length = strcspn(at, ",");
            char *one = dj_xcopy(at, length);
            bool read =
                count < DJ_PLAN_GATES && dj_gate_metric_read(one, &gate->gates[count]);
            free(one);
            if (!read) {
                return usage("--metric", list->values[i],
                             "a metric of dejank compare, at most 50, each with its "
                             "margin or without: p95=5%,jank");
            }
            count++;
            at += length;
        } while (*at++ == ',');
    }
    gate->gate_count = count > 0 ? count : gate->gate_count;
    return DJ_EXIT_OK;
}

static int take_texts(const struct dj_gate_options *options, struct dj_plan_gate *gate)
{
    if (options->margin != NULL && !dj_gate_share_read(options->margin, &gate->margin)) {
        return usage("--margin", options->margin, "a share above 0 such as 5% or 0.05");
    }
    if (options->alpha != NULL &&
        !(dj_gate_share_read(options->alpha, &gate->alpha) && gate->alpha < 0.5 &&
          (strchr(options->alpha, '%') != NULL || strtod(options->alpha, NULL) < 1))) {
        return usage("--alpha", options->alpha,
                     "a chance above 0 and below 0.5 such as 0.05");
    }
    if (options->stale != NULL && !dj_gate_age_read(options->stale, &gate->stale_ms)) {
        return usage("--stale", options->stale, "an age such as 7d or 12h");
    }
    if (options->looks != NULL &&
        !dj_gate_looks_read(options->looks, gate->looks, &gate->look_count)) {
        return usage("--looks", options->looks,
                     "runs of each build that rise, such as 10,15,20,30; 12 at most");
    }
    if (options->undecided != NULL &&
        !dj_plan_undecided_find(options->undecided, &gate->undecided)) {
        return usage("--undecided", options->undecided, "fail, pass or rerun");
    }
    return take_metrics(&options->metrics, gate);
}

static int take_baseline(const struct dj_gate_options *options, struct dj_plan_gate *gate)
{
    struct dj_error err = {0};
    bool nearest = gate->baseline.nearest || options->nearest;
    if (options->baseline != NULL) {
        gate->has_baseline = true;
        if (dj_baseline_parse(options->baseline, &gate->baseline, &err) != 0) {
            return dj_refuse("--baseline: %s", err.message);
        }
    }
    gate->baseline.nearest = nearest;
    gate->baseline.folder = options->repository;
    return DJ_EXIT_OK;
}

static int take_objectives(const struct dj_option_list *list, struct dj_gate_ask *ask)
{
    for (size_t i = 0; i < list->count; i++) {
        struct dj_error err = {0};
        if (dj_objective_parse(list->values[i], &ask->plan.objectives, &err) != 0) {
            dj_complain("--objective: %s", err.message);
            return dj_exit_for(err.code);
        }
    }
    return DJ_EXIT_OK;
}

/* ---- the rules ---- */

/* Flows on the devices that the plan names; what is of its classes the store must say.
 * What the options do not ask for is not missing. */
static void want(struct dj_gate_ask *ask, const char *flow, const char *device)
{
    const struct dj_plan *plan = &ask->plan;
    struct dj_cells_wish *wish = &ask->rules.cells;
    ask->wanted = dj_xcalloc(plan->flow_count * plan->device_count, sizeof(*ask->wanted));
    for (size_t i = 0; i < plan->device_count; i++) {
        const char *selector = plan->devices[i].selector;
        bool wanted = selector != NULL && strcmp(selector, "adb:") != 0 &&
                      (device == NULL || strcmp(device, selector) == 0);
        for (size_t k = 0; wanted && k < plan->flow_count; k++) {
            const char *name = plan->flows[k].name;
            if (flow == NULL || strcmp(flow, name) == 0) {
                ask->wanted[wish->wanted_count++] =
                    (struct dj_cell_wanted){name, selector};
            }
        }
    }
    wish->wanted = ask->wanted;
}

static void make_rules(const struct dj_gate_options *options, struct dj_gate_ask *ask)
{
    const struct dj_plan *plan = &ask->plan;
    const struct dj_plan_gate *gate = &plan->gate;
    const char *project =
        plan->batch.project != NULL ? plan->batch.project : plan->batch.package;
    ask->rules = (struct dj_gate_rules){
        .cells = {.candidate = options->candidate,
                  .flow = options->flow,
                  .serial = options->device,
                  .has_baseline = gate->has_baseline,
                  .baseline = gate->baseline},
        .project = options->project != NULL ? options->project : project,
        .alpha = gate->alpha,
        .margin = gate->margin,
        .gates = gate->gates,
        .gate_count = gate->gate_count,
        .objectives = &plan->objectives,
        .only_these = options->plan != NULL,
        .allow_new = gate->allow_new || options->allow_new,
        .stale_ms = gate->stale_ms,
        .now_unix_ms = (int64_t)time(NULL) * 1000,
    };
    want(ask, options->flow, options->device);
}

int dj_gate_ask(const struct dj_gate_options *options, struct dj_gate_ask *ask)
{
    struct dj_plan *plan = &ask->plan;
    int exit = options->plan != NULL
                   ? dj_plan_file_read(options->plan, &ask->plan_bytes, plan)
                   : DJ_EXIT_OK;
    exit = exit == DJ_EXIT_OK ? take_texts(options, &plan->gate) : exit;
    exit = exit == DJ_EXIT_OK ? take_baseline(options, &plan->gate) : exit;
    exit = exit == DJ_EXIT_OK ? take_objectives(&options->objectives, ask) : exit;
    plan->store = options->store != NULL ? options->store : plan->store;
    if (options->rerun) {
        plan->gate.undecided = DJ_UNDECIDED_RERUNS;
    }
    if (exit == DJ_EXIT_OK) {
        make_rules(options, ask);
    }
    return exit;
}

void dj_gate_ask_finish(struct dj_gate_ask *ask)
{
    free(ask->wanted);
    dj_plan_finish(&ask->plan);
    dj_text_finish(&ask->plan_bytes);
}
