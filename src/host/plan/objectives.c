#include <math.h>

#include "base/json.h"
#include "history/metrics.h"
#include "judge/objectives.h"
#include "plan/parts.h"

struct values {
    const char *flow, *metric, *statistic, *devices, *by, *priority, *note;
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
    {"flow", DJ_FIELD_TEXT, AT(flow), 0, 0, false},
    {"devices", DJ_FIELD_TEXT, AT(devices), 0, 0, false},
    {"priority", DJ_FIELD_TEXT, AT(priority), 0, 0, false},
    {"note", DJ_FIELD_TEXT, AT(note), 0, 0, false},
};
#undef AT

/* The guide speaks of smooth frames; the store has the janky ones. */
static const char smooth[] = "smooth_pct";

/* In the metric's own unit; NaN: told. */
static double read_bound(const struct dj_tree_node *node, const char *key,
                         const char *metric, struct dj_plan_faults *faults)
{
    const char *text = node->kind == DJ_TREE_SCALAR ? node->text : "";
    const char *expected;
    double bound;
    if (dj_objective_bound_read(metric, text, &bound, &expected)) {
        return bound;
    }
    dj_plan_fault(faults, node, "'%s' of %s: expected %s, found '%.60s'", key, metric,
                  expected, node->kind == DJ_TREE_SCALAR ? text : dj_node_kind(node));
    return NAN;
}

/* ---- what it may name ---- */

static void check_metric(const struct dj_tree_node *map, const char *metric,
                         struct dj_plan_faults *faults)
{
    const char *names[DJ_METRIC_COUNT + 1];
    char near[120];
    enum dj_metric found;
    if (dj_metric_find(metric, &found) || strcmp(metric, smooth) == 0) {
        return;
    }
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        names[i] = dj_metric_name((enum dj_metric)i);
    }
    names[DJ_METRIC_COUNT] = smooth;
    dj_words_near(metric, names, DJ_METRIC_COUNT + 1, near, sizeof(near));
    bool far = strncmp(near, "; did", 5) != 0;
    dj_plan_fault(faults, dj_tree_get(map, "metric"), "no metric '%.60s'%s", metric,
                  far ? "; expected one of docs/format/store.md, such as janky_pct or "
                        "frame_time_p90_ns, or smooth_pct"
                      : near);
}

static void check_flow(const struct dj_tree_node *map, const char *name,
                       const struct dj_plan *plan, struct dj_plan_faults *faults)
{
    const char *names[DJ_PLAN_FLOWS];
    char near[200];
    for (size_t i = 0; i < plan->flow_count; i++) {
        names[i] = plan->flows[i].name != NULL ? plan->flows[i].name : "";
        if (strcmp(names[i], name) == 0) {
            return;
        }
    }
    dj_words_near(name, names, plan->flow_count, near, sizeof(near));
    dj_plan_fault(faults, dj_tree_get(map, "flow"), "the plan has no flow '%.60s'%s",
                  name, near);
}

static void check_devices(const struct dj_tree_node *map, const char *name,
                          const struct dj_plan *plan, struct dj_plan_faults *faults)
{
    const char *names[DJ_PLAN_DEVICES];
    char near[200];
    for (size_t i = 0; i < plan->device_count; i++) {
        const struct dj_plan_device *device = &plan->devices[i];
        names[i] = device->selector != NULL     ? device->selector
                   : device->class.name != NULL ? device->class.name
                                                : "";
        if (strcmp(names[i], name) == 0) {
            return;
        }
    }
    dj_words_near(name, names, plan->device_count, near, sizeof(near));
    dj_plan_fault(faults, dj_tree_get(map, "devices"),
                  "the plan has no device or class '%.60s'%s", name, near);
}

static void check_statistic(const struct dj_tree_node *map, const char *statistic,
                            struct dj_plan_faults *faults)
{
    static const char *const words[] = {"median", "mean", "worst"};
    char near[80];
    for (size_t i = 0; i < DJ_ROWS(words); i++) {
        if (strcmp(statistic, words[i]) == 0) {
            return;
        }
    }
    dj_words_near(statistic, words, DJ_ROWS(words), near, sizeof(near));
    dj_plan_fault(faults, dj_tree_get(map, "statistic"), "no statistic '%.40s'%s",
                  statistic, near);
}

/* ---- as JSON ---- */

static void write_number(struct dj_text *json, const char *key, double number)
{
    dj_json_key(json, key);
    if (isfinite(number)) {
        dj_text_format(json, "%.15g", number);
    } else {
        dj_json_null(json);
    }
}

