/* Reads the model and settings of an Android device from the output of its commands. */
#include <stddef.h>
#include <string.h>

#include "base/count_of.h"
#include "base/text.h"
#include "device/facts/readers.h"

static const struct {
    const char *name;
    size_t offset, capacity;
} text_properties[] = {
#define ROW(property, field)                                                             \
    {                                                                                    \
        property, offsetof(struct dj_device_facts, field),                               \
            sizeof(((struct dj_device_facts *)0)->field)                                 \
    }
    ROW("ro.product.manufacturer", manufacturer),
    ROW("ro.product.model", model),
    ROW("ro.build.version.release", release),
    ROW("ro.build.version.security_patch", security_patch),
    ROW("ro.build.fingerprint", build),
    ROW("ro.soc.model", cpu),
    ROW("ro.board.platform", cpu),
#undef ROW
};

static void set_property(struct dj_device_facts *facts, struct dj_str name,
                         struct dj_str value)
{
    int64_t number;
    for (size_t i = 0; i < COUNT_OF(text_properties); i++) {
        if (dj_str_is(name, text_properties[i].name) && value.length > 0) {
            dj_text_copy_escaped(value, (char *)facts + text_properties[i].offset,
                                 text_properties[i].capacity);
        }
    }
    if (dj_str_is(name, "ro.build.version.sdk") && dj_str_int(value, &number)) {
        facts->api = (int)number;
    }
    /* Properties of the Android Emulator. The names of its kernel and boards are goldfish
     * and ranchu. Cuttlefish is another emulator. */
    if ((dj_str_is(name, "ro.kernel.qemu") || dj_str_is(name, "ro.boot.qemu")) &&
        dj_str_is(value, "1")) {
        facts->emulator = DJ_KNOWN_YES;
    }
    if (dj_str_is(name, "ro.hardware") &&
        (dj_str_is(value, "goldfish") || dj_str_is(value, "ranchu") ||
         dj_str_is(value, "cutf_cvm") || dj_str_is(value, "vbox86"))) {
        facts->emulator = DJ_KNOWN_YES;
    }
}

void dj_facts_read_getprop(struct dj_device_facts *facts, const char *text, size_t length)
{
    struct dj_str rest = {text, length}, line, value;
    while (dj_str_next_line(&rest, &line)) {
        if (line.length < 2 || line.at[0] != '[' || !dj_str_after(line, "]: [", &value)) {
            continue;
        }
        struct dj_str name =
            dj_str_until((struct dj_str){line.at + 1, line.length - 1}, "]");
        value = dj_str_until(value, "]");
        set_property(facts, name, value);
    }
    if (facts->api > 0) {
        memcpy(facts->platform, "android", sizeof("android"));
        facts->emulator = facts->emulator == DJ_KNOWN_YES ? DJ_KNOWN_YES : DJ_KNOWN_NO;
    }
}

void dj_facts_set_size(struct dj_device_facts *facts, struct dj_str size)
{
    int64_t width, height;
    struct dj_str second;
    if (dj_str_int(size, &width) && dj_str_after(size, "x", &second) &&
        dj_str_int(second, &height) && width > 0 && height > 0 && width < 100000 &&
        height < 100000) {
        facts->width_px = (int)width;
        facts->height_px = (int)height;
    }
}

void dj_facts_read_wm(struct dj_device_facts *facts, const char *text, size_t length)
{
    struct dj_str rest = {text, length}, line, value;
    int64_t density;
    while (dj_str_next_line(&rest, &line)) {
        /* A second line, "Override size: …", replaces the physical size if the size was
         * changed with `wm size`. */
        if (dj_str_after(line, " size: ", &value)) {
            dj_facts_set_size(facts, value);
        }
        if (dj_str_after(line, " density: ", &value) && dj_str_int(value, &density) &&
            density > 0 && density < 10000) {
            facts->density_dpi = (int)density;
        }
    }
}

const char *const dj_facts_scale_settings[DJ_FACTS_SCALES] = {
    "window_animation_scale", "transition_animation_scale", "animator_duration_scale"};

