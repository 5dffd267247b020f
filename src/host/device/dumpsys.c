#include "device/dumpsys.h"

#include <stdio.h>
#include <string.h>

#include "process/deadline.h"

/* The limit must be longer than the 5 s for which Android waits for an app to answer. */
#define DUMP_TIMEOUT_NS (15 * DJ_SECOND_NS)
#define COMMAND_TIMEOUT_NS (10 * DJ_SECOND_NS)

#define PROFILE_PROPERTY "debug.hwui.profile"

/* The exit code of POSIX shells if a command does not exist. */
enum { EXIT_NO_COMMAND = 127 };

static int refuse_output(const struct dj_device *device,
                         const struct dj_device_result *result, struct dj_error *err)
{
    if (result->exit_code == EXIT_NO_COMMAND) {
        return dj_error_set(err, DJ_E_NOT_FOUND,
                            "%s has no `dumpsys` in its PATH: install dejank there (%s)",
                            device->name, dj_device_error_line(result).line);
    }
    return dj_error_set(err, DJ_E_NO_DATA,
                        "%s: `dumpsys gfxinfo` ended with exit code %d: %s", device->name,
                        result->exit_code, dj_device_error_line(result).line);
}

/* Returns how many rows a window keeps, according to the dump. If the windows differ,
 * returns the smallest number. Only dejank's dumpsys prints this number, and only for a
 * request with since_ns. For other dumps, returns the number for Android. */
static uint32_t find_ring_rows(const struct dj_dump *dump)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < dump->process_count; i++) {
        uint32_t rows = dump->processes[i].rows_kept;
        least = rows > 0 && rows < least ? rows : least;
    }
    return least != UINT32_MAX ? least : DJ_DEVICE_RING_ROWS;
}

static int parse_reading(struct dj_device *device, struct dj_device_gfxinfo *reading,
                         struct dj_error *err)
{
    int code = dj_gfxinfo_parse_dump(dj_text_get(&reading->raw), reading->raw.length,
                                     &reading->dump, &reading->report, err);
    if (code == DJ_E_NO_DATA) {
        code = dj_error_set(err, code, "%s did not answer with gfxinfo: \"%.160s\"",
                            device->name,
                            dj_device_first_line(dj_text_get(&reading->raw)).line);
    }
    /* A display interval shows that dejank's dumpsys has printed the dump. This dumpsys
     * resets exactly what it has printed. */
    for (size_t i = 0; i < reading->dump.process_count; i++) {
        reading->reset_is_exact =
            reading->reset_is_exact || reading->dump.processes[i].interval_ns > 0;
    }
    reading->ring_rows = find_ring_rows(&reading->dump);
    if (code == 0 && reading->dump.uptime_ms >= 0 &&
        reading->dump.uptime_ms < INT64_MAX / DJ_MILLISECOND_NS) {
        reading->dev_ns = reading->dump.uptime_ms * DJ_MILLISECOND_NS;
    }
    return code;
}

int dj_dumpsys_gfxinfo(struct dj_device *device, const struct dj_gfxinfo_request *request,
                       struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    const char *argv[8] = {"dumpsys", "gfxinfo", request->package};
    size_t count = request->package != NULL ? 3 : 2;
    if (request->framestats) {
        argv[count++] = "framestats";
    }
    if (request->reset) {
        argv[count++] = "reset";
    }
    char since[32];
    if (request->since_ns >= 0) {
        /* Android's dumpsys ignores unknown arguments, so this argument is safe on any
         * device. */
        snprintf(since, sizeof(since), "since=%lld", (long long)request->since_ns);
        argv[count++] = since;
    }
    struct dj_device_result result = {0};
    int64_t start_ns = dj_host_now_ns();
    int code = dj_device_run(device, argv, DUMP_TIMEOUT_NS, &result, err);
    reading->cost_ns = dj_host_now_ns() - start_ns;
    reading->dev_ns = -1;
    if (code == 0 && result.exit_code != 0) {
        code = refuse_output(device, &result, err);
    }
    if (code == 0) {
        reading->raw = result.out;
        result.out = (struct dj_text){0};
        code = parse_reading(device, reading, err);
    }
    dj_device_result_finish(&result);
    return code;
}

/* Runs a command that prints one line, and copies this line. Returns false if the command
 * failed or the line is too long. */
static bool read_line(struct dj_device *device, const char *const *argv, char *line,
                      size_t capacity)
{
    struct dj_device_result result = {0};
    int code = dj_device_run(device, argv, COMMAND_TIMEOUT_NS, &result, NULL);
    const char *text = dj_text_get(&result.out);
    size_t length = strcspn(text, "\r\n");
    bool fits = code == 0 && result.exit_code == 0 && length < capacity;
    if (fits) {
        memcpy(line, text, length);
        line[length] = '\0';
    }
    dj_device_result_finish(&result);
    return fits;
}

static int profile_android(struct dj_device *device, bool on,
                           struct dj_profile_switch *done, struct dj_error *err)
{
    static const char *const get[] = {"getprop", PROFILE_PROPERTY, NULL};
    const char *const set[] = {"setprop", PROFILE_PROPERTY, on ? "true" : "false", NULL};
    snprintf(done->property, sizeof(done->property), "%s", PROFILE_PROPERTY);
    if (!read_line(device, get, done->previous, sizeof(done->previous))) {
        return dj_error_set(
            err, DJ_E_PROTOCOL,
            "%s: cannot read `getprop %s`, so its value could not be restored later",
            device->name, PROFILE_PROPERTY);
    }
    return dj_device_run_or_fail(device, set, COMMAND_TIMEOUT_NS, DJ_E_NO_DATA, NULL,
                                 err);
}

int dj_dumpsys_profile(struct dj_device *device, const char *package, bool on,
                       struct dj_profile_switch *done, struct dj_error *err)
{
    static const char *const release[] = {"getprop", "ro.build.version.release", NULL};
    static const char *const version[] = {"dumpsys", "dejank", "version", NULL};
    const char *const profile[] = {"dumpsys",         "dejank", "profile",
                                   on ? "on" : "off", package,  NULL};
    char line[256] = "";
    *done = (struct dj_profile_switch){{0}, {0}};
    if (read_line(device, release, line, sizeof(line)) && line[0] != '\0') {
        return profile_android(device, on, done, err);
    }
    if (read_line(device, version, line, sizeof(line)) && line[0] != '\0') {
        return dj_device_run_or_fail(device, profile, COMMAND_TIMEOUT_NS, DJ_E_NO_DATA,
                                     NULL, err);
    }
    return dj_error_set(
        err, DJ_E_UNSUPPORTED,
        "%s is neither Android nor a Linux device with dejank's `dumpsys` in its "
        "PATH",
        device->name);
}