static void write_class(struct dj_text *json, const struct dj_device_class *class)
{
    dj_json_open_object(json, NULL);
    dj_json_put_string(json, "name", class->name);
    dj_json_put_string(json, "model", class->model);
    dj_json_open_array(json, "needs");
    for (size_t i = 0; i < class->need_count; i++) {
        const struct dj_class_need *need = &class->needs[i];
        dj_json_open_object(json, NULL);
        dj_json_put_string(json, "fact", dj_class_keys[need->fact]);
        write_number(json, "least", need->least);
        write_number(json, "most", need->most);
        dj_json_put_bool(json, "above", need->above);
        dj_json_put_bool(json, "below", need->below);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]}");
}

/* What the plan's own classes require, so that a reader of the store knows what "low-end"
 * meant. */
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

static void check_date(const struct dj_tree_node *map, const char *by,
                       struct dj_plan_faults *faults)
{
    if (!dj_objective_date(by)) {
        dj_plan_fault(faults, dj_tree_get(map, "by"),
                      "'by': expected a date such as 2027-03-31, found '%.40s'", by);
    }
}

static void read_one(const struct dj_tree_node *node, struct dj_plan *plan,
                     struct dj_plan_faults *faults)
{
    struct dj_text *json = &plan->objectives;
    struct values values = {.statistic = "median", .priority = "normal"};
    if (!dj_fields_read(node, "an objective", fields, DJ_ROWS(fields), &values, faults) ||
        values.metric == NULL) {
        return;
    }
    if ((values.at_most == NULL) == (values.at_least == NULL)) {
        dj_plan_fault(faults, node,
                      "expected 'at-most' or 'at-least' in an objective, found %s",
                      values.at_most == NULL ? "neither" : "both");
        return;
    }
    check_metric(node, values.metric, faults);
    check_statistic(node, values.statistic, faults);
    dj_plan_check_priority(node, values.priority, faults);
    if (values.flow != NULL) {
        check_flow(node, values.flow, plan, faults);
    }
    if (values.devices != NULL) {
        check_devices(node, values.devices, plan, faults);
    }
    if (values.by != NULL) {
        check_date(node, values.by, faults);
    }
    dj_json_open_object(json, NULL);
    dj_json_put_string(json, "metric", values.metric);
    const char *key = values.at_most != NULL ? "at-most" : "at-least";
    const struct dj_tree_node *bound =
        values.at_most != NULL ? values.at_most : values.at_least;
    write_number(json, values.at_most != NULL ? "at_most" : "at_least",
                 read_bound(bound, key, values.metric, faults));
    write_number(json, "goal",
                 values.goal != NULL
                     ? read_bound(values.goal, "goal", values.metric, faults)
                     : NAN);
    if (values.by != NULL) {
        dj_json_put_string(json, "by", values.by);
    }
    dj_json_put_string(json, "statistic", values.statistic);
    dj_json_put_string(json, "flow", values.flow);
    dj_json_put_string(json, "devices", values.devices);
    dj_json_put_string(json, "priority", values.priority);
    dj_json_put_string(json, "note", values.note);
    dj_json_close(json, "}");
    plan->objective_count++;
}

/* Nothing where a plan asks for nothing. */
void dj_plan_read_objectives(const struct dj_tree_node *list, struct dj_plan *plan,
                             struct dj_plan_faults *faults)
{
    struct dj_text *json = &plan->objectives;
    size_t count =
        list != NULL ? dj_plan_list(list, "objectives", DJ_PLAN_OBJECTIVES, faults) : 0;
    bool ranked = false;
    for (size_t i = 0; i < plan->flow_count; i++) {
        const char *priority = plan->flows[i].priority;
        ranked = ranked || (priority != NULL && strcmp(priority, "normal") != 0);
    }
    if (count == 0 && !ranked) {
        return;
    }
    dj_json_open_object(json, NULL);
    dj_json_put_string(json, "schema", "dejank.objectives/1");
    dj_json_open_array(json, "flows");
    for (size_t i = 0; i < plan->flow_count; i++) {
        dj_json_open_object(json, NULL);
        dj_json_put_string(json, "name", plan->flows[i].name);
        dj_json_put_string(json, "priority", plan->flows[i].priority);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]");
    write_classes(json, plan);
    dj_json_open_array(json, "objectives");
    for (size_t i = 0; i < count && !json->failed; i++) {
        read_one(list->items[i], plan, faults);
    }
    dj_json_close(json, "]}");
}
