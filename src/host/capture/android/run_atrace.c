/* Captures with atrace, which all devices have and which devices before Android 9
 * need. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/text.h"
#include "capture/android/session.h"

/* The journal's name of its changes. */
#define NOTE "atrace"

enum {
    RING_KB = 8192, /* per CPU */
    RING_MIN_KB = 256,
    RING_MAX_KB = 65536
};

static int64_t ring_kb(const struct dj_android_capture *capture)
{
    int64_t asked = capture->base.plan->buffer_bytes / 1024 / capture->probe.cpus;
    return asked <= 0            ? RING_KB
           : asked < RING_MIN_KB ? RING_MIN_KB
           : asked > RING_MAX_KB ? RING_MAX_KB
                                 : asked;
}

/* atrace writes a line at its start that relates the trace's clock to CLOCK_MONOTONIC. A
 * full ring overwrites it, so it is read at once. */
static void read_sync(struct dj_android_capture *capture)
{
    static const char script[] =
        "for d in /sys/kernel/tracing /sys/kernel/debug/tracing; do "
        "[ -r $d/trace ] && { grep -m 1 parent_ts= $d/trace; "
        "echo \"clock: $(cat $d/trace_clock)\"; break; }; done 2>/dev/null; true";
    struct dj_text out = {0};
    struct dj_str rest, line, value;
    if (dj_android_run_script(capture->device, script, NULL, &out, NULL) == 0) {
        rest = (struct dj_str){dj_text_get(&out), out.length};
        while (dj_str_next_line(&rest, &line)) {
            if (dj_str_begins(line, "clock:") && dj_str_after(line, "[", &value)) {
                /* "clock: local global [boot]" */
                dj_text_copy_escaped(dj_str_until(value, "]"), capture->clock,
                                     sizeof(capture->clock));
            } else if (dj_str_after(line, "parent_ts=", &value) &&
                       line.length < sizeof(capture->sync)) {
                snprintf(capture->sync, sizeof(capture->sync), "%.*s", (int)line.length,
                         line.at);
            }
        }
    }
    dj_text_finish(&out);
}

/* atrace prints its failures, and its exit status may still be 0. */
static int start(struct dj_android_capture *capture, struct dj_error *err)
{
    const char *words[DJ_ATRACE_WORDS];
    char number[24], says[200];
    struct dj_device_result result = {0};
    dj_atrace_start_command(&capture->categories, capture->base.plan->app,
                            ring_kb(capture), number, words);
    int code = dj_android_add_change(capture, "tracing", NOTE, NULL, err);
    if (code == 0) {
        capture->tracing = true;
        code = dj_device_run(capture->device, words, DJ_ANDROID_SHELL_NS, &result, err);
    }
    bool refused = strstr(dj_text_get(&result.err), "unable to start") != NULL ||
                   strstr(dj_text_get(&result.out), "unable to start") != NULL;
    if (code == 0 && (result.exit_code != 0 || refused)) {
        dj_android_copy_message(&result, says, sizeof(says));
        code = dj_error_set(err, DJ_E_OWNER, "%s: atrace cannot start: %s",
                            capture->device->name, says);
    }
    dj_device_result_finish(&result);
    if (code == 0) {
        read_sync(capture);
    }
    return code;
}

/* It runs until it is stopped. */
static int ended(struct dj_android_capture *capture, bool *ended, struct dj_error *err)
{
    (void)capture;
    (void)err;
    *ended = false;
    return 0;
}

static int set_no_trace(const struct dj_android_capture *capture,
                        const struct dj_captured_file *save, const struct dj_text *said,
                        struct dj_error *err)
{
    const struct dj_device_result result = {.out = save->talk, .err = *said};
    char says[200];
    dj_android_copy_message(&result, says, sizeof(says));
    return dj_error_set(err, DJ_E_NO_DATA, "%s: atrace gave no trace: %s",
                        capture->device->name, says);
}

static int save(struct dj_android_capture *capture, struct dj_captured_file *save,
                struct dj_error *err)
{
    static const char halt[] =
        "for d in /sys/kernel/debug/tracing /sys/kernel/tracing; do "
        "[ -e $d/tracing_on ] && echo 0 > $d/tracing_on && break; done; true";
    const char *words[DJ_ATRACE_WORDS];
    struct dj_text said = {0};
    int api = capture->probe.api, code = 0;
    save->titled = true;
    if (dj_atrace_stop_clears(api)) {
        code = dj_android_run_script(capture->device, halt, NULL, NULL, err);
    }
    if (code == 0) {
        dj_atrace_print_command(api, words);
        code = dj_android_run_to_file(capture->device, words, save, &said, err);
    }
    if (code == 0 && !dj_atrace_stop_clears(api)) {
        capture->tracing = false;
        dj_android_remove_change(capture, "tracing", NOTE);
    }
    if (code == 0 && !save->seen) {
        code = set_no_trace(capture, save, &said, err);
    }
    dj_text_finish(&said);
    return code;
}

/* Both restore atrace's settings: events, ring sizes, properties. The rings are cleared
 * first, because their contents would be printed. */
static int clear(struct dj_android_capture *capture, struct dj_error *err)
{
    static const char script[] =
        "for d in /sys/kernel/tracing /sys/kernel/debug/tracing; do "
        "[ -w $d/trace ] && echo > $d/trace && break; done 2>/dev/null; "
        "atrace $0 >/dev/null 2>&1; true";
    if (!capture->tracing) {
        return 0;
    }
    bool clears = dj_atrace_stop_clears(capture->probe.api);
    int code = dj_android_run_script(capture->device, script,
                                     clears ? "-t 0" : "--async_stop", NULL, err);
    if (code == 0) {
        capture->tracing = false;
        dj_android_remove_change(capture, "tracing", NOTE);
    }
    return code;
}

const struct dj_android_way dj_android_atrace = {"atrace", start, ended, save, clear};
