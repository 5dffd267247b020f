#include "plan/plan_private.h"

static void report_need_fault(const struct dj_tree_node *node, enum dj_class_fact fact,
                              struct dj_plan_faults *faults)
{
    const char *found = dj_fields_describe_node(node);
    const char *unit = dj_facts_class_unit(fact);
    const char *gap = unit[0] != '\0' ? " " : "";
    if (fact == DJ_FACT_EMULATOR) {
        dj_plan_add_fault(faults, node, "'emulator': expected yes or no, found '%.60s'",
                          found);
    } else {
        dj_plan_add_fault(faults, node,
                          "'%s': expected a bound such as \"< 3%s%s\" or a range "
                          "\"2..4%s%s\", found '%.60s'",
                          dj_facts_class_keys[fact], gap, unit, gap, unit, found);
    }
}

static void read_key(const struct dj_tree_node *node, enum dj_class_fact fact,
                     struct dj_device_class *class, struct dj_plan_faults *faults)
{
    struct dj_class_need *need = &class->needs[class->need_count];
    const char *text = node->kind == DJ_TREE_SCALAR ? node->text : "";
    if (fact == DJ_FACT_COUNT) {
        class->model = text;
        if (text[0] == '\0') {
            dj_plan_add_fault(faults, node,
                              "'model': expected a part of its name, found %s",
                              dj_fields_node_kind(node));
        }
    } else if (dj_facts_class_parse_need(text, fact, need)) {
        class->need_count++;
    } else {
        report_need_fault(node, fact, faults);
    }
}

void dj_plan_read_class(const struct dj_tree_node *map, const struct dj_tree_node *name,
                        struct dj_device_class *class, struct dj_plan_faults *faults)
{
    const char *names[DJ_CLASSES_KNOWN];
    char near[120];
    *class =
        (struct dj_device_class){.name = name->kind == DJ_TREE_SCALAR ? name->text : ""};
    if (class->name[0] == '\0') {
        dj_plan_add_fault(faults, name, "'class': expected a name, found %s",
                          dj_fields_node_kind(name));
    }
    size_t keys = 0;
    for (size_t i = 0; i < dj_facts_class_key_count; i++) {
        const struct dj_tree_node *node = dj_tree_get(map, dj_facts_class_keys[i]);
        if (node != NULL) {
            read_key(node, (enum dj_class_fact)i, class, faults);
            keys++;
        }
    }
    if (keys > 0 || class->name[0] == '\0') {
        return;
    }
    const struct dj_device_class *known = dj_facts_class_find(class->name);
    if (known != NULL) {
        *class = *known;
        return;
    }
    dj_fields_suggest(class->name, names, dj_facts_class_names(names), near,
                      sizeof(near));
    dj_plan_add_fault(faults, name,
                      "class '%.40s' has no condition; expected ram, cores, cpu, api, "
                      "density, refresh, width, emulator or model%s",
                      class->name, near);
}
