#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gate/objectives.h"
#include "memory/memory.h"

int dj_gate_objectives_add(struct dj_objectives *objectives,
                           const struct dj_objective *objective, struct dj_error *err)
{
    if (objectives->count == DJ_OBJECTIVES_MAX) {
        return dj_error_set(err, DJ_E_LIMIT, "more than %d objectives",
                            DJ_OBJECTIVES_MAX);
    }
    struct dj_objective own = *objective;
    const char **const texts[] = {&own.metric_name, &own.flow, &own.devices,
                                  &own.priority,    &own.note, &own.class.name,
                                  &own.class.model};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        *texts[i] = dj_memory_strings_add(&objectives->texts, *texts[i]);
    }
    DJ_XPUSH(objectives->objective, objectives->count, own);
    return 0;
}

void dj_gate_objectives_finish(struct dj_objectives *objectives)
{
    dj_memory_strings_finish(&objectives->texts);
    free(objectives->objective);
    free(objectives->flow);
    *objectives = (struct dj_objectives){0};
}

static const char schema[] = "dejank.objectives/1";

static const char *get_text(const json_t *map, const char *key)
{
    return json_string_value(json_object_get(map, key));
}

/* Returns a number of the map, or NaN if it is null or missing. */
static double get_number(const json_t *map, const char *key)
{
    const json_t *value = json_object_get(map, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int read_need(const json_t *node, struct dj_device_class *class,
                     struct dj_error *err)
{
    struct dj_class_need *need = &class->needs[class->need_count];
    const char *fact = get_text(node, "fact");
    if (class->need_count == DJ_CLASS_NEEDS) {
        return dj_error_set(err, DJ_E_INVALID, "class '%.60s': more than %d conditions",
                            class->name, DJ_CLASS_NEEDS);
    }
    for (size_t i = 0; fact != NULL && i < DJ_FACT_COUNT; i++) {
        if (strcmp(fact, dj_facts_class_keys[i]) == 0) {
            double least = get_number(node, "least"), most = get_number(node, "most");
            *need = (struct dj_class_need){
                .fact = (enum dj_class_fact)i,
                .least = isnan(least) ? -INFINITY : least,
                .most = isnan(most) ? INFINITY : most,
                .above = json_is_true(json_object_get(node, "above")),
                .below = json_is_true(json_object_get(node, "below")),
            };
            class->need_count++;
            return 0;
        }
    }
    return dj_error_set(err, DJ_E_INVALID, "class '%.60s': there is no fact '%.60s'",
                        class->name, fact != NULL ? fact : "(nothing)");
}

/* Finds the class that a plan defines with this name. If the stored plan has no
 * definition, uses the predefined class of that name. */
static int find_class(const json_t *root, const char *name,
                      struct dj_objective *objective, struct dj_error *err)
{
    size_t i;
    json_t *node;
    json_array_foreach(json_object_get(root, "classes"), i, node)
    {
        const char *its = get_text(node, "name");
        if (its == NULL || strcmp(its, name) != 0) {
            continue;
        }
        objective->has_class = true;
        objective->class =
            (struct dj_device_class){.name = its, .model = get_text(node, "model")};
        size_t k;
        json_t *need;
        int code = 0;
        json_array_foreach(json_object_get(node, "needs"), k, need)
        {
            code = code == 0 ? read_need(need, &objective->class, err) : code;
        }
        return code;
    }
    const struct dj_device_class *known = dj_facts_class_find(name);
    objective->has_class = known != NULL;
    objective->class = known != NULL ? *known : (struct dj_device_class){.name = NULL};
    return 0;
}

static int report_invalid(size_t i, const char *expected, struct dj_error *err)
{
    return dj_error_set(err, DJ_E_INVALID, "objective %zu: expected %s", i + 1, expected);
}

static int read_objective(const json_t *root, const json_t *node, size_t i,
                          struct dj_objectives *objectives, struct dj_error *err)
{
    struct dj_objective objective = {
        .goal = get_number(node, "goal"),
        .flow = get_text(node, "flow"),
        .devices = get_text(node, "devices"),
        .priority = get_text(node, "priority"),
        .note = get_text(node, "note"),
    };
    const char *metric = get_text(node, "metric");
    const char *by = get_text(node, "by");
    const char *statistic = get_text(node, "statistic");
    double most = get_number(node, "at_most"), least = get_number(node, "at_least");
    if (metric == NULL || !dj_gate_objective_set_metric(metric, &objective)) {
        return dj_error_set(err, DJ_E_INVALID,
                            "objective %zu: this version of dejank has no metric '%.60s'",
                            i + 1, metric != NULL ? metric : "(nothing)");
    }
    if (isnan(most) == isnan(least)) {
        return report_invalid(i, "either at_most or at_least", err);
    }
    objective.at_least = isnan(most);
    objective.bound = objective.at_least ? least : most;
    if (by != NULL) {
        if (!dj_gate_objective_is_date(by)) {
            return report_invalid(i, "\"by\" to be a date such as 2027-03-31", err);
        }
        memcpy(objective.by, by, DJ_OBJECTIVE_DATE_BYTES);
    }
    if (statistic != NULL && !dj_gate_statistic_find(statistic, &objective.statistic)) {
        return report_invalid(i, "the statistic median, mean or worst", err);
    }
    int code = objective.devices != NULL
                   ? find_class(root, objective.devices, &objective, err)
                   : 0;
    return code == 0 ? dj_gate_objectives_add(objectives, &objective, err) : code;
}

static void read_flow(const json_t *node, struct dj_objectives *objectives)
{
    const struct dj_objective_flow flow = {
        dj_memory_strings_add(&objectives->texts, get_text(node, "name")),
        dj_memory_strings_add(&objectives->texts, get_text(node, "priority"))};
    if (flow.name != NULL) {
        DJ_XPUSH(objectives->flow, objectives->flow_count, flow);
    }
}

static int read_root(const json_t *root, struct dj_objectives *objectives,
                     struct dj_error *err)
{
    const char *its = get_text(root, "schema");
    size_t i;
    json_t *node;
    if (its == NULL || strcmp(its, schema) != 0) {
        return dj_error_set(err, its != NULL ? DJ_E_VERSION : DJ_E_INVALID,
                            "objectives: expected the schema %s, found %.60s", schema,
                            its != NULL ? its : "none");
    }
    json_array_foreach(json_object_get(root, "flows"), i, node)
    {
        read_flow(node, objectives);
    }
    json_array_foreach(json_object_get(root, "objectives"), i, node)
    {
        int code = read_objective(root, node, i, objectives, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

int dj_gate_objectives_read(const char *json, struct dj_objectives *objectives,
                            struct dj_error *err)
{
    json_error_t fault;
    const size_t before = objectives->count, flows = objectives->flow_count;
    if (json == NULL || json[0] == '\0') {
        return 0;
    }
    json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, &fault);
    if (root == NULL) {
        return dj_error_set(err, DJ_E_INVALID, "the objectives are not JSON: %s",
                            fault.text);
    }
    int code = read_root(root, objectives, err);
    json_decref(root);
    if (code != 0) {
        objectives->count = before;
        objectives->flow_count = flows;
    }
    return code;
}
