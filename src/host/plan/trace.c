/* Reads from a plan which trace is captured in each run. */
#include "capture/capture.h"
#include "memory/memory.h"
#include "plan/plan_private.h"
#include "store/store.h"

enum { MEGABYTE = 1 << 20, CATEGORIES_MOST = 64 };

struct trace_values {
    struct dj_trace_plan trace;
    const char *around, *level, *stacks;
    int64_t buffer_mb, size_mb;
    const struct dj_tree_node *categories;
};

#define AT(member) offsetof(struct trace_values, member)
static const struct dj_field trace_fields[] = {
    {"around", DJ_FIELD_TEXT, AT(around), 0, 0, false},
    {"categories", DJ_FIELD_NODE, AT(categories), 0, 0, false},
    {"before", DJ_FIELD_DURATION, AT(trace.before_ns), 1000000, 0, false},
    {"after", DJ_FIELD_DURATION, AT(trace.after_ns), 1000000, 0, false},
    {"level", DJ_FIELD_TEXT, AT(level), 0, 0, false},
    {"buffer", DJ_FIELD_COUNT, AT(buffer_mb), 1, DJ_CAPTURE_BUFFER_MOST_MB, false},
    {"stacks", DJ_FIELD_TEXT, AT(stacks), 0, 0, false},
    {"stack-rate", DJ_FIELD_COUNT, AT(trace.stacks.rate_hz), 1,
     DJ_CAPTURE_STACK_RATE_MOST_HZ, false},
    {"stack-size", DJ_FIELD_COUNT, AT(trace.stacks.stack_bytes),
     DJ_CAPTURE_STACK_BYTES_LEAST, DJ_CAPTURE_STACK_BYTES_MOST, false},
    {"size", DJ_FIELD_COUNT, AT(size_mb), 1, DJ_EVIDENCE_BYTES_MAX >> 20, false},
};
#undef AT

static void read_word(const struct dj_tree_node *node, struct dj_trace_plan *trace,
                      struct dj_plan_faults *faults)
{
    bool wanted = true;
    if (strcasecmp(node->text, "janky") == 0) {
        trace->what = DJ_TRACE_JANKY;
    } else if (strcasecmp(node->text, "all") == 0 ||
               dj_fields_read_flag(node->text, &wanted)) {
        trace->what = wanted ? DJ_TRACE_ALL : DJ_TRACE_NONE;
    } else {
        const char *quote = node->text[0] != '\0' ? "'" : "";
        dj_plan_add_fault(faults, node,
                          "'trace': expected all, janky, no or a map, found %s%.60s%s",
                          node->text[0] != '\0' ? "'" : "nothing", node->text, quote);
    }
}

/* Reads the level of events. Levels exist only for traces of this machine. */
static void read_level(const struct dj_tree_node *map, const char *word,
                       struct dj_plan *plan)
{
    const char *names[DJ_CAPTURE_LEVELS];
    char near[80];
    struct dj_trace_plan *trace = &plan->batch.trace;
    for (size_t i = 0; i < DJ_CAPTURE_LEVELS; i++) {
        names[i] = dj_capture_level_name((enum dj_capture_level)i);
    }
    trace->level_required = dj_capture_level_find(word, &trace->level);
    if (!trace->level_required) {
        dj_fields_suggest(word, names, DJ_CAPTURE_LEVELS, near, sizeof(near));
        dj_plan_add_fault(plan->faults, dj_tree_get(map, "level"), "no level '%.40s'%s",
                          word, near);
    } else if (dj_plan_count_local(plan) == 0) {
        dj_plan_add_fault(
            plan->faults, dj_tree_get(map, "level"),
            "'level' is only for this machine, but no device of this plan is 'local:'");
    }
}

