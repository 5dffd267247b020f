#include "plan/plan.h"

#include <libgen.h>

#include "memory/memory.h"
#include "plan/plan_private.h"
#include "store/url.h"

/* Estimated time of a run outside its window: stopping and starting the app, its first
 * frame, reading figures, and checking the device. */
static const int64_t AROUND_NS = 4000000000;

/* Length of a window if the plan does not set one. */
static const int64_t WINDOW_NS = 10000000000;

struct values {
    /* The settings of the batch. If a key is missing, its setting is not changed. */
    struct dj_batch_plan batch;
    int64_t version, window_ns;
    const char *store;
    const struct dj_tree_node *builds, *devices, *flows, *objectives, *gate, *notes,
        *trace;
};

#define AT(member) offsetof(struct values, member)
static const struct dj_field fields[] = {
    {"plan", DJ_FIELD_COUNT, AT(version), 1, 1, true},
    {"project", DJ_FIELD_TEXT, AT(batch.project), 0, 0, false},
    {"package", DJ_FIELD_TEXT, AT(batch.package), 0, 0, false},
    {"activity", DJ_FIELD_TEXT, AT(batch.activity), 0, 0, false},
    {"store", DJ_FIELD_TEXT, AT(store), 0, 0, false},
    {"runs", DJ_FIELD_COUNT, AT(batch.runs), 1, DJ_BATCH_RUNS_MAX, false},
    {"warmup", DJ_FIELD_COUNT, AT(batch.warmups), 0, 1000, false},
    {"retries", DJ_FIELD_COUNT, AT(batch.retries), 0, 100, false},
    {"settle", DJ_FIELD_DURATION, AT(batch.settle_ns), 0, 0, false},
    {"cool-down", DJ_FIELD_DURATION, AT(batch.cool_down_ns), 0, 0, false},
    {"seed", DJ_FIELD_COUNT, AT(batch.seed), 0, INT64_C(1) << 53, false},
    {"for", DJ_FIELD_DURATION, AT(window_ns), 100000000, 0, false},
    {"refresh", DJ_FIELD_RATE, AT(batch.refresh_hz), 0, 0, false},
    {"aggregate-only", DJ_FIELD_FLAG, AT(batch.aggregate_only), 0, 0, false},
    {"profile", DJ_FIELD_FLAG, AT(batch.profile), 0, 0, false},
    {"source", DJ_FIELD_TEXT, AT(batch.frame_source), 0, 0, false},
    {"trace", DJ_FIELD_NODE, AT(trace), 0, 0, false},
    {"builds", DJ_FIELD_NODE, AT(builds), 0, 0, false},
    {"devices", DJ_FIELD_NODE, AT(devices), 0, 0, true},
    {"flows", DJ_FIELD_NODE, AT(flows), 0, 0, true},
    {"objectives", DJ_FIELD_NODE, AT(objectives), 0, 0, false},
    {"gate", DJ_FIELD_NODE, AT(gate), 0, 0, false},
    {"definitions", DJ_FIELD_NODE, AT(notes), 0, 0, false},
};
#undef AT

size_t dj_plan_check_list(const struct dj_tree_node *node,
                          const struct dj_plan_list *list, struct dj_plan_faults *faults)
{
    char expected[80];
    snprintf(expected, sizeof(expected), "a list of %s", list->what);
    if (node->kind != DJ_TREE_LIST) {
        dj_fields_report_kind(node, expected, list->hint, faults);
        return 0;
    }
    if (node->count == 0) {
        dj_plan_add_fault(faults, node, "expected %s, found an empty one. hint: %s",
                          expected, list->hint);
        return 0;
    }
    if (node->count > list->most) {
        dj_plan_add_fault(faults, node->items[list->most],
                          "expected at most %zu %s, found %zu", list->most, list->what,
                          node->count);
        return 0;
    }
    return node->count;
}

void dj_plan_check_priority(const struct dj_tree_node *map, const char *priority,
                            struct dj_plan_faults *faults)
{
    static const char *const words[] = {"high", "normal", "low"};
    char near[80];
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcmp(priority, words[i]) == 0) {
            return;
        }
    }
    dj_fields_suggest(priority, words, COUNT_OF(words), near, sizeof(near));
    dj_plan_add_fault(faults, dj_tree_get(map, "priority"), "no priority '%.40s'%s",
                      priority, near);
}

size_t dj_plan_count_local(const struct dj_plan *plan)
{
    size_t local = 0;
    for (size_t i = 0; i < plan->device_count; i++) {
        const char *selector = plan->devices[i].selector;
        local += selector != NULL && strcmp(selector, "local:") == 0;
    }
    return local;
}

