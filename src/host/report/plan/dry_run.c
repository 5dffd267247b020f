#include "report/plan.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/devices.h"

static int64_t runs_of(const struct dj_plan *plan, const struct dj_plan_flow *flow)
{
    return flow->runs > 0 ? flow->runs : plan->batch.runs;
}

/* Returns the time that one device needs for all runs of a flow with all builds. */
static int64_t batch_ns(const struct dj_plan *plan, const struct dj_plan_flow *flow)
{
    int64_t runs = runs_of(plan, flow) + plan->batch.warmups;
    return (int64_t)plan->batch.build_count * runs * dj_plan_run_ns(plan, flow);
}

/* Returns the time that the whole plan needs. Devices measure at the same time, so this
 * is the time of one device. */
static int64_t whole_ns(const struct dj_plan *plan, const struct dj_plan_range *range)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < plan->flow_count; i++) {
        sum_ns += batch_ns(plan, &plan->flows[i]);
    }
    return range->count > 0 ? sum_ns : 0;
}

static void write_time(struct dj_text *text, int64_t ns)
{
    int64_t seconds = (ns + 999999999) / 1000000000;
    if (seconds < 120) {
        dj_text_format(text, "%lld" DJ_NBSP "s", (long long)seconds);
    } else if (seconds < 7200) {
        dj_text_format(text, "%lld" DJ_NBSP "min", (long long)(seconds + 59) / 60);
    } else {
        dj_text_format(text, "%lld" DJ_NBSP "h %02lld" DJ_NBSP "min",
                       (long long)seconds / 3600, (long long)(seconds % 3600) / 60);
    }
}

/* Writes a given duration, in the largest unit that shows it exactly. */
static void write_limit(struct dj_text *text, int64_t ns)
{
    double seconds = (double)ns / 1e9;
    bool is_hours = fmod(seconds, 3600) == 0, is_minutes = fmod(seconds, 60) == 0;
    dj_text_format(text, "%.10g" DJ_NBSP "%s",
                   seconds / (is_hours     ? 3600
                              : is_minutes ? 60
                                           : 1),
                   is_hours     ? "h"
                   : is_minutes ? "min"
                                : "s");
}

static const char *get_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static bool is_ready(const struct dj_plan_range_device *device)
{
    return device->reachable && device->obstacle[0] == '\0';
}

static void add_verdict(struct dj_document *document, const struct dj_plan *plan,
                        const struct dj_plan_range *range)
{
    struct dj_text words = {0};
    size_t ready = 0;
    for (size_t i = 0; i < range->count; i++) {
        ready += is_ready(&range->device[i]);
    }
    dj_text_add(&words, "Would measure ");
    dj_text_add(&words, plan->batch.package != NULL ? plan->batch.package : "a program");
    if (range->count == 0) {
        dj_text_add(&words, ", but no device is available");
    } else {
        dj_text_add(&words, " for about ");
        write_time(&words, whole_ns(plan, range));
        dj_text_add(&words, ready == 0 ? ", but no device is ready" : "");
    }
    dj_document_add_verdict(document, ready == 0 ? DJ_TONE_BAD : DJ_TONE_PLAIN, &words);
}

static void add_scope(struct dj_document *document, const struct dj_plan *plan,
                      const struct dj_plan_range *range)
{
    struct dj_text words = {0};
    if (plan->file != NULL) {
        dj_text_add(&words, plan->file);
        dj_document_add_field(document, "plan", &words);
    }
    dj_text_format(&words, "%zu flow%s × %zu device%s × %zu build%s, %zu objective%s",
                   plan->flow_count, get_plural(plan->flow_count), range->count,
                   get_plural(range->count), plan->batch.build_count,
                   get_plural(plan->batch.build_count), plan->objectives.count,
                   get_plural(plan->objectives.count));
    if (range->count > 1) {
        dj_text_add(&words, "; devices measure at the same time");
    }
    dj_document_add_field(document, "scope", &words);
}

