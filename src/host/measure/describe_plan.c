#include "measure/describe_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
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

static void append_string(struct dj_text *text, const char *string)
{
    size_t left = strlen(string);
    dj_text_string(text, "\"");
    while (left > 0) {
        struct dj_utf8 next = dj_utf8_at(string, left);
        if (next.code < 0) {
            dj_text_string(text, "\xEF\xBF\xBD");
        } else if (next.code < 0x20 || next.code == '"' || next.code == '\\') {
            dj_text_format(text, "\\u%04x", (unsigned)next.code);
        } else {
            dj_text_append(text, string, next.bytes);
        }
        string += next.bytes;
        left -= next.bytes;
    }
    dj_text_string(text, "\"");
}

static void put_string(struct dj_text *text, const char *key, const char *value)
{
    if (value != NULL) {
        dj_text_format(text, ",\"%s\":", key);
        append_string(text, value);
    }
}

static void put_command(struct dj_text *text, char *const *command)
{
    dj_text_string(text, ",\"command\":[");
    for (size_t i = 0; command[i] != NULL; i++) {
        dj_text_string(text, i > 0 ? "," : "");
        append_string(text, command[i]);
    }
    dj_text_string(text, "]");
}

/* What was said of it. */
static void put_trace(struct dj_text *text, const struct dj_trace_plan *trace)
{
    const struct {
        const char *key;
        int64_t value;
    } said[] = {{"trace_before_ns", trace->before_ns},
                {"trace_after_ns", trace->after_ns},
                {"trace_buffer_bytes", trace->buffer_bytes},
                {"trace_size_bytes", trace->size_bytes}};
    if (trace->what == DJ_TRACE_NONE) {
        return;
    }
    put_string(text, "trace", dj_trace_word(trace->what));
    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
        if (said[i].value != 0) {
            dj_text_format(text, ",\"%s\":%" PRId64, said[i].key, said[i].value);
        }
    }
    if (trace->level_asked) {
        put_string(text, "trace_level", dj_capture_level_name(trace->level));
    }
    for (size_t i = 0; i < trace->category_count; i++) {
        dj_text_string(text, i == 0 ? ",\"trace_categories\":[" : ",");
        append_string(text, trace->categories[i]);
    }
    dj_text_string(text, trace->category_count > 0 ? "]" : "");
}

void dj_plan_options_json(struct dj_text *text, const struct dj_batch_plan *plan,
                          const struct dj_flow_plan *flow,
                          const struct dj_build_plan *build)
{
    dj_text_format(text, "{\"duration_ns\":%" PRId64 ",\"settle_ns\":%" PRId64,
                   flow->duration_ns, plan->settle_ns);
    dj_text_format(text, ",\"warmups\":%" PRId64 ",\"retries\":%" PRId64, plan->warmups,
                   plan->retries);
    if (plan->refresh_hz > 0) {
        dj_text_format(text, ",\"refresh_hz\":%.6g", plan->refresh_hz);
    }
    dj_text_format(text, ",\"aggregate_only\":%s,\"profile\":%s,\"attach\":%s",
                   plan->aggregate_only ? "true" : "false",
                   plan->profile ? "true" : "false", plan->attach ? "true" : "false");
    put_trace(text, &plan->trace);
    put_string(text, "driver", flow->maker->kind);
    put_string(text, "arguments", flow->maker->arguments);
    put_string(text, "activity", plan->activity);
    put_string(text, "plan", plan->source);
    put_string(text, "apk", build->apk);
    if (build->command != NULL) {
        put_command(text, build->command);
    }
    dj_text_string(text, "}");
}

void dj_plan_order_json(struct dj_text *text, const struct dj_batch_plan *plan)
{
    dj_text_format(text, "{\"rule\":\"%s\",\"seed\":%" PRIu64 "}",
                   plan->build_count == 2 ? DJ_ORDER_RULE : "A", plan->seed);
}
