#include <string.h>

#include "cli/verbs.h"
#include "device/device.h"

struct profile {
    const char *device, *record;
};

static const struct dj_option options[] = {
    {"device", 'd', DJ_OPTION_STRING, offsetof(struct profile, device), "D",
     "local: (the default), an adb serial, HOST:PORT, or adb: for the only one"},
    {"record-replay", 0, DJ_OPTION_STRING, offsetof(struct profile, record), "DIR",
     "write what the device answers into DIR, for --device replay:DIR"},
};

static bool parse_switch(const char *word, bool *on)
{
    *on = strcmp(word, "on") == 0;
    return *on || strcmp(word, "off") == 0;
}

/* On Android all apps share the property: prints its previous value, so that the user can
 * restore it. */
static void print_switch(const struct dj_device *device,
                         const struct dj_profile_switch *done, bool on,
                         const char *package)
{
    if (done->property[0] == '\0') {
        dj_cli_print_message("the simple dump of %s is %s%s", package, on ? "on" : "off",
                             on ? "; `dumpsys gfxinfo` prints its rows" : "");
        return;
    }
    dj_cli_print_message(
        "%s: %s is now %s for all apps that start from now on; it was '%s'", device->name,
        done->property, on ? "true" : "false", done->previous);
    dj_cli_print_message("to put it back: adb -s %s shell setprop %s '\"%s\"'",
                         device->name, done->property, done->previous);
}

static int run(void *given, int count, char **operands)
{
    struct profile *values = given;
    struct dj_device *device;
    struct dj_profile_switch done;
    struct dj_error err = {0};
    bool on;
    if (count != 2 || !parse_switch(operands[0], &on)) {
        return dj_cli_print_usage_error(
            "expected on or off, and a package (see dejank profile --help)");
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

const struct dj_verb dj_verb_profile = {
    .name = "profile",
    .synopsis = "on|off PKG [--device D]",
    .summary = "switch the simple per-stage dump (Profile GPU rendering)",
    .details =
        "On Linux the switch is the running app's own and works at once. On Android it "
        "is the property\n"
        "debug.hwui.profile: apps read it as they start, and its value before is told.",
    DJ_OPTIONS(options, struct profile),
    .run = run,
};
