/* Runs commands on a device. */
#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "base/text.h"
#include "capture/android/session.h"

/* A command is assumed to hang if it prints nothing for this time. */
#define STALL_NS (30 * DJ_SECOND_NS)

int dj_android_run(struct dj_device *device, const char *const *argv, struct dj_text *out,
                   struct dj_error *err)
{
    return dj_device_run_or_fail(device, argv, DJ_ANDROID_SHELL_NS, DJ_E_UNSUPPORTED, out,
                                 err);
}

int dj_android_run_script(struct dj_device *device, const char *script, const char *word,
                          struct dj_text *out, struct dj_error *err)
{
    const char *argv[] = {"sh", "-c", script, word, NULL};
    return dj_android_run(device, argv, out, err);
}

static const char probe_script[] =
    "echo sdk=$(getprop ro.build.version.sdk); "
    "echo traced=$(getprop persist.traced.enable); "
    "echo cpus=$(cat /sys/devices/system/cpu/possible 2>/dev/null); "
    "for c in perfetto atrace; do "
    "command -v $c >/dev/null 2>&1 && echo has=$c; done; true";

/* Returns the number of CPUs for a list such as "0-7". Returns 1 for other text. */
static int parse_cpus(struct dj_str text)
{
    struct dj_str after_dash;
    int64_t last;
    bool known = dj_str_after(text, "-", &after_dash) && dj_str_int(after_dash, &last) &&
                 last >= 0 && last < 1024;
    return known ? (int)last + 1 : 1;
}

static void read_probe_line(struct dj_str line, struct dj_android_probe *probe)
{
    struct dj_str value;
    int64_t number;
    if (!dj_str_after(line, "=", &value)) {
        return;
    }
    if (dj_str_begins(line, "sdk=")) {
        probe->api =
            dj_str_int(value, &number) && number > 0 && number < 10000 ? (int)number : 0;
    } else if (dj_str_begins(line, "traced=")) {
        dj_text_copy_escaped(value, probe->traced, sizeof(probe->traced));
    } else if (dj_str_begins(line, "cpus=")) {
        probe->cpus = parse_cpus(value);
    } else if (dj_str_begins(line, "has=")) {
        probe->perfetto = probe->perfetto || dj_str_is(value, "perfetto");
        probe->atrace = probe->atrace || dj_str_is(value, "atrace");
    }
}

int dj_android_probe_device(struct dj_device *device, struct dj_android_probe *probe,
                            struct dj_error *err)
{
    struct dj_text out = {0};
    *probe = (struct dj_android_probe){.cpus = 1};
    int code = dj_android_run_script(device, probe_script, NULL, &out, err);
    struct dj_str rest = {dj_text_get(&out), out.length}, line;
    while (code == 0 && dj_str_next_line(&rest, &line)) {
        read_probe_line(line, probe);
    }
    dj_text_finish(&out);
    return code;
}

static int write_output(struct dj_text *out, struct dj_captured_file *save,
                        int64_t *last_output_ns, struct dj_error *err)
{
    int code = 0;
    if (out->length > 0) {
        *last_output_ns = dj_host_now_ns();
        code = dj_captured_file_write(save, out->data, out->length, err);
        dj_text_clear(out);
    }
    return code;
}

int dj_android_run_to_file(struct dj_device *device, const char *const *argv,
                           struct dj_captured_file *save, struct dj_text *errors,
                           struct dj_error *err)
{
    enum { SAID_MAX = 16 * 1024 };
    struct dj_device_process *process = NULL;
    struct dj_text out = {0}, messages = {0};
    int64_t last_output_ns = dj_host_now_ns();
    bool ended = false;
    int code = dj_device_start(device, argv, &process, err);
    while (code == 0 && !ended) {
        code =
            dj_device_process_read(process, DJ_SECOND_NS, &out, &messages, &ended, err);
        int written = write_output(&out, save, &last_output_ns, code == 0 ? err : NULL);
        code = code == 0 ? written : code;
        if (errors->length < SAID_MAX) {
            dj_text_append(errors, dj_text_get(&messages), messages.length);
        }
        dj_text_clear(&messages);
        if (code == 0 && !ended && dj_host_now_ns() - last_output_ns > STALL_NS) {
            code = dj_error_set(err, DJ_E_TIMEOUT, "%s: `%s` wrote nothing for %d s",
                                device->name, argv[0], (int)(STALL_NS / DJ_SECOND_NS));
        }
    }
    if (code == 0) {
        code = dj_captured_file_end(save, err);
    }
    dj_device_process_close(process);
    dj_text_finish(&out);
    dj_text_finish(&messages);
    return code;
}

int dj_android_add_change(struct dj_android_capture *capture, const char *space,
                          const char *name, const char *value, struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    return plan->note != NULL ? plan->note(plan->keeper, space, name, value, err) : 0;
}

void dj_android_remove_change(struct dj_android_capture *capture, const char *space,
                              const char *name)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    if (plan->forget != NULL) {
        plan->forget(plan->keeper, space, name);
    }
}

void dj_android_report(struct dj_android_capture *capture, const char *format, ...)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    if (plan->say != NULL) {
        plan->say(plan->user, sentence);
    }
}
