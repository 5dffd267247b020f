#include <math.h>

#include "base/json.h"
#include "gate/objectives.h"
#include "memory/memory.h"
#include "metrics/metric.h"
#include "plan/plan_private.h"

struct values {
    struct dj_objective objective;
    const char *metric, *statistic, *by;
    const struct dj_tree_node *at_most, *at_least, *goal;
};

#define AT(member) offsetof(struct values, member)
static const struct dj_field fields[] = {
    {"metric", DJ_FIELD_TEXT, AT(metric), 0, 0, true},
    {"at-most", DJ_FIELD_NODE, AT(at_most), 0, 0, false},
    {"at-least", DJ_FIELD_NODE, AT(at_least), 0, 0, false},
    {"goal", DJ_FIELD_NODE, AT(goal), 0, 0, false},
    {"by", DJ_FIELD_TEXT, AT(by), 0, 0, false},
    {"statistic", DJ_FIELD_TEXT, AT(statistic), 0, 0, false},
    {"flow", DJ_FIELD_TEXT, AT(objective.flow), 0, 0, false},
    {"devices", DJ_FIELD_TEXT, AT(objective.devices), 0, 0, false},
    {"priority", DJ_FIELD_TEXT, AT(objective.priority), 0, 0, false},
    {"note", DJ_FIELD_TEXT, AT(objective.note), 0, 0, false},
};
#undef AT

/* Reads a bound in the metric's own unit. Reports a fault and returns NaN if the text is
 * invalid. */
static double read_bound(const struct dj_tree_node *node, const char *key,
                         const char *metric, struct dj_plan_faults *faults)
{
    const char *text = node->kind == DJ_TREE_SCALAR ? node->text : "";
    const char *expected;
    double bound;
    if (dj_gate_objective_read_bound(metric, text, &bound, &expected)) {
        return bound;
    }
    dj_plan_add_fault(faults, node, "'%s' of %s: expected %s, found '%.60s'", key, metric,
                      expected, dj_fields_describe_node(node));
    return NAN;
}

static void read_metric(const struct dj_tree_node *map, const char *name,
                        struct dj_objective *objective, struct dj_plan_faults *faults)
{
    const char *names[DJ_METRIC_COUNT + 1];
    char near[120];
    if (dj_gate_objective_set_metric(name, objective)) {
        return;
    }
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        names[i] = dj_metrics_name((enum dj_metric)i);
    }
    names[DJ_METRIC_COUNT] = DJ_OBJECTIVE_SMOOTH;
    dj_fields_suggest(name, names, DJ_METRIC_COUNT + 1, near, sizeof(near));
    bool far = strncmp(near, "; did", 5) != 0;
    dj_plan_add_fault(
        faults, dj_tree_get(map, "metric"), "no metric '%.60s'%s", name,
        far ? "; expected one of docs/format/store.md, such as janky_pct or "
              "frame_time_p90_ns, or smooth_pct"
            : near);
}

static void check_flow(const struct dj_tree_node *map, const char *name,
                       const struct dj_plan *plan)
{
    const char *names[DJ_PLAN_FLOWS];
    char near[200];
    for (size_t i = 0; i < plan->flow_count; i++) {
        names[i] = plan->flows[i].name != NULL ? plan->flows[i].name : "";
        if (strcmp(names[i], name) == 0) {
            return;
        }
    }
    dj_fields_suggest(name, names, plan->flow_count, near, sizeof(near));
    dj_plan_add_fault(plan->faults, dj_tree_get(map, "flow"),
                      "the plan has no flow '%.60s'%s", name, near);
}

