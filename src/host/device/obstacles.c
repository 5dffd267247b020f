#include "device/facts.h"
#include "device/facts/readers.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/quote.h"

enum { BATTERY_LOW_PCT = 20, THERMAL_MODERATE = 2 };

/* Temperatures in °C. Phones are throttled when the battery reaches the first one. Linux
 * drivers throttle CPUs when a thermal zone reaches the second one. */
static const double battery_hot_c = 42, zone_hot_c = 90;
static const double busy_load = 0.7;

struct list {
    const char *name; /* Name of the device. */
    const struct dj_device_facts *facts;
    struct dj_device_obstacle *obstacles;
    /* `blocking` is the number of obstacles that block. Obstacles that block come first
     * in the list. */
    size_t count, blocking;
};

/* Adds an obstacle. `command` removes the obstacle, or is NULL if only a person can do
 * that. "adb -s NAME " is added before the command, except on this machine and before
 * commands that begin with sudo, adb or fastboot. */
__attribute__((format(printf, 5, 6))) static void
add_obstacle(struct list *list, bool blocks, const char *name, const char *command,
             const char *format, ...)
{
    if (list->count == DJ_OBSTACLES_MAX) {
        return;
    }
    struct dj_device_obstacle *to =
        &list->obstacles[blocks ? list->blocking++ : list->count];
    memmove(to + 1, to, (size_t)(&list->obstacles[list->count++] - to) * sizeof(*to));
    struct dj_text line = {0};
    va_list arguments;
    *to = (struct dj_device_obstacle){.blocks = blocks};
    snprintf(to->name, sizeof(to->name), "%s", name);
    va_start(arguments, format);
    vsnprintf(to->says, sizeof(to->says), format, arguments);
    va_end(arguments);
    bool local = strcmp(list->name, "local:") == 0;
    if (command != NULL && !local && strncmp(command, "sudo ", 5) != 0 &&
        strncmp(command, "adb ", 4) != 0 && strncmp(command, "fastboot ", 9) != 0) {
        dj_text_add(&line, "adb -s ");
        dj_device_quote_word(&line, list->name);
        dj_text_add(&line, " ");
    }
    dj_text_add(&line, command != NULL ? command : "");
    snprintf(to->command, sizeof(to->command), "%s", dj_text_get(&line));
    dj_text_finish(&line);
}

static const struct {
    const char *state, *name, *says, *command;
} states[] = {
    {"unauthorized", "unauthorized",
     "this computer is not authorized: unlock the device and accept the key on its "
     "screen",
     NULL},
    {"authorizing", "unauthorized",
     "the device waits for authorization: unlock it and accept the key on its screen",
     NULL},
    {"offline", "offline", "the device does not answer the adb server",
     "adb reconnect offline"},
    {"connecting", "offline", "the device is connecting: try again in a moment", NULL},
    {"no permissions", "no-permissions",
     "this user may not open the USB device: install the udev rules, then reconnect the "
     "device",
     "sudo apt-get install android-sdk-platform-tools-common"},
    {"bootloader", "bootloader", "the device is in its boot loader", "fastboot reboot"},
    {"recovery", "recovery", "the device is in recovery mode", "reboot"},
    {"sideload", "recovery", "the device waits for a sideload", "reboot"},
    {"rescue", "recovery", "the device is in rescue mode", "reboot"},
};

static void check_state(struct list *list)
{
    const char *state = list->facts->state;
    if (strcmp(state, "device") == 0 || strcmp(state, "local") == 0 ||
        strcmp(state, "replay") == 0) {
        return;
    }
    for (size_t i = 0; i < COUNT_OF(states); i++) {
        if (strcmp(states[i].state, state) == 0) {
            add_obstacle(list, true, states[i].name, states[i].command, "%s",
                         states[i].says);
            return;
        }
    }
    add_obstacle(list, true, "state", NULL,
                 "the device is in state '%s', expected 'device'", state);
}

static void check_screen(struct list *list)
{
    if (list->facts->screen_on == DJ_KNOWN_NO) {
        if (strcmp(list->facts->platform, "android") == 0) {
            add_obstacle(list, true, "screen-off", "shell input keyevent 224",
                         "the screen is off, so nothing is drawn");
        } else {
            add_obstacle(list, false, "screen-off", NULL,
                         "the display is off: programs may be throttled");
        }
    }
    if (list->facts->locked == DJ_KNOWN_YES) {
        add_obstacle(
            list, true, "locked",
            list->facts->api >= 26 ? "shell wm dismiss-keyguard"
                                   : "shell input keyevent 82",
            "the lock screen is shown (a PIN or pattern must be entered by hand)");
    }
}

