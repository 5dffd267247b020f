#include "drive/instrument.h"
#include "memory/memory.h"
#include "plan/plan_private.h"

struct device_values {
    const char *selector;
    const struct dj_tree_node *class;
    int64_t most;
    /* Nodes with the conditions of the class. */
    const struct dj_tree_node *needs[DJ_FACT_COUNT + 1];
};

#define AT(member) offsetof(struct device_values, member)
static const struct dj_field device_fields[] = {
    {"select", DJ_FIELD_TEXT, AT(selector), 0, 0, false},
    {"class", DJ_FIELD_NODE, AT(class), 0, 0, false},
    {"at-most", DJ_FIELD_COUNT, AT(most), 1, 1000, false},
    {"ram", DJ_FIELD_NODE, AT(needs[DJ_FACT_RAM]), 0, 0, false},
    {"cores", DJ_FIELD_NODE, AT(needs[DJ_FACT_CORES]), 0, 0, false},
    {"cpu", DJ_FIELD_NODE, AT(needs[DJ_FACT_CPU_HZ]), 0, 0, false},
    {"api", DJ_FIELD_NODE, AT(needs[DJ_FACT_API]), 0, 0, false},
    {"density", DJ_FIELD_NODE, AT(needs[DJ_FACT_DENSITY]), 0, 0, false},
    {"refresh", DJ_FIELD_NODE, AT(needs[DJ_FACT_REFRESH]), 0, 0, false},
    {"width", DJ_FIELD_NODE, AT(needs[DJ_FACT_WIDTH]), 0, 0, false},
    {"emulator", DJ_FIELD_NODE, AT(needs[DJ_FACT_EMULATOR]), 0, 0, false},
    {"model", DJ_FIELD_NODE, AT(needs[DJ_FACT_COUNT]), 0, 0, false},
};
#undef AT

static const struct dj_field_table device_table = {
    "a device", "write {class: low-end, at-most: 1} or a device such as emulator-5554",
    device_fields, COUNT_OF(device_fields)};

/* Returns the text of a device selector, or NULL. "- local:" is a selector for users, but
 * YAML reads it as a map with one key and no value. */
static const char *get_selector(const struct dj_tree_node *node)
{
    static const char *const selectors[] = {"local:", "adb:"};
    bool one = node->kind == DJ_TREE_MAP && node->count == 2 &&
               node->items[1]->kind == DJ_TREE_SCALAR && node->items[1]->text[0] == '\0';
    for (size_t i = 0; one && i < COUNT_OF(selectors); i++) {
        size_t length = strlen(selectors[i]) - 1;
        if (strlen(node->items[0]->text) == length &&
            strncmp(node->items[0]->text, selectors[i], length) == 0) {
            return selectors[i];
        }
    }
    return NULL;
}

static void read_device(const struct dj_tree_node *node, struct dj_plan_device *device,
                        struct dj_plan_faults *faults)
{
    struct device_values values = {0};
    if (node->kind == DJ_TREE_SCALAR) {
        device->selector = node->text;
        if (node->text[0] == '\0') {
            dj_plan_add_fault(faults, node, "expected a device, found nothing");
        }
        return;
    }
    device->selector = get_selector(node);
    if (device->selector != NULL ||
        !dj_fields_read(node, &device_table, &values, faults)) {
        return;
    }
    if ((values.selector == NULL) == (values.class == NULL)) {
        dj_plan_add_fault(
            faults, node,
            "expected either 'select' with a device or 'class' with a name%s",
            values.selector != NULL ? ", found both" : "");
        return;
    }
    device->selector = values.selector;
    device->most = values.most;
    if (values.class != NULL) {
        dj_plan_read_class(node, values.class, &device->class, faults);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(values.needs); i++) {
        if (values.needs[i] != NULL) {
            dj_plan_add_fault(
                faults, values.needs[i],
                "'%s' is a condition of a class, but this device is selected by name",
                dj_facts_class_keys[i]);
        }
    }
}

void dj_plan_read_devices(const struct dj_tree_node *list, struct dj_plan *plan)
{
    static const struct dj_plan_list devices = {
        "devices", "write devices: [emulator-5554] or devices: [{class: any}]",
        DJ_PLAN_DEVICES};
    size_t count = dj_plan_check_list(list, &devices, plan->faults);
    plan->devices = dj_xcalloc(count, sizeof(*plan->devices));
    for (size_t i = 0; i < count; i++) {
        struct dj_plan_device *device = &plan->devices[i];
        read_device(list->items[i], device, plan->faults);
        for (size_t k = 0; k < i && device->selector != NULL; k++) {
            const char *other = plan->devices[k].selector;
            if (other != NULL && strcmp(other, device->selector) == 0) {
                dj_plan_add_fault(plan->faults, list->items[i],
                                  "device '%.60s' is listed twice", device->selector);
            }
        }
    }
    plan->device_count = count;
}