static void add_builds(struct dj_document *document, const struct dj_plan *plan)
{
    const struct dj_batch_plan *batch = &plan->batch;
    struct dj_text words = {0};
    for (size_t i = 0; i < batch->build_count; i++) {
        const struct dj_build_plan *build = &batch->builds[i];
        dj_text_add(&words, build->label != NULL ? build->label : "A");
        dj_text_format(&words, "%s%s", build->version != NULL ? ", version " : "",
                       build->version != NULL ? build->version : "");
        dj_text_format(&words, "%s%s", build->commit != NULL ? ", commit " : "",
                       build->commit != NULL ? build->commit : "");
        if (build->apk != NULL) {
            dj_text_format(&words, ", installs %s", build->apk);
        } else if (build->command != NULL) {
            dj_text_format(&words, ", starts %s", build->command[0]);
        } else {
            dj_text_add(&words, ", as it is installed");
        }
        dj_document_add_field(document, "build", &words);
    }
    if (batch->build_count > 1) {
        dj_text_format(&words, "interleaved, with random seed %llu",
                       (unsigned long long)batch->seed);
        dj_document_add_field(document, "order", &words);
    }
}

/* Appends how long the window of a flow lasts. */
static void write_window(struct dj_text *text, const struct dj_plan *plan, size_t flow)
{
    static const struct {
        const char *kind, *end;
    } ends[] = {{"gesture", "the gesture ends"},
                {"instrument", "the tests end"},
                {"script", "the script ends"}};
    const char *kind = plan->flows[flow].kind, *end = "the driver ends";
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        end = strcmp(ends[i].kind, kind) == 0 ? ends[i].end : end;
    }
    if (strcmp(kind, "idle") != 0) {
        dj_text_format(text, "until %s, at most ", end);
    }
    write_limit(text, plan->batch.flows[flow].duration_ns);
}

/* Adds the length of the windows. If all flows have the same length, shows it once. */
static void add_windows(struct dj_document *document, const struct dj_plan *plan)
{
    struct dj_text words = {0}, first = {0}, next = {0};
    bool is_same = true;
    for (size_t i = 0; i < plan->flow_count; i++) {
        if (plan->batch.flows[i].duration_ns <= 0) {
            return;
        }
    }
    write_window(&first, plan, 0);
    for (size_t i = 1; i < plan->flow_count && is_same; i++) {
        write_window(&next, plan, i);
        is_same = strcmp(dj_xtext(&first), dj_xtext(&next)) == 0;
        dj_text_clear(&next);
    }
    for (size_t i = 0; i < (is_same ? 1 : plan->flow_count); i++) {
        if (!is_same) {
            dj_text_format(&words, "%s%zu. ", i > 0 ? "; " : "", i + 1);
        }
        write_window(&words, plan, i);
    }
    dj_document_add_field(document, "window", &words);
    dj_text_finish(&first);
    dj_text_finish(&next);
}

static void add_traces(struct dj_document *document, const struct dj_trace_plan *trace)
{
    struct dj_text words = {0};
    if (trace->what != DJ_TRACE_NONE) {
        dj_text_format(&words, "of each run%s%s%s",
                       trace->what == DJ_TRACE_JANKY ? ", around janky frames" : "",
                       trace->level_required ? ", level " : "",
                       trace->level_required ? dj_capture_level_name(trace->level) : "");
        if (trace->stacks.cpu || trace->stacks.waits) {
            dj_text_add(&words, ", with call stacks");
        }
        dj_document_add_field(document, "traces", &words);
    }
}

struct flow_row {
    const struct dj_plan *plan;
    size_t index;
};

static const struct dj_plan_flow *get_flow(const void *record)
{
    const struct flow_row *row = record;
    return &row->plan->flows[row->index];
}

static void get_name(struct dj_cell *cell, const void *record)
{
    const struct flow_row *row = record;
    dj_cell_format(cell, "%zu. %s", row->index + 1,
                   row->plan->batch.flows[row->index].name);
}

static void get_kind(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_flow(record)->kind);
}

static void get_priority(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_flow(record)->priority);
}

static void get_runs(struct dj_cell *cell, const void *record)
{
    const struct dj_plan *plan = ((const struct flow_row *)record)->plan;
    dj_cell_format(cell, "%s%lld", plan->batch.build_count > 1 ? "2 builds × " : "",
                   (long long)runs_of(plan, get_flow(record)));
    if (plan->batch.warmups > 0) {
        dj_cell_format(cell, " + %lld warm-up%s", (long long)plan->batch.warmups,
                       get_plural((size_t)plan->batch.warmups));
    }
}

