#include <string.h>

#include "cli/verbs.h"
#include "device/device.h"

struct profile {
    const char *device, *record;
};

static const struct dj_option options[] = {
    {"device", 'd', DJ_OPTION_STRING, offsetof(struct profile, device), "DEVICE",
     "device: this machine (local:), the only device of adb (adb:), a serial or "
     "HOST:PORT (default: local:)"},
    {"record-replay", 0, DJ_OPTION_STRING, offsetof(struct profile, record), "DIR",
     "also save the device's answers in DIR; '--device replay:DIR' replays them"},
};

static bool parse_switch(const char *word, bool *on)
{
    *on = strcmp(word, "on") == 0;
    return *on || strcmp(word, "off") == 0;
}

/* Prints the property's previous value on Android, so that the user can restore it: all
 * apps share the property. */
static void print_switch(const struct dj_device *device,
                         const struct dj_profile_switch *done, bool on,
                         const char *package)
{
    if (done->property[0] == '\0') {
        dj_cli_print_message("the table of stage times of %s is %s%s", package,
                             on ? "on" : "off",
                             on ? "; 'dumpsys gfxinfo' prints its rows" : "");
        return;
    }
    dj_cli_print_message(
        "%s: %s is now %s for all apps that start from now on; the previous value was "
        "'%s'",
        device->name, done->property, on ? "true" : "false", done->previous);
    dj_cli_print_hint("to restore this value, run adb -s %s shell setprop %s '\"%s\"'",
                      device->name, done->property, done->previous);
}

static int run(void *given, int count, char **operands)
{
    struct profile *values = given;
    struct dj_device *device;
    struct dj_profile_switch done;
    struct dj_error err = {0};
    bool on;
    if (count < 2) {
        return dj_cli_report_missing(count == 0 ? "on|off" : "PACKAGE");
    }
    if (!parse_switch(operands[0], &on)) {
        return dj_cli_print_usage_error("expected on or off, found '%s'", operands[0]);
    }
    int code = dj_device_open_recorded(values->device != NULL ? values->device : "local:",
                                       values->record, &device, &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    code = dj_device_set_profile(device, operands[1], on, &done, &err);
    if (code == 0) {
        print_switch(device, &done, on, operands[1]);
    }
    dj_device_close(device);
    return dj_cli_finish(code, &err);
}

static const struct dj_example examples[] = {
    {"Switch the table on for a recorded Linux app", "dejank profile on neverball"},
    {"Switch the table off on the only Android device",
     "dejank profile off com.example.app -d adb:"},
};

const struct dj_verb dj_verb_profile = {
    .name = "profile",
    .synopsis = "[OPTION]… on|off PACKAGE",
    .summary = "switch stage times (Profile GPU rendering) on or off",
    .description =
        "The table has the time of each stage of each frame, and is part of dumpsys "
        "gfxinfo. On Linux, the change affects one running app, immediately. On Android, "
        "dejank sets the property debug.hwui.profile, which all apps read when they "
        "start. dejank prints the previous value, and the command to restore it.\n",
    DJ_EXAMPLES(examples),
    .operands = {"on|off", 0, 2},
    DJ_OPTIONS(options, struct profile),
    .run = run,
};