enum flow_kind { GESTURE, INSTRUMENT, SCRIPT, IDLE };

static const char *const kind_names[] = {"gesture", "instrument", "script", "idle"};

struct flow_values {
    struct dj_plan_flow flow;
    /* The argument of the driver, by the kind of the flow. */
    const char *argument[IDLE];
    const struct dj_tree_node *arguments;
    bool idle;
};

#define AT(member) offsetof(struct flow_values, member)
static const struct dj_field flow_fields[] = {
    {"name", DJ_FIELD_TEXT, AT(flow.name), 0, 0, false},
    {"gesture", DJ_FIELD_TEXT, AT(argument[GESTURE]), 0, 0, false},
    {"instrument", DJ_FIELD_TEXT, AT(argument[INSTRUMENT]), 0, 0, false},
    {"script", DJ_FIELD_TEXT, AT(argument[SCRIPT]), 0, 0, false},
    {"idle", DJ_FIELD_FLAG, AT(idle), 0, 0, false},
    {"class", DJ_FIELD_TEXT, AT(flow.test_class), 0, 0, false},
    {"arguments", DJ_FIELD_NODE, AT(arguments), 0, 0, false},
    {"for", DJ_FIELD_DURATION, AT(flow.duration_ns), 100000000, 0, false},
    {"runs", DJ_FIELD_COUNT, AT(flow.runs), 1, DJ_BATCH_RUNS_MAX, false},
    {"priority", DJ_FIELD_TEXT, AT(flow.priority), 0, 0, false},
};
#undef AT

/* Returns the kind of the flow. If the flow has several kinds or none, reports a
 * fault. */
static enum flow_kind check_kind(const struct dj_tree_node *node,
                                 const struct flow_values *values,
                                 struct dj_plan_faults *faults)
{
    enum flow_kind kind = IDLE;
    size_t found = values->idle;
    for (size_t i = IDLE; i-- > 0;) {
        if (values->argument[i] != NULL) {
            kind = (enum flow_kind)i;
            found++;
        }
    }
    if (found != 1) {
        dj_plan_add_fault(
            faults, node,
            "expected one of gesture, instrument, script or idle in a flow, "
            "found %s",
            found == 0 ? "none" : "several");
    }
    return kind;
}

static void check_flow(const struct dj_tree_node *node, const struct flow_values *values,
                       struct dj_plan_faults *faults)
{
    bool is_test = values->argument[INSTRUMENT] != NULL;
    if (values->flow.test_class != NULL && !is_test) {
        dj_plan_add_fault(
            faults, dj_tree_get(node, "class"),
            "'class' selects tests of 'instrument', but this flow has no 'instrument'");
    }
    if (values->arguments != NULL && !is_test) {
        dj_plan_add_fault(
            faults, values->arguments,
            "'arguments' are passed to 'instrument', but this flow has no 'instrument'");
    }
    if (values->flow.priority != NULL) {
        dj_plan_check_priority(node, values->flow.priority, faults);
    }
}

/* Reads a map such as {size: large} of arguments for `am instrument -e`. Returns names
 * and values in turn, ended by NULL, or NULL if the map is invalid. */
static const char *const *read_arguments(const struct dj_tree_node *map,
                                         struct dj_plan *plan)
{
    if (map->kind != DJ_TREE_MAP || map->count > 2 * DJ_INSTRUMENT_ARGUMENTS) {
        dj_plan_add_fault(plan->faults, map,
                          "expected at most %d arguments as 'name: value', found %s. "
                          "hint: write arguments: {size: large}",
                          DJ_INSTRUMENT_ARGUMENTS,
                          map->kind == DJ_TREE_MAP ? "more" : dj_fields_node_kind(map));
        return NULL;
    }
    const char **words = dj_plan_own(plan, dj_xcalloc(map->count + 1, sizeof(*words)));
    for (size_t i = 0; i < map->count; i++) {
        const struct dj_tree_node *word = map->items[i];
        if (word->kind != DJ_TREE_SCALAR || (i % 2 == 0 && word->text[0] == '\0')) {
            dj_plan_add_fault(plan->faults, word,
                              "expected a %s of an argument, found %s",
                              i % 2 == 0 ? "name" : "value", dj_fields_node_kind(word));
            return NULL;
        }
        words[i] = word->text;
    }
    return words;
}

static void read_flow(const struct dj_tree_node *node, struct dj_plan *plan,
                      struct dj_plan_flow *flow)
{
    struct flow_values values = {0};
    static const struct dj_field_table table = {
        "a flow", "write {name: main list, gesture: scroll-down}", flow_fields,
        COUNT_OF(flow_fields)};
    if (!dj_fields_read(node, &table, &values, plan->faults)) {
        return;
    }
    enum flow_kind kind = check_kind(node, &values, plan->faults);
    check_flow(node, &values, plan->faults);
    *flow = values.flow;
    flow->kind = kind_names[kind];
    flow->line = node->line;
    if (flow->priority == NULL) {
        flow->priority = "normal";
    }
    if (kind != IDLE) {
        flow->argument = values.argument[kind];
    }
    if (flow->name == NULL) {
        flow->name = kind != IDLE ? flow->argument : flow->kind;
    }
    if (kind == SCRIPT) {
        flow->argument = dj_plan_resolve_path(plan, flow->argument);
    }
    if (values.arguments != NULL) {
        flow->arguments = read_arguments(values.arguments, plan);
    }
}

