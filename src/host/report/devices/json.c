#include "base/json.h"
#include "report/devices.h"

#define SCHEMA "dejank.devices/1"

void dj_report_json_known_fact(struct dj_text *text, const char *key, enum dj_known value)
{
    if (value == DJ_KNOWN_UNKNOWN) {
        dj_json_add_null(text, key);
    } else {
        dj_json_add_bool(text, key, value == DJ_KNOWN_YES);
    }
}

static void put_facts(struct dj_text *text, const struct dj_device_facts *facts)
{
    dj_json_add_name(text, "platform", facts->platform);
    dj_json_add_name(text, "manufacturer", facts->manufacturer);
    dj_json_add_name(text, "model", facts->model);
    dj_json_add_name(text, "release", facts->release);
    dj_json_add_name(text, "security_patch", facts->security_patch);
    dj_json_add_name(text, "build", facts->build);
    dj_json_add_name(text, "kernel", facts->kernel);
    dj_json_add_name(text, "dumpsys", facts->dumpsys);
    dj_json_add_name(text, "cpu", facts->cpu);
    dj_json_add_name(text, "governor", facts->governor);
    dj_json_add_name(text, "cpufreq", facts->cpufreq);
    dj_json_add_name(text, "gpu", facts->gpu);
    dj_json_add_known(text, "api", facts->api);
    dj_json_add_known(text, "width_px", facts->width_px);
    dj_json_add_known(text, "height_px", facts->height_px);
    dj_json_add_known(text, "density_dpi", facts->density_dpi);
    dj_json_add_known(text, "cores", facts->cores);
    dj_json_add_known(text, "battery_pct", facts->battery_pct);
    dj_json_add_known(text, "thermal_status", facts->thermal_status);
    dj_json_add_known(text, "ram_bytes", facts->ram_bytes);
    dj_json_add_known(text, "cpu_max_hz", facts->cpu_max_hz);
    dj_json_add_real(text, "refresh_hz", facts->refresh_hz);
    dj_json_add_real(text, "battery_c", facts->battery_c);
    dj_json_add_real(text, "skin_c", facts->skin_c);
    dj_json_add_real(text, "load_per_core", facts->load_per_core);
    dj_report_json_known_fact(text, "emulator", facts->emulator);
    dj_report_json_known_fact(text, "charging", facts->charging);
    dj_report_json_known_fact(text, "screen_on", facts->screen_on);
    dj_report_json_known_fact(text, "locked", facts->locked);
    dj_report_json_known_fact(text, "low_power", facts->low_power);
    dj_report_json_known_fact(text, "stays_awake", facts->stays_awake);
    dj_report_json_known_fact(text, "developer_options", facts->developer_options);
    dj_json_open_array(text, "rates_hz");
    for (size_t i = 0; i < facts->rate_count; i++) {
        dj_json_add_real(text, NULL, facts->rates_hz[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_object(text, "animation_scale");
    dj_json_add_real(text, "window", facts->animation_scale[0]);
    dj_json_add_real(text, "transition", facts->animation_scale[1]);
    dj_json_add_real(text, "animator", facts->animation_scale[2]);
    dj_json_close(text, "}");
}

static void put_device(struct dj_text *text, const char *key,
                       const struct dj_inquired_device *device)
{
    dj_json_open_object(text, key);
    dj_json_add_string(text, "name", device->name);
    dj_json_add_string(text, "state", device->facts.state);
    dj_json_add_bool(text, "ready", dj_device_inquired_is_ready(device));
    dj_json_add_name(text, "error",
                     device->error.code != 0 ? device->error.message : NULL);
    dj_json_add_real(text, "asked_ms", (double)device->facts.asked_ns / 1e6);
    dj_json_open_object(text, "facts");
    put_facts(text, &device->facts);
    dj_json_close(text, "}");
    dj_json_open_array(text, "obstacles");
    for (size_t i = 0; i < device->obstacle_count; i++) {
        const struct dj_device_obstacle *obstacle = &device->obstacles[i];
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", obstacle->name);
        dj_json_add_bool(text, "blocks", obstacle->blocks);
        dj_json_add_string(text, "says", obstacle->says);
        dj_json_add_name(text, "command", obstacle->command);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

void dj_report_devices_json(struct dj_text *text,
                            const struct dj_inquired_device *devices, size_t count)
{
    dj_json_open_document(text, SCHEMA);
    dj_json_open_array(text, "devices");
    for (size_t i = 0; i < count; i++) {
        put_device(text, NULL, &devices[i]);
    }
    dj_json_close(text, "]}\n");
}

void dj_report_device_event_json(struct dj_text *text, const char *event,
                                 const struct dj_inquired_device *device)
{
    dj_json_open_document(text, SCHEMA);
    dj_json_add_string(text, "event", event);
    put_device(text, "device", device);
    dj_json_close(text, "}\n");
}
