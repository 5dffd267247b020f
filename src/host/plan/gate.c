#include "memory/memory.h"
#include "plan/plan_private.h"

struct values {
    const char *margin, *risk, *baseline, *undecided, *stale;
    bool nearest, allow_new;
    const struct dj_tree_node *metrics, *looks;
};

#define AT(member) offsetof(struct values, member)
static const struct dj_field fields[] = {
    {"metrics", DJ_FIELD_NODE, AT(metrics), 0, 0, false},
    {"margin", DJ_FIELD_TEXT, AT(margin), 0, 0, false},
    {"risk", DJ_FIELD_TEXT, AT(risk), 0, 0, false},
    {"baseline", DJ_FIELD_TEXT, AT(baseline), 0, 0, false},
    {"nearest", DJ_FIELD_FLAG, AT(nearest), 0, 0, false},
    {"allow-new", DJ_FIELD_FLAG, AT(allow_new), 0, 0, false},
    {"undecided", DJ_FIELD_TEXT, AT(undecided), 0, 0, false},
    {"looks", DJ_FIELD_NODE, AT(looks), 0, 0, false},
    {"stale", DJ_FIELD_TEXT, AT(stale), 0, 0, false},
};
#undef AT

static void read_share(const struct dj_tree_node *map, const char *key, const char *text,
                       double *share, struct dj_plan_faults *faults)
{
    if (text != NULL && !dj_gate_read_share(text, share)) {
        dj_plan_add_fault(faults, dj_tree_get(map, key),
                          "'%s': expected a share such as 5 %%, found '%.40s'", key,
                          text);
    }
}

/* Reads a metric, with or without a margin: "p95" or "p95: 5 %". */
static void read_metric(const struct dj_tree_node *node,
                        const struct dj_tree_node *margin, struct dj_plan_gate *gate,
                        struct dj_plan_faults *faults)
{
    struct dj_compare_gate *own = &gate->gates[gate->gate_count];
    const char *name = node->kind == DJ_TREE_SCALAR ? node->text : "";
    *own = (struct dj_compare_gate){.metric = dj_compare_metric_find(name)};
    if (own->metric == NULL) {
        dj_plan_add_fault(faults, node,
                          "there is no metric '%.60s'; expected one such as p95 or jank",
                          dj_fields_describe_node(node));
        return;
    }
    const char *text =
        margin != NULL && margin->kind == DJ_TREE_SCALAR ? margin->text : "";
    if (margin != NULL && !dj_gate_read_share(text, &own->margin)) {
        dj_plan_add_fault(faults, margin,
                          "margin of %s: expected a share such as 5 %%, found '%.40s'",
                          own->metric->name, dj_fields_describe_node(margin));
        return;
    }
    gate->gate_count++;
}

static void read_metrics(const struct dj_tree_node *node, struct dj_plan_gate *gate,
                         struct dj_plan_faults *faults)
{
    bool map = node->kind == DJ_TREE_MAP;
    size_t step = map ? 2 : 1;
    if (node->kind == DJ_TREE_SCALAR || node->count == 0 ||
        node->count / step > DJ_PLAN_GATES) {
        dj_plan_add_fault(faults, node,
                          "'metrics': expected a list such as [p95, jank] or a map with "
                          "margins, {p95: 5 %%}, of at most %d; found %s",
                          DJ_PLAN_GATES, dj_fields_node_kind(node));
        return;
    }
    for (size_t i = 0; i < node->count; i += step) {
        read_metric(node->items[i], map ? node->items[i + 1] : NULL, gate, faults);
    }
}

static void read_levels(const struct dj_tree_node *node, struct dj_plan_gate *gate,
                        struct dj_plan_faults *faults)
{
    struct dj_text words = {0};
    for (size_t i = 0; node->kind == DJ_TREE_LIST && i < node->count; i++) {
        const struct dj_tree_node *item = node->items[i];
        dj_text_format(&words, "%s%s", i > 0 ? "," : "",
                       item->kind == DJ_TREE_SCALAR ? item->text : "?");
    }
    if (!dj_gate_read_interim_levels(dj_xtext(&words), gate->looks, &gate->look_count)) {
        dj_plan_add_fault(faults, node,
                          "'looks': expected rising numbers of runs per build, such as "
                          "[10, 15, 20, 30], at most %d of them",
                          DJ_LOOKS_MAX);
    }
    dj_text_finish(&words);
}

const char *const dj_plan_undecided_words[] = {[DJ_UNDECIDED_FAILS] = "fail",
                                               [DJ_UNDECIDED_PASSES] = "pass",
                                               [DJ_UNDECIDED_RERUNS] = "rerun"};

bool dj_plan_undecided_find(const char *word, enum dj_plan_undecided *undecided)
{
    for (size_t i = 0; i < COUNT_OF(dj_plan_undecided_words); i++) {
        if (strcmp(word, dj_plan_undecided_words[i]) == 0) {
            *undecided = (enum dj_plan_undecided)i;
            return true;
        }
    }
    return false;
}

static void read_undecided(const struct dj_tree_node *map, const char *word,
                           struct dj_plan_gate *gate, struct dj_plan_faults *faults)
{
    char near[80];
    if (dj_plan_undecided_find(word, &gate->undecided)) {
        return;
    }
    dj_fields_suggest(word, dj_plan_undecided_words, COUNT_OF(dj_plan_undecided_words),
                      near, sizeof(near));
    dj_plan_add_fault(faults, dj_tree_get(map, "undecided"),
                      "'undecided' cannot be '%.40s'%s", word, near);
}

void dj_plan_read_gate(const struct dj_tree_node *map, struct dj_plan_gate *gate,
                       struct dj_plan_faults *faults)
{
    struct values values = {.undecided = "fail"};
    struct dj_error err = {0};
    static const struct dj_field_table table = {
        "a gate", "write gate: {baseline: last-release, margin: 5 %}", fields,
        COUNT_OF(fields)};
    if (!dj_fields_read(map, &table, &values, faults)) {
        return;
    }
    read_share(map, "margin", values.margin, &gate->margin, faults);
    read_share(map, "risk", values.risk, &gate->alpha, faults);
    if (gate->alpha >= 0.5) {
        dj_plan_add_fault(faults, dj_tree_get(map, "risk"),
                          "'risk': expected less than 50 %%");
    }
    if (values.metrics != NULL) {
        read_metrics(values.metrics, gate, faults);
    }
    if (values.looks != NULL) {
        read_levels(values.looks, gate, faults);
    }
    if (values.stale != NULL && !dj_gate_read_age(values.stale, &gate->stale_ms)) {
        dj_plan_add_fault(faults, dj_tree_get(map, "stale"),
                          "'stale': expected an age such as 7d or 12h, found '%.40s'",
                          values.stale);
    }
    if (values.baseline != NULL) {
        gate->has_baseline = true;
        if (dj_gate_baseline_parse(values.baseline, &gate->baseline, &err) != 0) {
            dj_plan_add_fault(faults, dj_tree_get(map, "baseline"), "%s", err.message);
        }
    }
    gate->baseline.nearest = values.nearest;
    gate->allow_new = values.allow_new;
    read_undecided(map, values.undecided, gate, faults);
}