/* Reads the device selector or the name of one of the plan's classes. */
static void read_devices(const struct dj_tree_node *map, const struct dj_plan *plan,
                         struct dj_objective *objective)
{
    const char *names[DJ_PLAN_DEVICES];
    char near[200];
    for (size_t i = 0; i < plan->device_count; i++) {
        const struct dj_plan_device *device = &plan->devices[i];
        names[i] = device->selector != NULL     ? device->selector
                   : device->class.name != NULL ? device->class.name
                                                : "";
        if (strcmp(names[i], objective->devices) == 0) {
            objective->has_class = device->selector == NULL;
            objective->class = device->class;
            return;
        }
    }
    dj_fields_suggest(objective->devices, names, plan->device_count, near, sizeof(near));
    dj_plan_add_fault(plan->faults, dj_tree_get(map, "devices"),
                      "the plan has no device or class '%.60s'%s", objective->devices,
                      near);
}

static void read_statistic(const struct dj_tree_node *map, const char *word,
                           struct dj_objective *objective, struct dj_plan_faults *faults)
{
    const char *words[DJ_OBJECTIVE_STATISTICS];
    char near[80];
    if (dj_gate_statistic_find(word, &objective->statistic)) {
        return;
    }
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        words[i] = dj_gate_statistic_name((enum dj_objective_statistic)i);
    }
    dj_fields_suggest(word, words, COUNT_OF(words), near, sizeof(near));
    dj_plan_add_fault(faults, dj_tree_get(map, "statistic"), "no statistic '%.40s'%s",
                      word, near);
}

/* Reads a map such as {metric: p95, at-most: 16 ms}. Reports a fault and returns false if
 * the map is invalid. */
static bool read_objective_map(const struct dj_tree_node *node,
                               const struct dj_plan *plan, struct dj_objective *objective)
{
    struct values values = {.objective = {.priority = "normal", .goal = NAN},
                            .statistic = "median"};
    static const struct dj_field_table table = {
        "an objective", "write 'p95 <= 16.7 ms' or {metric: p95, at-most: 16.7 ms}",
        fields, COUNT_OF(fields)};
    if (!dj_fields_read(node, &table, &values, plan->faults) || values.metric == NULL) {
        return false;
    }
    if ((values.at_most == NULL) == (values.at_least == NULL)) {
        dj_plan_add_fault(plan->faults, node,
                          "expected 'at-most' or 'at-least' in an objective, found %s",
                          values.at_most == NULL ? "neither" : "both");
        return false;
    }
    *objective = values.objective;
    objective->at_least = values.at_least != NULL;
    read_metric(node, values.metric, objective, plan->faults);
    read_statistic(node, values.statistic, objective, plan->faults);
    dj_plan_check_priority(node, objective->priority, plan->faults);
    if (objective->flow != NULL) {
        check_flow(node, objective->flow, plan);
    }
    if (objective->devices != NULL) {
        read_devices(node, plan, objective);
    }
    if (values.by != NULL && dj_gate_objective_is_date(values.by)) {
        memcpy(objective->by, values.by, DJ_OBJECTIVE_DATE_BYTES);
    } else if (values.by != NULL) {
        dj_plan_add_fault(plan->faults, dj_tree_get(node, "by"),
                          "'by': expected a date such as 2027-03-31, found '%.40s'",
                          values.by);
    }
    objective->bound = read_bound(objective->at_least ? values.at_least : values.at_most,
                                  objective->at_least ? "at-least" : "at-most",
                                  objective->metric_name, plan->faults);
    if (values.goal != NULL) {
        objective->goal =
            read_bound(values.goal, "goal", objective->metric_name, plan->faults);
    }
    return true;
}

/* Reads an objective from a map or from a text such as 'p95 <= 16 ms'. */
static void read_objective(const struct dj_tree_node *node, struct dj_plan *plan)
{
    struct dj_objectives *objectives = &plan->objectives;
    struct dj_objective objective;
    struct dj_error err = {0};
    if (node->kind != DJ_TREE_SCALAR || node->text[0] == '\0') {
        if (read_objective_map(node, plan, &objective)) {
            dj_xcode(dj_gate_objectives_add(objectives, &objective, &err));
        }
        return;
    }
    int code = dj_xcode(dj_gate_objective_parse(node->text, objectives, &err));
    if (code == 0) {
        objectives->objective[objectives->count - 1].priority = "normal";
    } else if (code == DJ_E_USAGE) {
        dj_plan_add_fault(plan->faults, node, "%s", err.message);
    }
}

