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

/* ---- the plan ---- */

/* Flows on the devices that the plan names; what is of its classes the store must say. */
static void want(struct dj_gate_ask *ask)
{
    const struct dj_plan *plan = &ask->plan;
    ask->wanted = dj_xcalloc(plan->flow_count * plan->device_count, sizeof(*ask->wanted));
    for (size_t i = 0; i < plan->device_count; i++) {
        const char *selector = plan->devices[i].selector;
        for (size_t k = 0;
             selector != NULL && strcmp(selector, "adb:") != 0 && k < plan->flow_count;
             k++) {
            ask->wanted[ask->rules.cells.wanted_count++] =
                (struct dj_cell_wanted){plan->flows[k].name, selector};
        }
    }
    ask->rules.cells.wanted = ask->wanted;
}

static void take_plan(struct dj_gate_ask *ask)
{
    const struct dj_plan *plan = &ask->plan;
    const struct dj_plan_gate *gate = &plan->gate;
    struct dj_gate_rules *rules = &ask->rules;
    rules->project =
        plan->batch.project != NULL ? plan->batch.project : plan->batch.package;
    rules->margin = gate->margin;
    rules->alpha = gate->alpha;
    rules->gate_count = gate->gate_count;
    memcpy(ask->gates, gate->gates, sizeof(ask->gates));
    rules->cells.has_baseline = gate->has_baseline;
    rules->cells.baseline = gate->baseline;
    rules->allow_new = gate->allow_new;
    rules->stale_ms = gate->stale_ms;
    rules->only_these = true;
    ask->undecided = gate->undecided;
    ask->look_count = gate->look_count;
    memcpy(ask->looks, gate->looks, sizeof(ask->looks));
    ask->store = plan->store;
    want(ask);
}

/* ---- options ---- */

static int take_metrics(const struct dj_option_list *list, struct dj_gate_ask *ask)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *at = list->values[i];
        do {
            size_t length = strcspn(at, ",");
            char *one = dj_xcopy(at, length);
            bool read =
                count < DJ_PLAN_GATES && dj_gate_metric_read(one, &ask->gates[count]);
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
    ask->rules.gate_count = count > 0 ? count : ask->rules.gate_count;
    return DJ_EXIT_OK;
}

static int take_texts(const struct dj_gate_options *options, struct dj_gate_ask *ask)
{
    struct dj_gate_rules *rules = &ask->rules;
    if (options->margin != NULL && !dj_gate_share_read(options->margin, &rules->margin)) {
        return usage("--margin", options->margin, "a share above 0 such as 5% or 0.05");
    }
    if (options->alpha != NULL &&
        !(dj_gate_share_read(options->alpha, &rules->alpha) && rules->alpha < 0.5 &&
          (strchr(options->alpha, '%') != NULL || strtod(options->alpha, NULL) < 1))) {
        return usage("--alpha", options->alpha,
                     "a chance above 0 and below 0.5 such as 0.05");
    }
    if (options->stale != NULL && !dj_gate_age_read(options->stale, &rules->stale_ms)) {
        return usage("--stale", options->stale, "an age such as 7d or 12h");
    }
    if (options->looks != NULL &&
        !dj_gate_looks_read(options->looks, ask->looks, &ask->look_count)) {
        return usage("--looks", options->looks,
                     "runs of each build that rise, such as 10,15,20,30; 12 at most");
    }
    if (options->undecided != NULL &&
        !dj_plan_undecided_find(options->undecided, &ask->undecided)) {
        return usage("--undecided", options->undecided, "fail, pass or rerun");
    }
    return DJ_EXIT_OK;
}

static int take_baseline(const struct dj_gate_options *options, struct dj_gate_ask *ask)
{
    struct dj_cells_wish *wish = &ask->rules.cells;
    struct dj_error err = {0};
    if (options->baseline != NULL) {
        bool nearest = wish->baseline.nearest;
        wish->has_baseline = true;
        if (dj_baseline_parse(options->baseline, &wish->baseline, &err) != 0) {
            return dj_refuse("--baseline: %s", err.message);
        }
        wish->baseline.nearest = nearest;
    }
    wish->baseline.nearest = wish->baseline.nearest || options->nearest;
    wish->baseline.folder = options->repository;
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

static void take_names(const struct dj_gate_options *options, struct dj_gate_ask *ask)
{
    struct dj_gate_rules *rules = &ask->rules;
    rules->cells.candidate = options->candidate;
    rules->cells.flow = options->flow;
    rules->cells.serial = options->device;
    rules->project = options->project != NULL ? options->project : rules->project;
    rules->allow_new = rules->allow_new || options->allow_new;
    rules->gates = ask->gates;
    rules->objectives = &ask->plan.objectives;
    rules->now_unix_ms = (int64_t)time(NULL) * 1000;
    ask->store = options->store != NULL ? options->store : ask->store;
    if (options->rerun) {
        ask->undecided = DJ_UNDECIDED_RERUNS;
    }
    if (options->flow != NULL || options->device != NULL) {
        size_t kept = 0; /* what was not asked for is not missing */
        for (size_t i = 0; i < rules->cells.wanted_count; i++) {
            const struct dj_cell_wanted wanted = ask->wanted[i];
            if ((options->flow == NULL || strcmp(options->flow, wanted.flow) == 0) &&
                (options->device == NULL ||
                 strcmp(options->device, wanted.serial) == 0)) {
                ask->wanted[kept++] = wanted;
            }
        }
        rules->cells.wanted_count = kept;
    }
}

int dj_gate_ask(const struct dj_gate_options *options, struct dj_gate_ask *ask)
{
    int exit = DJ_EXIT_OK;
    if (options->plan != NULL) {
        ask->has_plan = true;
        exit = dj_plan_file_read(options->plan, &ask->plan_bytes, &ask->plan);
        if (exit == DJ_EXIT_OK) {
            take_plan(ask);
        }
    }
    exit = exit == DJ_EXIT_OK ? take_texts(options, ask) : exit;
    exit = exit == DJ_EXIT_OK ? take_metrics(&options->metrics, ask) : exit;
    exit = exit == DJ_EXIT_OK ? take_baseline(options, ask) : exit;
    exit = exit == DJ_EXIT_OK ? take_objectives(&options->objectives, ask) : exit;
    take_names(options, ask);
    return exit;
}

void dj_gate_ask_finish(struct dj_gate_ask *ask)
{
    free(ask->wanted);
    dj_plan_finish(&ask->plan);
    dj_text_finish(&ask->plan_bytes);
}