static void get_time(struct dj_cell *cell, const void *record)
{
    const struct dj_plan *plan = ((const struct flow_row *)record)->plan;
    write_time(&cell->text, batch_ns(plan, get_flow(record)));
}

static const struct dj_table_column flow_columns[] = {
    {"flow", NULL, false, get_name},         {"driver", NULL, false, get_kind},
    {"priority", NULL, false, get_priority}, {"runs", NULL, false, get_runs},
    {"time", NULL, true, get_time},
};

static void get_device(struct dj_cell *cell, const void *record)
{
    const struct dj_plan_range_device *device = record;
    dj_cell_format(cell, "%s", device->name);
    if (strcmp(device->of, device->name) != 0) {
        dj_cell_format(cell, " (%s)", device->of);
    }
}

static void write_fact(struct dj_cell *cell, const struct dj_plan_range_device *device,
                       enum dj_class_fact fact, double factor, const char *unit)
{
    double value = dj_facts_class_value(&device->facts, fact);
    if (!isnan(value)) {
        dj_cell_format(cell, ", %.4g" DJ_NBSP "%s", value / factor, unit);
    }
}

static void get_facts(struct dj_cell *cell, const void *record)
{
    const struct dj_plan_range_device *device = record;
    const struct dj_device_facts *facts = &device->facts;
    if (!device->reachable) {
        cell->tone = DJ_TONE_BAD;
        dj_cell_format(cell, "cannot be reached: %s", device->why);
        return;
    }
    dj_cell_format(cell, "%s", facts->model[0] != '\0' ? facts->model : "unknown model");
    if (facts->release[0] != '\0') {
        dj_cell_format(cell, ", %s%s",
                       strcmp(facts->platform, "android") == 0 ? "Android " : "",
                       facts->release);
    }
    write_fact(cell, device, DJ_FACT_RAM, 1e9, "GB RAM");
    write_fact(cell, device, DJ_FACT_DENSITY, 1, "dpi");
    write_fact(cell, device, DJ_FACT_WIDTH, 1, "dp wide");
    write_fact(cell, device, DJ_FACT_REFRESH, 1, "Hz");
    dj_cell_format(cell, "%s", facts->emulator == DJ_KNOWN_YES ? ", emulator" : "");
}

static const struct dj_table_column device_columns[] = {
    {"device", NULL, false, get_device},
    {"facts", NULL, false, get_facts},
};

static void add_tables(struct dj_document *document, const struct dj_plan *plan,
                       const struct dj_plan_range *range)
{
    dj_document_begin_table(document, flow_columns, COUNT_OF(flow_columns));
    for (size_t i = 0; i < plan->flow_count; i++) {
        dj_document_add_row(document, &(struct flow_row){plan, i});
    }
    dj_document_begin_table(document, device_columns, COUNT_OF(device_columns));
    for (size_t i = 0; i < range->count; i++) {
        dj_document_add_row(document, &range->device[i]);
    }
}

static void add_obstacle(struct dj_document *document,
                         const struct dj_plan_range_device *device)
{
    struct dj_text words = {0};
    if (device->obstacle[0] != '\0') {
        dj_text_add(&words, device->obstacle);
        dj_document_add_note(document, DJ_TONE_BAD, &words);
    }
}

static void add_unmatched(struct dj_document *document,
                          const struct dj_device_class *class)
{
    struct dj_text words = {0};
    dj_text_format(&words, "No device belongs to class %s", class->name);
    if (class->need_count > 0) {
        dj_text_add(&words, " (");
        dj_facts_class_format(&words, class);
        dj_text_add(&words, ")");
    }
    dj_document_add_note(document, DJ_TONE_BAD, &words);
}

static void add_gaps(struct dj_document *document, const struct dj_plan_range *range)
{
    char gaps[DJ_GAPS_MAX][DJ_GAP_BYTES];
    size_t count = dj_plan_range_find_gaps(range, gaps);
    for (size_t i = 0; i < count; i++) {
        struct dj_text words = {0};
        dj_text_format(&words, "Range of devices: %s", gaps[i]);
        dj_document_add_note(document, DJ_TONE_WARNING, &words);
    }
}

