#include "measure/describe_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "measure/order.h"

/* ---- the device ---- */

static void add_fact(struct dj_device_row *row, const char *name, const char *value,
                     const char *unit)
{
    if (value[0] != '\0' && row->device.fact_count < DJ_DEVICE_FACTS) {
        row->facts[row->device.fact_count++] = (struct dj_fact){name, value, unit};
    }
}

static char *number_room(struct dj_device_row *row)
{
    return row->numbers[row->device.fact_count % DJ_DEVICE_FACTS];
}

static void add_count(struct dj_device_row *row, const char *name, int64_t value,
                      const char *unit)
{
    char *text = number_room(row);
    if (value > 0) {
        snprintf(text, sizeof(row->numbers[0]), "%" PRId64, value);
        add_fact(row, name, text, unit);
    }
}

static void add_rates(struct dj_device_row *row, const struct dj_device_facts *facts)
{
    char *text = number_room(row);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < facts->rate_count && used < sizeof(row->numbers[0]); i++) {
        used += (size_t)snprintf(text + used, sizeof(row->numbers[0]) - used, "%s%.6g",
                                 i > 0 ? "," : "", facts->rates_hz[i]);
    }
    add_fact(row, "refresh-rates", text, "Hz");
}

static const char *kind_of(const char *name)
{
    return strcmp(name, "local:") == 0        ? "local"
           : strncmp(name, "replay:", 7) == 0 ? "replay"
                                              : "adb";
}

static const char *known(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

void dj_device_row_fill(struct dj_device_row *row, const char *name,
                        const struct dj_device_facts *facts)
{
    bool maker =
        facts->manufacturer[0] != '\0' &&
        strncmp(facts->model, facts->manufacturer, strlen(facts->manufacturer)) != 0;
    *row = (struct dj_device_row){.device.serial = name};
    snprintf(row->model, sizeof(row->model), "%s%s%s", maker ? facts->manufacturer : "",
             maker ? " " : "", facts->model);
    row->device.kind = kind_of(name);
    row->device.model = known(row->model);
    row->device.release = known(facts->release);
    row->device.facts = row->facts;
    add_fact(row, "platform", facts->platform, NULL);
    add_count(row, "api", facts->api, NULL);
    add_fact(row, "build", facts->build, NULL);
    add_fact(row, "kernel", facts->kernel, NULL);
    add_fact(row, "dumpsys", facts->dumpsys, NULL);
    add_count(row, "ram", facts->ram_bytes >> 20, "MiB");
    add_fact(row, "cpu", facts->cpu, NULL);
    add_count(row, "cores", facts->cores, NULL);
    add_count(row, "cpu-max", facts->cpu_max_hz, "Hz");
    add_fact(row, "gpu", facts->gpu, NULL);
    add_count(row, "density", facts->density_dpi, "dpi");
    add_count(row, "width", facts->width_px, "px");
    add_count(row, "height", facts->height_px, "px");
    add_rates(row, facts);
    add_fact(row, "emulator", facts->emulator == DJ_KNOWN_YES ? "yes" : "", NULL);
}

/* ---- JSON ---- */

static void write_known(struct dj_text *text, const char *key, const char *value)
{
    if (value != NULL) {
        dj_json_put_string(text, key, value);
    }
}

/* Only the settings that the user gave. */
static void write_trace(struct dj_text *text, const struct dj_trace_plan *trace)
{
    const struct {
        const char *key;
        int64_t value;
    } settings[] = {{"trace_before_ns", trace->before_ns},
                    {"trace_after_ns", trace->after_ns},
                    {"trace_buffer_bytes", trace->buffer_bytes},
                    {"trace_size_bytes", trace->size_bytes}};
    if (trace->what == DJ_TRACE_NONE) {
        return;
    }
    dj_json_put_string(text, "trace", dj_trace_word(trace->what));
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        if (settings[i].value != 0) {
            dj_json_put_int(text, settings[i].key, settings[i].value);
        }
    }
    if (trace->level_asked) {
        dj_json_put_string(text, "trace_level", dj_capture_level_name(trace->level));
    }
    if (trace->category_count > 0) {
        dj_json_open_array(text, "trace_categories");
        for (size_t i = 0; i < trace->category_count; i++) {
            dj_json_string(text, trace->categories[i]);
        }
        dj_json_close(text, "]");
    }
}

void dj_plan_options_json(struct dj_text *text, const struct dj_batch_plan *plan,
                          const struct dj_flow_plan *flow,
                          const struct dj_build_plan *build)
{
    dj_json_open_object(text, NULL);
    dj_json_put_int(text, "duration_ns", flow->duration_ns);
    dj_json_put_int(text, "settle_ns", plan->settle_ns);
    dj_json_put_int(text, "warmups", plan->warmups);
    dj_json_put_int(text, "retries", plan->retries);
    if (plan->refresh_hz > 0) {
        dj_json_put_rounded(text, "refresh_hz", 6, plan->refresh_hz);
    }
    dj_json_put_bool(text, "aggregate_only", plan->aggregate_only);
    dj_json_put_bool(text, "profile", plan->profile);
    dj_json_put_bool(text, "attach", plan->attach);
    write_trace(text, &plan->trace);
    write_known(text, "driver", flow->maker->kind);
    write_known(text, "arguments", flow->maker->arguments);
    write_known(text, "activity", plan->activity);
    write_known(text, "plan", plan->source);
    write_known(text, "apk", build->apk);
    if (build->command != NULL) {
        dj_json_open_array(text, "command");
        for (char *const *word = build->command; *word != NULL; word++) {
            dj_json_string(text, *word);
        }
        dj_json_close(text, "]");
    }
    dj_json_close(text, "}");
}

void dj_plan_order_json(struct dj_text *text, const struct dj_batch_plan *plan)
{
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "rule", plan->build_count == 2 ? DJ_ORDER_RULE : "A");
    dj_json_key(text, "seed");
    dj_text_format(text, "%" PRIu64 "}", plan->seed);
}
