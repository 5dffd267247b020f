#include "measure/rig/describe_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "measure/run/order.h"

static const char *null_if_empty(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

void dj_describe_plan_device(struct dj_device_row *row, const char *name,
                             const struct dj_device_facts *facts)
{
    bool maker =
        facts->manufacturer[0] != '\0' &&
        strncmp(facts->model, facts->manufacturer, strlen(facts->manufacturer)) != 0;
    *row = (struct dj_device_row){.device.serial = name};
    snprintf(row->model, sizeof(row->model), "%s%s%s", maker ? facts->manufacturer : "",
             maker ? " " : "", facts->model);
    row->device.kind = strcmp(facts->state, "device") == 0 ? "adb" : facts->state;
    row->device.model = null_if_empty(row->model);
    row->device.release = null_if_empty(facts->release);
    dj_facts_list(facts, &row->list);
    row->device.facts = row->list.fact;
    row->device.fact_count = row->list.count;
}

static void write_known(struct dj_text *text, const char *key, const char *value)
{
    if (value != NULL) {
        dj_json_add_string(text, key, value);
    }
}

/* Writes the trace settings that differ from their defaults. */
static void write_trace(struct dj_text *text, const struct dj_trace_plan *trace)
{
    const struct {
        const char *key;
        int64_t value;
    } settings[] = {{"trace_before_ns", trace->before_ns},
                    {"trace_after_ns", trace->after_ns},
                    {"trace_buffer_bytes", trace->buffer_bytes},
                    {"trace_size_bytes", trace->size_bytes},
                    {"trace_stack_rate_hz", trace->stacks.rate_hz},
                    {"trace_stack_bytes", trace->stacks.stack_bytes}};
    if (trace->what == DJ_TRACE_NONE) {
        return;
    }
    dj_json_add_string(text, "trace", dj_measure_trace_selection_name(trace->what));
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        if (settings[i].value != 0) {
            dj_json_add_int(text, settings[i].key, settings[i].value);
        }
    }
    if (trace->level_required) {
        dj_json_add_string(text, "trace_level", dj_capture_level_name(trace->level));
    }
    if (trace->stacks.cpu || trace->stacks.waits) {
        dj_json_open_array(text, "trace_stacks");
        if (trace->stacks.cpu) {
            dj_json_append_string(text, "cpu");
        }
        if (trace->stacks.waits) {
            dj_json_append_string(text, "waits");
        }
        dj_json_close(text, "]");
    }
    if (trace->category_count > 0) {
        dj_json_open_array(text, "trace_categories");
        for (size_t i = 0; i < trace->category_count; i++) {
            dj_json_append_string(text, trace->categories[i]);
        }
        dj_json_close(text, "]");
    }
}

void dj_describe_plan_options(struct dj_text *text, const struct dj_batch_plan *plan,
                              const struct dj_flow_plan *flow,
                              const struct dj_build_plan *build)
{
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "duration_ns", flow->duration_ns);
    dj_json_add_int(text, "settle_ns", plan->settle_ns);
    dj_json_add_int(text, "warmups", plan->warmups);
    dj_json_add_int(text, "retries", plan->retries);
    if (plan->refresh_hz > 0) {
        dj_json_add_rounded(text, "refresh_hz", 6, plan->refresh_hz);
    }
    dj_json_add_bool(text, "aggregate_only", plan->aggregate_only);
    dj_json_add_bool(text, "profile", plan->profile);
    dj_json_add_bool(text, "attach", plan->attach);
    write_known(text, "source", plan->frame_source);
    write_trace(text, &plan->trace);
    write_known(text, "driver", flow->maker->kind);
    write_known(text, "arguments", flow->maker->arguments);
    write_known(text, "activity", plan->activity);
    write_known(text, "plan", plan->source);
    write_known(text, "apk", build->apk);
    if (build->command != NULL) {
        dj_json_open_array(text, "command");
        for (char *const *word = build->command; *word != NULL; word++) {
            dj_json_append_string(text, *word);
        }
        dj_json_close(text, "]");
    }
    dj_json_close(text, "}");
}

void dj_describe_plan_order(struct dj_text *text, const struct dj_batch_plan *plan)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "rule", plan->build_count == 2 ? DJ_ORDER_RULE : "A");
    dj_json_append_key(text, "seed");
    dj_text_format(text, "%" PRIu64 "}", plan->seed);
}
