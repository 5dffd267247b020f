#include "report/plan.h"

#include <math.h>

#include "base/json.h"
#include "report/devices.h"

static int64_t runs_of(const struct dj_plan *plan, const struct dj_plan_flow *flow)
{
    return flow->runs > 0 ? flow->runs : plan->batch.runs;
}

/* Of one flow on one device: all its builds. */
static int64_t batch_ns(const struct dj_plan *plan, const struct dj_plan_flow *flow)
{
    int64_t runs = runs_of(plan, flow) + plan->batch.warmups;
    return (int64_t)plan->batch.build_count * runs * dj_plan_run_ns(plan, flow);
}

/* Devices work side by side. */
static int64_t whole_ns(const struct dj_plan *plan, const struct dj_plan_range *range)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < plan->flow_count; i++) {
        sum_ns += batch_ns(plan, &plan->flows[i]);
    }
    return range->count > 0 ? sum_ns : 0;
}

/* ---- for people ---- */

static void put_time(struct dj_text *text, int64_t ns)
{
    int64_t seconds = (ns + 999999999) / 1000000000;
    if (seconds < 120) {
        dj_text_format(text, "%lld s", (long long)seconds);
    } else if (seconds < 7200) {
        dj_text_format(text, "%lld min", (long long)(seconds + 59) / 60);
    } else {
        dj_text_format(text, "%lld h %02lld min", (long long)seconds / 3600,
                       (long long)(seconds % 3600) / 60);
    }
}

static void put_fact(struct dj_text *text, const struct dj_plan_range_device *device,
                     enum dj_class_fact fact, double factor, const char *unit)
{
    double value = dj_facts_class_value(&device->facts, fact);
    if (!isnan(value)) {
        dj_text_format(text, ", %.4g %s", value / factor, unit);
    }
}

static void put_device(struct dj_text *text, const struct dj_plan_range_device *device)
{
    dj_text_append_any_name(text, "  ", device->name, "");
    if (strcmp(device->of, device->name) != 0) {
        dj_text_append_any_name(text, " (", device->of, ")");
    }
    dj_text_add(text, " — ");
    if (!device->reachable) {
        dj_text_append_any_name(text, "not reachable: ", device->why, "\n");
        return;
    }
    const struct dj_device_facts *facts = &device->facts;
    dj_text_append_escaped_name(text,
                                facts->model[0] != '\0' ? facts->model : "unknown model");
    if (facts->release[0] != '\0') {
        dj_text_add(text, strcmp(facts->platform, "android") == 0 ? ", Android " : ", ");
        dj_text_append_escaped_name(text, facts->release);
    }
    put_fact(text, device, DJ_FACT_RAM, 1e9, "GB RAM");
    put_fact(text, device, DJ_FACT_DENSITY, 1, "dpi");
    put_fact(text, device, DJ_FACT_WIDTH, 1, "dp wide");
    put_fact(text, device, DJ_FACT_REFRESH, 1, "Hz");
    dj_text_add(text, facts->emulator == DJ_KNOWN_YES ? ", emulator\n" : "\n");
}

static void put_devices(struct dj_text *text, const struct dj_plan_range *range)
{
    dj_text_add(text, "\nDevices\n");
    for (size_t i = 0; i < range->count; i++) {
        put_device(text, &range->device[i]);
    }
    for (size_t i = 0; i < range->unmatched_count; i++) {
        const struct dj_device_class *class = &range->unmatched[i]->class;
        dj_text_append_any_name(text, "  none of class ", class->name,
                                class->need_count > 0 ? " (" : "");
        dj_facts_class_format(text, class);
        dj_text_add(text, class->need_count > 0 ? ")\n" : "\n");
    }
}