void dj_plan_read_objectives(const struct dj_tree_node *list, struct dj_plan *plan)
{
    static const struct dj_plan_list objectives = {
        "objectives", "write objectives: ['p95 <= 16.7 ms']", DJ_PLAN_OBJECTIVES};
    size_t count = list != NULL ? dj_plan_check_list(list, &objectives, plan->faults) : 0;
    for (size_t i = 0; i < count; i++) {
        read_objective(list->items[i], plan);
    }
}

enum { BOUND_DIGITS = 15 };

static void write_class(struct dj_text *json, const struct dj_device_class *class)
{
    dj_json_open_object(json, NULL);
    dj_json_add_string(json, "name", class->name);
    dj_json_add_string(json, "model", class->model);
    dj_json_open_array(json, "needs");
    for (size_t i = 0; i < class->need_count; i++) {
        const struct dj_class_need *need = &class->needs[i];
        dj_json_open_object(json, NULL);
        dj_json_add_string(json, "fact", dj_facts_class_keys[need->fact]);
        dj_json_add_rounded(json, "least", BOUND_DIGITS, need->least);
        dj_json_add_rounded(json, "most", BOUND_DIGITS, need->most);
        dj_json_add_bool(json, "above", need->above);
        dj_json_add_bool(json, "below", need->below);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]}");
}

/* Writes the definitions of the plan's classes, so that a reader of the store knows what
 * "low-end" meant in this plan. */
static void write_classes(struct dj_text *json, const struct dj_plan *plan)
{
    bool any = false;
    for (size_t i = 0; i < plan->device_count; i++) {
        const struct dj_plan_device *device = &plan->devices[i];
        if (device->selector == NULL && device->class.name != NULL) {
            if (!any) {
                dj_json_open_array(json, "classes");
                any = true;
            }
            write_class(json, &device->class);
        }
    }
    dj_json_close(json, any ? "]" : "");
}

static void write_objective(struct dj_text *json, const struct dj_objective *objective)
{
    dj_json_open_object(json, NULL);
    dj_json_add_string(json, "metric", objective->metric_name);
    dj_json_add_rounded(json, objective->at_least ? "at_least" : "at_most", BOUND_DIGITS,
                        objective->bound);
    dj_json_add_rounded(json, "goal", BOUND_DIGITS, objective->goal);
    if (objective->by[0] != '\0') {
        dj_json_add_string(json, "by", objective->by);
    }
    dj_json_add_string(json, "statistic", dj_gate_statistic_name(objective->statistic));
    dj_json_add_string(json, "flow", objective->flow);
    dj_json_add_string(json, "devices", objective->devices);
    dj_json_add_string(json, "priority", objective->priority);
    dj_json_add_string(json, "note", objective->note);
    dj_json_close(json, "}");
}

void dj_plan_write_objectives(const struct dj_plan *plan, struct dj_text *json)
{
    bool ranked = false;
    for (size_t i = 0; i < plan->flow_count; i++) {
        const char *priority = plan->flows[i].priority;
        ranked = ranked || (priority != NULL && strcmp(priority, "normal") != 0);
    }
    if (plan->objectives.count == 0 && !ranked) {
        return;
    }
    dj_json_open_object(json, NULL);
    dj_json_add_string(json, "schema", "dejank.objectives/1");
    dj_json_open_array(json, "flows");
    for (size_t i = 0; i < plan->flow_count; i++) {
        dj_json_open_object(json, NULL);
        dj_json_add_string(json, "name", plan->flows[i].name);
        dj_json_add_string(json, "priority", plan->flows[i].priority);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]");
    write_classes(json, plan);
    dj_json_open_array(json, "objectives");
    for (size_t i = 0; i < plan->objectives.count; i++) {
        write_objective(json, &plan->objectives.objective[i]);
    }
    dj_json_close(json, "]}");
}