static void set_setting(struct dj_device_facts *facts, struct dj_str name,
                        struct dj_str value)
{
    static const struct {
        const char *name;
        size_t offset;
    } flags[] = {
        {"low_power", offsetof(struct dj_device_facts, low_power)},
        {"development_settings_enabled",
         offsetof(struct dj_device_facts, developer_options)},
        {"stay_on_while_plugged_in", offsetof(struct dj_device_facts, stays_awake)},
    };
    int64_t number;
    double scale;
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        if (dj_str_is(name, flags[i].name) && dj_str_int(value, &number)) {
            dj_facts_set_known((enum dj_known *)(void *)((char *)facts + flags[i].offset),
                               number != 0);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        if (dj_str_is(name, dj_facts_scale_settings[i]) && dj_str_double(value, &scale)) {
            facts->animation_scale[i] = scale;
        }
    }
}

/* Returns whether `name` is a global setting that dejank reads or that every list of
 * global settings contains. A line with such a setting shows that the text is a list of
 * settings. */
static bool is_setting(struct dj_str name)
{
    static const char *const names[] = {"adb_enabled",
                                        "airplane_mode_on",
                                        "device_provisioned",
                                        "low_power",
                                        "development_settings_enabled",
                                        "stay_on_while_plugged_in"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (dj_str_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

void dj_facts_read_settings(struct dj_device_facts *facts, const char *text,
                            size_t length)
{
    struct dj_str rest = {text, length}, line, value;
    bool any = false;
    while (dj_str_next_line(&rest, &line)) {
        struct dj_str name = dj_str_until(line, "=");
        if (dj_str_after(line, "=", &value)) {
            any = any || is_setting(name);
            set_setting(facts, name, value);
        }
    }
    /* A scale that was never set is not in the list. Android then uses 1, the default
     * that it passes to Settings.Global.getFloat(). */
    for (size_t i = 0; any && i < 3; i++) {
        if (!(facts->animation_scale[i] >= 0)) {
            facts->animation_scale[i] = 1;
        }
    }
    if (any && facts->low_power == DJ_KNOWN_UNKNOWN) {
        facts->low_power = DJ_KNOWN_NO;
    }
}

/* Reads the GPU, and the refresh rate if it is not known yet. The line of the GPU is like
 * "GLES: Qualcomm, Adreno (TM) 650, OpenGL ES 3.2 V@0502.0 (GIT@…)". Since Android
 * 14, there may also be a line "GaneshGL: …", or neither line if SurfaceFlinger uses
 * Vulkan. */
void dj_facts_read_flinger(struct dj_device_facts *facts, const char *text, size_t length)
{
    struct dj_str rest = {text, length}, line, value;
    double hz;
    while (dj_str_next_line(&rest, &line)) {
        if (dj_str_begins(line, "GLES: ") && facts->gpu[0] == '\0') {
            dj_str_after(line, "GLES: ", &value);
            dj_text_copy_escaped(value, facts->gpu, sizeof(facts->gpu));
        }
        /* On Android 5, only this line has the actual refresh rate. Other commands print
         * the rate that was requested. */
        if (dj_str_begins(line, "refresh-rate") && !(facts->refresh_hz > 0) &&
            dj_str_after(line, ":", &value) && dj_str_double(value, &hz) && hz > 0) {
            facts->refresh_hz = hz;
        }
    }
}

const struct dj_facts_command dj_facts_android_commands[] = {
    {{"settings", "list", "global"}, dj_facts_read_settings},
    {{"dumpsys", "power"}, dj_facts_read_power},
    {{"dumpsys", "window", "policy"}, dj_facts_read_policy},
    {{"dumpsys", "battery"}, dj_facts_read_battery},
    {{"dumpsys", "thermalservice"}, dj_facts_read_thermal},
    {{"dumpsys", "display"}, dj_facts_read_display},
    {{"wm", "size"}, dj_facts_read_wm},
    {{"wm", "density"}, dj_facts_read_wm},
    {{"dumpsys", "SurfaceFlinger"}, dj_facts_read_flinger},
};