static void put_batch(struct dj_text *text, const struct dj_plan *plan, size_t index)
{
    const struct dj_plan_flow *flow = &plan->flows[index];
    dj_text_format(text, "  %zu. ", index + 1);
    dj_text_append_escaped_name(text, plan->batch.flows[index].name);
    dj_text_format(text, " (%s%s%s): ", flow->kind,
                   strcmp(flow->priority, "normal") == 0 ? "" : ", priority ",
                   strcmp(flow->priority, "normal") == 0 ? "" : flow->priority);
    if (plan->batch.build_count > 1) {
        dj_text_add(text, "2 builds × ");
    }
    dj_text_format(text, "%lld runs", (long long)runs_of(plan, flow));
    if (plan->batch.warmups > 0) {
        dj_text_format(text, " + %lld warm-up", (long long)plan->batch.warmups);
    }
    dj_text_add(text, ", ");
    put_time(text, batch_ns(plan, flow));
    dj_text_add(text, "\n");
}

static void put_builds(struct dj_text *text, const struct dj_plan *plan)
{
    const struct dj_batch_plan *batch = &plan->batch;
    for (size_t i = 0; i < batch->build_count; i++) {
        const struct dj_build_plan *build = &batch->builds[i];
        dj_text_append_any_name(text, i == 0 ? "\nBuilds\n  " : "  ",
                                build->label != NULL ? build->label : "A", "");
        dj_text_append_any_name(text, ", version ", build->version, "");
        dj_text_append_any_name(text, ", commit ", build->commit, "");
        if (build->apk != NULL) {
            dj_text_append_any_name(text, ", installs ", build->apk, "\n");
        } else if (build->command != NULL) {
            dj_text_append_any_name(text, ", starts ", build->command[0], "\n");
        } else {
            dj_text_add(text, ", as it is there\n");
        }
    }
    if (batch->build_count > 1) {
        dj_text_format(text, "  interleaved, drawn with seed %llu\n",
                       (unsigned long long)batch->seed);
    }
}

static void put_trace(struct dj_text *text, const struct dj_trace_plan *trace)
{
    if (trace->what != DJ_TRACE_NONE) {
        dj_text_format(text, "\nTraces\n  of each run%s%s%s\n",
                       trace->what == DJ_TRACE_JANKY ? ", around janky frames" : "",
                       trace->level_required ? ", level " : "",
                       trace->level_required ? dj_capture_level_name(trace->level) : "");
    }
}

void dj_report_dry_run_text(struct dj_text *text, const struct dj_plan *plan,
                            const struct dj_plan_range *range)
{
    char lacks[DJ_GAPS_MAX][DJ_GAP_BYTES];
    size_t lack_count = dj_plan_range_find_gaps(range, lacks);
    dj_text_append_any_name(text, plan->file != NULL ? "Plan " : "Run",
                            plan->file != NULL ? plan->file : "", "");
    dj_text_append_any_name(text, " of ", plan->batch.package, "");
    dj_text_format(text, ": %zu flow%s × %zu device%s × %zu build%s, %zu objective%s\n",
                   plan->flow_count, plan->flow_count == 1 ? "" : "s", range->count,
                   range->count == 1 ? "" : "s", plan->batch.build_count,
                   plan->batch.build_count == 1 ? "" : "s", plan->objectives.count,
                   plan->objectives.count == 1 ? "" : "s");
    put_builds(text, plan);
    put_devices(text, range);
    put_trace(text, &plan->batch.trace);
    dj_text_add(text, "\nOn each device, in this order\n");
    for (size_t i = 0; i < plan->flow_count; i++) {
        put_batch(text, plan, i);
    }
    dj_text_add(text, "\nTime: about ");
    put_time(text, whole_ns(plan, range));
    dj_text_add(text, range->count > 1 ? ", devices side by side\n" : "\n");
    if (lack_count > 0) {
        dj_text_add(text, "\nThe range lacks\n");
    }
    for (size_t i = 0; i < lack_count; i++) {
        dj_text_append_any_name(text, "  ", lacks[i], "\n");
    }
}

/* ---- for programs ---- */

static void put_number(struct dj_text *text, const char *key,
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
    put_number(text, "width_dp", device, DJ_FACT_WIDTH);
    put_number(text, "refresh_hz", device, DJ_FACT_REFRESH);
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