void dj_report_build_dry_run(struct dj_document *document, const struct dj_plan *plan,
                             const struct dj_plan_range *range)
{
    dj_document_set_title(document, "Dry run — dejank run");
    add_verdict(document, plan, range);
    add_scope(document, plan, range);
    add_builds(document, plan);
    add_windows(document, plan);
    add_traces(document, &plan->batch.trace);
    add_tables(document, plan, range);
    for (size_t i = 0; i < range->count; i++) {
        add_obstacle(document, &range->device[i]);
    }
    for (size_t i = 0; i < range->unmatched_count; i++) {
        add_unmatched(document, &range->unmatched[i]->class);
    }
    add_gaps(document, range);
}

static void add_number(struct dj_text *text, const char *key,
                       const struct dj_plan_range_device *device, enum dj_class_fact fact)
{
    dj_json_add_real(text, key, dj_facts_class_value(&device->facts, fact));
}

static void json_device(struct dj_text *text, const struct dj_plan_range_device *device)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "name", device->name);
    dj_json_add_string(text, "of", device->of);
    dj_json_add_bool(text, "reachable", device->reachable);
    dj_json_add_name(text, "why_not", device->why);
    dj_json_add_name(text, "model", device->facts.model);
    dj_json_add_name(text, "release", device->facts.release);
    dj_json_add_known(text, "ram_bytes", device->facts.ram_bytes);
    dj_json_add_known(text, "density_dpi", device->facts.density_dpi);
    add_number(text, "width_dp", device, DJ_FACT_WIDTH);
    add_number(text, "refresh_hz", device, DJ_FACT_REFRESH);
    dj_report_json_known_fact(text, "emulator", device->facts.emulator);
    dj_json_close(text, "}");
}

static void json_batch(struct dj_text *text, const struct dj_plan *plan, size_t index,
                       const char *device)
{
    const struct dj_plan_flow *flow = &plan->flows[index];
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "flow", plan->batch.flows[index].name);
    dj_json_add_string(text, "kind", flow->kind);
    dj_json_add_string(text, "device", device);
    dj_json_open_array(text, "builds");
    for (size_t i = 0; i < plan->batch.build_count; i++) {
        dj_json_append_string(text, plan->batch.builds[i].label);
    }
    dj_json_close(text, "]");
    dj_json_add_int(text, "runs", runs_of(plan, flow));
    dj_json_add_int(text, "warmup", plan->batch.warmups);
    dj_json_add_string(text, "priority", flow->priority);
    dj_json_add_int(text, "estimate_ns", batch_ns(plan, flow));
    dj_json_close(text, "}");
}

void dj_report_dry_run_json(struct dj_text *text, const struct dj_plan *plan,
                            const struct dj_plan_range *range)
{
    char lacks[DJ_GAPS_MAX][DJ_GAP_BYTES];
    size_t lack_count = dj_plan_range_find_gaps(range, lacks);
    dj_json_open_document(text, "dejank.plan/1");
    dj_json_add_string(text, "plan", plan->file);
    dj_json_add_string(text, "package", plan->batch.package);
    dj_json_add_int(text, "estimate_ns", whole_ns(plan, range));
    dj_json_add_string(text, "trace",
                       dj_measure_trace_selection_name(plan->batch.trace.what));
    dj_json_open_array(text, "devices");
    for (size_t i = 0; i < range->count; i++) {
        json_device(text, &range->device[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "batches");
    for (size_t k = 0; k < range->count; k++) {
        for (size_t i = 0; i < plan->flow_count; i++) {
            json_batch(text, plan, i, range->device[k].name);
        }
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "unmatched");
    for (size_t i = 0; i < range->unmatched_count; i++) {
        dj_json_append_string(text, range->unmatched[i]->class.name);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "lacks");
    for (size_t i = 0; i < lack_count; i++) {
        dj_json_append_string(text, lacks[i]);
    }
    dj_json_close(text, "]}\n");
}