void dj_plan_read_flows(const struct dj_tree_node *list, struct dj_plan *plan)
{
    static const struct dj_plan_list flows = {
        "flows", "write flows: [{name: main list, gesture: scroll-down}]", DJ_PLAN_FLOWS};
    size_t count = dj_plan_check_list(list, &flows, plan->faults);
    plan->flows = dj_xcalloc(count, sizeof(*plan->flows));
    for (size_t i = 0; i < count; i++) {
        struct dj_plan_flow *flow = &plan->flows[i];
        read_flow(list->items[i], plan, flow);
        for (size_t k = 0; k < i && flow->name != NULL; k++) {
            if (plan->flows[k].name != NULL &&
                strcmp(plan->flows[k].name, flow->name) == 0) {
                dj_plan_add_fault(plan->faults, list->items[i],
                                  "two flows are named '%.60s', the other in line %zu; "
                                  "each flow needs its own name",
                                  flow->name, plan->flows[k].line);
            }
        }
    }
    plan->flow_count = count;
}

struct build_values {
    struct dj_build_plan build;
    const struct dj_tree_node *command;
};

#define AT(member) offsetof(struct build_values, member)
static const struct dj_field build_fields[] = {
    {"label", DJ_FIELD_TEXT, AT(build.label), 0, 0, false},
    {"version", DJ_FIELD_TEXT, AT(build.version), 0, 0, false},
    {"commit", DJ_FIELD_TEXT, AT(build.commit), 0, 0, false},
    {"apk", DJ_FIELD_TEXT, AT(build.apk), 0, 0, false},
    {"command", DJ_FIELD_NODE, AT(command), 0, 0, false},
};
#undef AT

/* Reads a list of words as the argv of a command. The command is not passed to a
 * shell. */
static char *const *read_command(const struct dj_tree_node *list, struct dj_plan *plan)
{
    enum { WORDS_MOST = 1000 };
    static const struct dj_plan_list command = {"words (a program and its arguments)",
                                                "write command: [./shop, --demo]",
                                                WORDS_MOST};
    size_t count = dj_plan_check_list(list, &command, plan->faults);
    char **words = dj_plan_own(plan, dj_xcalloc(count + 1, sizeof(*words)));
    for (size_t i = 0; i < count; i++) {
        const struct dj_tree_node *word = list->items[i];
        if (word->kind != DJ_TREE_SCALAR) {
            dj_plan_add_fault(plan->faults, word,
                              "expected a word of the command, found %s",
                              dj_fields_node_kind(word));
        }
        words[i] = word->text;
    }
    return words;
}

static void read_build(const struct dj_tree_node *node, size_t index,
                       struct dj_plan *plan)
{
    static const char *const labels[DJ_BATCH_BUILDS_MAX] = {"A", "B"};
    struct build_values values = {.build.label = labels[index]};
    static const struct dj_field_table table = {
        "a build", "write {label: new, version: '1.8', apk: shop-1.8.apk}", build_fields,
        COUNT_OF(build_fields)};
    if (!dj_fields_read(node, &table, &values, plan->faults)) {
        return;
    }
    if (values.build.apk != NULL && values.command != NULL) {
        dj_plan_add_fault(plan->faults, node,
                          "expected 'apk' or 'command' in a build, found both");
    }
    struct dj_build_plan *build = &plan->batch.builds[index];
    *build = values.build;
    build->apk = dj_plan_resolve_path(plan, build->apk);
    build->command = values.command != NULL ? read_command(values.command, plan) : NULL;
}

void dj_plan_read_builds(const struct dj_tree_node *list, struct dj_plan *plan)
{
    static const struct dj_plan_list pair = {
        "builds", "write builds: [{version: '1.8', apk: shop-1.8.apk}]",
        DJ_BATCH_BUILDS_MAX};
    size_t count = dj_plan_check_list(list, &pair, plan->faults);
    for (size_t i = 0; i < count; i++) {
        read_build(list->items[i], i, plan);
    }
    plan->batch.build_count = count;
    const struct dj_build_plan *builds = plan->batch.builds;
    if (count == 2 && builds[0].label != NULL && builds[1].label != NULL &&
        strcmp(builds[0].label, builds[1].label) == 0) {
        dj_plan_add_fault(plan->faults, list->items[1],
                          "both builds are labelled '%.60s'", builds[1].label);
    }
}
