#include <stddef.h>

#include "base/json.h"
#include "cli/devices_text.h"

#define SCHEMA "dejank.devices/1"

static void put_known(struct dj_text *text, const char *key, enum dj_known value)
{
    if (value == DJ_KNOWN_NOT) {
        dj_json_put_null(text, key);
    } else {
        dj_json_put_bool(text, key, value == DJ_KNOWN_YES);
    }
}

static const struct {
    const char *key;
    size_t offset;
} texts[] = {
#define ROW(field)                                                                       \
    {                                                                                    \
#field, offsetof(struct dj_device_facts, field)                                  \
    }
    ROW(platform), ROW(manufacturer), ROW(model),   ROW(release), ROW(security_patch),
    ROW(build),    ROW(kernel),       ROW(dumpsys), ROW(cpu),     ROW(governor),
    ROW(cpufreq),  ROW(gpu),
};
static const struct {
    const char *key;
    size_t offset;
} flags[] = {
    ROW(emulator),  ROW(charging),    ROW(screen_on),         ROW(locked),
    ROW(low_power), ROW(stays_awake), ROW(developer_options),
};
static const struct {
    const char *key;
    size_t offset;
} reals[] = {
    ROW(refresh_hz),
    ROW(battery_c),
    ROW(skin_c),
    ROW(load_per_core),
};
static const struct {
    const char *key;
    size_t offset;
} counts[] = {
    ROW(api),   ROW(width_px),    ROW(height_px),      ROW(density_dpi),
    ROW(cores), ROW(battery_pct), ROW(thermal_status),
#undef ROW
};

static void put_facts(struct dj_text *text, const struct dj_device_facts *facts)
{
    const char *base = (const char *)facts;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        dj_json_put_name(text, texts[i].key, base + texts[i].offset);
    }
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        dj_json_put_known(text, counts[i].key,
                          *(const int *)(const void *)(base + counts[i].offset));
    }
    dj_json_put_known(text, "ram_bytes", facts->ram_bytes);
    dj_json_put_known(text, "cpu_max_hz", facts->cpu_max_hz);
    for (size_t i = 0; i < COUNT_OF(reals); i++) {
        dj_json_put_real(text, reals[i].key,
                         *(const double *)(const void *)(base + reals[i].offset));
    }
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        put_known(text, flags[i].key,
                  *(const enum dj_known *)(const void *)(base + flags[i].offset));
    }
    dj_json_open_array(text, "rates_hz");
    for (size_t i = 0; i < facts->rate_count; i++) {
        dj_json_put_real(text, NULL, facts->rates_hz[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_object(text, "animation_scale");
    dj_json_put_real(text, "window", facts->animation_scale[0]);
    dj_json_put_real(text, "transition", facts->animation_scale[1]);
    dj_json_put_real(text, "animator", facts->animation_scale[2]);
    dj_json_close(text, "}");
}

static void put_device(struct dj_text *text, const char *key,
                       const struct dj_asked_device *device)
{
    dj_json_open_object(text, key);
    dj_json_put_string(text, "name", device->name);
    dj_json_put_string(text, "state", device->facts.state);
    dj_json_put_bool(text, "ready", dj_asked_ready(device));
    dj_json_put_name(text, "error",
                     device->error.code != 0 ? device->error.message : NULL);
    dj_json_put_real(text, "asked_ms", (double)device->facts.asked_ns / 1e6);
    dj_json_open_object(text, "facts");
    put_facts(text, &device->facts);
    dj_json_close(text, "}");
    dj_json_open_array(text, "obstacles");
    for (size_t i = 0; i < device->obstacle_count; i++) {
        const struct dj_device_obstacle *obstacle = &device->obstacles[i];
        dj_json_open_object(text, NULL);
        dj_json_put_string(text, "name", obstacle->name);
        dj_json_put_bool(text, "blocks", obstacle->blocks);
        dj_json_put_string(text, "says", obstacle->says);
        dj_json_put_name(text, "command", obstacle->command);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

void dj_devices_json(struct dj_text *text, const struct dj_asked_device *devices,
                     size_t count)
{
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "schema", SCHEMA);
    dj_json_open_array(text, "devices");
    for (size_t i = 0; i < count; i++) {
        put_device(text, NULL, &devices[i]);
    }
    dj_json_close(text, "]}\n");
}

void dj_devices_event_json(struct dj_text *text, const char *event,
                           const struct dj_asked_device *device)
{
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "schema", SCHEMA);
    dj_json_put_string(text, "event", event);
    put_device(text, "device", device);
    dj_json_close(text, "}\n");
}