static void check_scales(struct list *list)
{
    struct dj_text command = {0};
    const double *scale = list->facts->animation_scale;
    bool all = true;
    dj_text_add(&command, "shell '");
    for (size_t i = 0; i < DJ_FACTS_SCALES; i++) {
        if (scale[i] >= 0 && scale[i] != 1) {
            dj_text_format(&command, "%ssettings put global %s 1", all ? "" : "; ",
                           dj_facts_scale_settings[i]);
            all = false;
        }
    }
    dj_text_add(&command, "'");
    if (!all) {
        add_obstacle(list, false, "animation-scale", dj_text_get(&command),
                     "animations do not run at their normal speed: their scales are not "
                     "1 (window %g, transition %g, animator %g)",
                     scale[0], scale[1], scale[2]);
    }
    dj_text_finish(&command);
}

static void check_settings(struct list *list)
{
    const struct dj_device_facts *facts = list->facts;
    if (facts->low_power == DJ_KNOWN_YES) {
        add_obstacle(list, false, "low-power", "shell settings put global low_power 0",
                     "battery saver is on: it slows down the CPUs and animations");
    }
    if (facts->developer_options == DJ_KNOWN_NO) {
        add_obstacle(list, false, "developer-options",
                     "shell settings put global development_settings_enabled 1",
                     "developer options are off, so their settings (stay awake, "
                     "profiling) have no effect");
    }
    if (facts->stays_awake == DJ_KNOWN_NO) {
        add_obstacle(list, false, "screen-timeout", "shell svc power stayon true",
                     "the screen turns off after its timeout, possibly during a run");
    }
    if (facts->emulator == DJ_KNOWN_YES && facts->api > 0) {
        add_obstacle(list, false, "emulator", NULL,
                     "this device is an emulator: its frame times do not predict those "
                     "of a phone");
    }
}

static void check_power(struct list *list)
{
    const struct dj_device_facts *facts = list->facts;
    if (facts->battery_pct >= 0 && facts->battery_pct < BATTERY_LOW_PCT) {
        add_obstacle(list, false, "battery-low", NULL,
                     "the battery is at %d %%: the device may soon save power; charge it "
                     "to at least %d %%",
                     facts->battery_pct, BATTERY_LOW_PCT);
    }
    if (facts->thermal_status >= THERMAL_MODERATE) {
        add_obstacle(
            list, facts->thermal_status >= 4, "hot", NULL,
            "the device throttles because of heat (thermal status %d): let it cool down",
            facts->thermal_status);
    } else if (facts->battery_c >= battery_hot_c) {
        add_obstacle(list, false, "hot", NULL,
                     "the battery is at %.1f °C: let the device cool down",
                     facts->battery_c);
    } else if (facts->api < 0 && facts->skin_c >= zone_hot_c) {
        add_obstacle(list, false, "hot", NULL,
                     "the hottest sensor is at %.0f °C: let the device cool down",
                     facts->skin_c);
    }
    if (facts->load_per_core > busy_load && facts->api < 0) {
        add_obstacle(list, false, "busy", NULL,
                     "other programs use the CPUs (%.1f runnable threads per CPU)",
                     facts->load_per_core);
    }
}

static void check_linux(struct list *list)
{
    const struct dj_device_facts *facts = list->facts;
    bool local = strcmp(facts->state, "local") == 0;
    /* These drivers choose the frequency themselves, so the governor "powersave" does not
     * mean the lowest frequency. */
    bool chooses = strncmp(facts->cpufreq, "intel_pstate", 12) == 0 ||
                   strncmp(facts->cpufreq, "amd-pstate-epp", 14) == 0;
    if (facts->dumpsys[0] == '\0' && strcmp(facts->state, "device") == 0) {
        add_obstacle(list, true, "no-dumpsys",
                     "push \"$(command -v dumpsys)\" /usr/local/bin/",
                     "dejank's dumpsys is not in the PATH of the device");
    }
    if (strstr(facts->governor, "powersave") != NULL && !chooses) {
        add_obstacle(
            list, false, "governor",
            local ? "sudo cpupower frequency-set -g performance"
                  : "shell 'for f in "
                    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do echo "
                    "performance >$f; done'",
            "the CPUs run at their lowest frequency (governor %s)", facts->governor);
    }
}

size_t dj_device_find_obstacles(const char *name, const struct dj_device_facts *facts,
                                struct dj_device_obstacle *obstacles)
{
    struct list list = {.name = name, .facts = facts, .obstacles = obstacles};
    check_state(&list);
    if (list.count == 0) {
        check_screen(&list);
        check_scales(&list);
        check_settings(&list);
        check_power(&list);
        if (strcmp(facts->platform, "linux") == 0) {
            check_linux(&list);
        }
    }
    return list.count;
}