void *dj_plan_own(struct dj_plan *plan, void *owned)
{
    DJ_XPUSH(plan->owned, plan->owned_count, owned);
    return owned;
}

const char *dj_plan_resolve_path(struct dj_plan *plan, const char *path)
{
    if (path == NULL || path[0] == '/' || strcmp(plan->folder, ".") == 0) {
        return path;
    }
    return dj_plan_own(plan, dj_xformat("%s/%s", plan->folder, path));
}

static void check_source(const struct dj_plan *plan)
{
    static const char *const words[] = {"gfxinfo", "surface", "auto"};
    const char *source = plan->batch.frame_source;
    char near[80];
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (source == NULL || strcmp(source, words[i]) == 0) {
            return;
        }
    }
    dj_fields_suggest(source, words, COUNT_OF(words), near, sizeof(near));
    dj_plan_add_fault(plan->faults, dj_tree_get(plan->tree.root, "source"),
                      "expected gfxinfo, surface or auto, found '%.40s'%s", source, near);
}

static void read_plan(struct dj_plan *plan)
{
    struct dj_batch_plan *batch = &plan->batch;
    struct values values = {.batch = *batch};
    static const struct dj_field_table table = {
        "a plan", "start the file with 'plan: 1' (docs/format/plan.md has an example)",
        fields, COUNT_OF(fields)};
    if (!dj_fields_read(plan->tree.root, &table, &values, plan->faults)) {
        return;
    }
    *batch = values.batch;
    batch->source = plan->file;
    check_source(plan);
    plan->store = values.store != NULL && dj_store_url_is_postgres(values.store)
                      ? values.store
                      : dj_plan_resolve_path(plan, values.store);
    if (values.devices != NULL) {
        dj_plan_read_devices(values.devices, plan);
    }
    if (values.builds != NULL) {
        dj_plan_read_builds(values.builds, plan);
    } else {
        batch->builds[0] = (struct dj_build_plan){.label = "A"};
        batch->build_count = 1;
    }
    if (values.flows != NULL) {
        dj_plan_read_flows(values.flows, plan);
    }
    for (size_t i = 0; i < plan->flow_count; i++) {
        struct dj_plan_flow *flow = &plan->flows[i];
        flow->duration_ns = flow->duration_ns > 0 ? flow->duration_ns : values.window_ns;
    }
    if (batch->package == NULL && batch->builds[0].command == NULL) {
        dj_plan_add_fault(plan->faults, plan->tree.root,
                          "a plan needs 'package' (unless its builds have a 'command')");
    }
    if (values.trace != NULL) {
        dj_plan_read_trace(values.trace, plan);
    }
    if (values.gate != NULL) {
        dj_plan_read_gate(values.gate, &plan->gate, plan->faults);
    }
    dj_plan_read_objectives(values.objectives, plan);
    dj_plan_write_objectives(plan, &plan->stored);
    batch->objectives = plan->stored.length > 0 ? dj_xtext(&plan->stored) : NULL;
}

int dj_plan_read(const char *file, const char *bytes, size_t length, struct dj_plan *plan,
                 struct dj_plan_faults *faults, struct dj_error *err)
{
    *plan = (struct dj_plan){.batch = dj_measure_batch_plan_default(), .faults = faults};
    *faults = (struct dj_plan_faults){.file = file};
    plan->file = dj_xstrdup(file);
    char *copy = dj_xstrdup(file);
    plan->folder = dj_xstrdup(dirname(copy));
    free(copy);
    int result = dj_tree_read(bytes, length, &plan->tree, faults, err);
    if (result != 0) {
        return result;
    }
    if (plan->tree.root == NULL) {
        dj_plan_add_fault_at(faults, 1, 1,
                             "empty; expected a plan (docs/format/plan.md)");
    } else {
        read_plan(plan);
    }
    dj_xtext(&faults->lines);
    return faults->count == 0
               ? 0
               : dj_error_set(err, DJ_E_INVALID, "%s is not a valid plan", file);
}

void dj_plan_finish(struct dj_plan *plan)
{
    for (size_t i = 0; i < plan->owned_count; i++) {
        free(plan->owned[i]);
    }
    free(plan->owned);
    free(plan->flows);
    free(plan->devices);
    free(plan->file);
    free(plan->folder);
    dj_gate_objectives_finish(&plan->objectives);
    dj_text_finish(&plan->stored);
    dj_tree_finish(&plan->tree);
    *plan = (struct dj_plan){0};
}

int64_t dj_plan_run_ns(const struct dj_plan *plan, const struct dj_plan_flow *flow)
{
    int64_t window_ns = flow->duration_ns > 0 ? flow->duration_ns : WINDOW_NS;
    return window_ns + plan->batch.settle_ns + AROUND_NS;
}
