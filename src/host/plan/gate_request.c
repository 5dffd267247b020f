#include "plan/gate_request.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory/memory.h"

static int report_invalid(struct dj_error *err, const char *option, const char *found,
                          const char *expected)
{
    return dj_error_set(err, DJ_E_USAGE, "%s '%.80s': expected %s", option, found,
                        expected);
}

static int read_metrics(const struct dj_gate_options *options, struct dj_plan_gate *gate,
                        struct dj_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < options->metric_count; i++) {
        const char *at = options->metrics[i];
        do {
            size_t length = strcspn(at, ",");
            char *one = dj_xcopy(at, length);
            bool read =
                count < DJ_PLAN_GATES && dj_gate_read_metric(one, &gate->gates[count]);
            free(one);
            if (!read) {
                return report_invalid(err, "--metric", options->metrics[i],
                                      "a metric of dejank compare, with or without a "
                                      "margin, at most 50: p95=5%,jank");
            }
            count++;
            at += length;
        } while (*at++ == ',');
    }
    gate->gate_count = count > 0 ? count : gate->gate_count;
    return 0;
}

static int read_numbers(const struct dj_gate_options *options, struct dj_plan_gate *gate,
                        struct dj_error *err)
{
    if (options->margin != NULL && !dj_gate_read_share(options->margin, &gate->margin)) {
        return report_invalid(err, "--margin", options->margin,
                              "a share above 0 such as 5% or 0.05");
    }
    if (options->alpha != NULL &&
        !(dj_gate_read_share(options->alpha, &gate->alpha) && gate->alpha < 0.5 &&
          (strchr(options->alpha, '%') != NULL || strtod(options->alpha, NULL) < 1))) {
        return report_invalid(err, "--alpha", options->alpha,
                              "a chance above 0 and below 0.5 such as 0.05");
    }
    if (options->stale != NULL && !dj_gate_read_age(options->stale, &gate->stale_ms)) {
        return report_invalid(err, "--stale", options->stale, "an age such as 7d or 12h");
    }
    if (options->looks != NULL &&
        !dj_gate_read_interim_levels(options->looks, gate->looks, &gate->look_count)) {
        return report_invalid(
            err, "--looks", options->looks,
            "rising numbers of runs per build, such as 10,15,20,30, at most 12");
    }
    if (options->undecided != NULL &&
        !dj_plan_undecided_find(options->undecided, &gate->undecided)) {
        return report_invalid(err, "--undecided", options->undecided,
                              "fail, pass or rerun");
    }
    return read_metrics(options, gate, err);
}

static int read_baseline(const struct dj_gate_options *options, struct dj_plan_gate *gate,
                         struct dj_error *err)
{
    bool nearest = gate->baseline.nearest || options->nearest;
    if (options->baseline != NULL) {
        gate->has_baseline = true;
        if (dj_gate_baseline_parse(options->baseline, &gate->baseline, err) != 0) {
            dj_error_prepend(err, "--baseline");
            return err->code = DJ_E_USAGE;
        }
    }
    gate->baseline.nearest = nearest;
    gate->baseline.folder = options->repository;
    return 0;
}

static int read_objectives(const struct dj_gate_options *options,
                           struct dj_gate_request *request, struct dj_error *err)
{
    for (size_t i = 0; i < options->objective_count; i++) {
        if (dj_gate_objective_parse(options->objectives[i], &request->plan.objectives,
                                    err) != 0) {
            dj_error_prepend(err, "--objective");
            return err->code;
        }
    }
    return 0;
}

/* Adds the flows of the plan on each device that the plan names. Devices of the plan's
 * classes are not added here, because they are found in the store. Cells that the options
 * exclude are not added. */
static void add_wanted_cells(struct dj_gate_request *request, const char *flow,
                             const char *device)
{
    const struct dj_plan *plan = &request->plan;
    struct dj_cells_options *wish = &request->rules.cells;
    request->wanted =
        dj_xcalloc(plan->flow_count * plan->device_count, sizeof(*request->wanted));
    for (size_t i = 0; i < plan->device_count; i++) {
        const char *selector = plan->devices[i].selector;
        bool wanted = selector != NULL && strcmp(selector, "adb:") != 0 &&
                      (device == NULL || strcmp(device, selector) == 0);
        for (size_t k = 0; wanted && k < plan->flow_count; k++) {
            const char *name = plan->flows[k].name;
            if (flow == NULL || strcmp(flow, name) == 0) {
                request->wanted[wish->wanted_count++] =
                    (struct dj_wanted_cell){name, selector};
            }
        }
    }
    wish->wanted = request->wanted;
}

static void make_rules(const struct dj_gate_options *options,
                       struct dj_gate_request *request)
{
    const struct dj_plan *plan = &request->plan;
    const struct dj_plan_gate *gate = &plan->gate;
    const char *project =
        plan->batch.project != NULL ? plan->batch.project : plan->batch.package;
    request->rules = (struct dj_gate_rules){
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
    add_wanted_cells(request, options->flow, options->device);
}

int dj_plan_gate_request_init(const struct dj_gate_options *options,
                              struct dj_gate_request *request, struct dj_error *err)
{
    struct dj_plan *plan = &request->plan;
    int code = read_numbers(options, &plan->gate, err);
    code = code == 0 ? read_baseline(options, &plan->gate, err) : code;
    code = code == 0 ? read_objectives(options, request, err) : code;
    plan->store = options->store != NULL ? options->store : plan->store;
    if (options->rerun) {
        plan->gate.undecided = DJ_UNDECIDED_RERUNS;
    }
    if (code == 0) {
        make_rules(options, request);
    }
    return code;
}

void dj_plan_gate_request_finish(struct dj_gate_request *request)
{
    free(request->wanted);
    dj_plan_finish(&request->plan);
    dj_text_finish(&request->plan_bytes);
}