/* Reads which call stacks to sample. Only traces of this machine have stacks. */
static void read_stacks(const struct dj_tree_node *map, const struct trace_values *values,
                        struct dj_plan *plan)
{
    struct dj_capture_stacks *stacks = &plan->batch.trace.stacks;
    const struct dj_tree_node *rate = dj_tree_get(map, "stack-rate");
    const struct dj_tree_node *size = dj_tree_get(map, "stack-size");
    bool wanted = false;
    if (values->stacks == NULL) {
        if (rate != NULL || size != NULL) {
            dj_plan_add_fault(plan->faults, rate != NULL ? rate : size,
                              "'stack-rate' and 'stack-size' need 'stacks'");
        }
        return;
    }
    if (dj_fields_read_flag(values->stacks, &wanted)) {
        stacks->cpu = wanted;
    } else if (!dj_capture_stacks_parse(values->stacks, stacks)) {
        dj_plan_add_fault(plan->faults, dj_tree_get(map, "stacks"),
                          "'stacks': expected cpu, waits, 'cpu,waits' or no, found "
                          "'%.60s'",
                          values->stacks);
    }
    if (dj_plan_count_local(plan) == 0) {
        dj_plan_add_fault(
            plan->faults, dj_tree_get(map, "stacks"),
            "'stacks' is only for this machine, but no device of this plan is 'local:'");
    }
}

/* Checks the name of a category. The name can be checked only for this machine, because
 * the categories of a device are unknown until the device is connected. */
static void check_category(const struct dj_tree_node *node, bool here,
                           struct dj_plan_faults *faults)
{
    struct dj_error why = {0};
    const struct dj_capture_plan one = {.categories = (const char *const *)&node->text,
                                        .category_count = 1};
    if (node->kind != DJ_TREE_SCALAR || node->text[0] == '\0') {
        dj_plan_add_fault(faults, node, "expected a category of events, found %s",
                          dj_fields_node_kind(node));
    } else if (here && dj_capture_check_categories(&one, &why) != 0) {
        dj_plan_add_fault(faults, node, "%.300s", why.message);
    }
}

static void read_categories(const struct dj_tree_node *list, struct dj_plan *plan)
{
    bool here = dj_plan_count_local(plan) == plan->device_count;
    static const struct dj_plan_list categories = {
        "categories", "write categories: [sched, irq]", CATEGORIES_MOST};
    size_t count = dj_plan_check_list(list, &categories, plan->faults);
    const char **words = dj_plan_own(plan, dj_xcalloc(count, sizeof(*words)));
    for (size_t i = 0; i < count; i++) {
        check_category(list->items[i], here, plan->faults);
        words[i] = list->items[i]->text;
    }
    plan->batch.trace.categories = words;
    plan->batch.trace.category_count = count;
}

static void read_around(const struct dj_tree_node *map, const struct trace_values *values,
                        struct dj_trace_plan *trace, struct dj_plan_faults *faults)
{
    bool janky = values->around != NULL && strcmp(values->around, "janky") == 0;
    const struct dj_tree_node *before = dj_tree_get(map, "before");
    *trace = values->trace;
    trace->what = janky ? DJ_TRACE_JANKY : DJ_TRACE_ALL;
    if (values->around != NULL && !janky) {
        dj_plan_add_fault(faults, dj_tree_get(map, "around"),
                          "'around': expected janky, found '%.60s'", values->around);
    } else if (!janky && (trace->before_ns > 0 || trace->after_ns > 0)) {
        dj_plan_add_fault(faults, before != NULL ? before : dj_tree_get(map, "after"),
                          "'before' and 'after' need 'around: janky'");
    }
}

void dj_plan_read_trace(const struct dj_tree_node *node, struct dj_plan *plan)
{
    struct trace_values values = {.around = NULL};
    struct dj_trace_plan *trace = &plan->batch.trace;
    if (node->kind == DJ_TREE_SCALAR) {
        read_word(node, trace, plan->faults);
        return;
    }
    static const struct dj_field_table table = {
        "a trace", "write trace: all or trace: {around: janky}", trace_fields,
        COUNT_OF(trace_fields)};
    if (!dj_fields_read(node, &table, &values, plan->faults)) {
        return;
    }
    read_around(node, &values, trace, plan->faults);
    trace->buffer_bytes = values.buffer_mb * MEGABYTE;
    trace->size_bytes = values.size_mb * MEGABYTE;
    if (values.level != NULL) {
        read_level(node, values.level, plan);
    }
    read_stacks(node, &values, plan);
    if (values.categories != NULL) {
        read_categories(values.categories, plan);
    }
}
