/* Captures with atrace. All devices have atrace, and devices before Android 9 have
 * only atrace. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/text.h"
#include "capture/android/session.h"

/* Name in the journal under which this file records its changes of the device. */
#define NOTE "atrace"

enum {
    RING_KB = 8192, /* Default size of the ring of each CPU in KiB. */
    RING_MIN_KB = 256,
    RING_MAX_KB = 65536
};

static int64_t compute_ring_kb(const struct dj_android_capture *capture)
{
    int64_t requested = capture->base.plan->buffer_bytes / 1024 / capture->probe.cpus;
    return requested <= 0            ? RING_KB
           : requested < RING_MIN_KB ? RING_MIN_KB
           : requested > RING_MAX_KB ? RING_MAX_KB
                                     : requested;
}

/* Reads the name of the trace's clock, and the line with which atrace relates this clock
 * to CLOCK_MONOTONIC. The line is read at the start of the capture, because newer events
 * overwrite it in a full ring. */
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
                /* The line is like "clock: local global [boot]". */
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

/* Starts atrace. Looks for error messages in the output, because atrace may exit with
 * status 0 after a failure. */
static int start_atrace(struct dj_android_capture *capture, struct dj_error *err)
{
    const char *words[DJ_ATRACE_WORDS];
    char number[24];
    struct dj_device_result result = {0};
    dj_atrace_start_command(&capture->categories, capture->base.plan->app,
                            compute_ring_kb(capture), number, words);
    int code = dj_android_add_change(capture, "tracing", NOTE, NULL, err);
    if (code == 0) {
        capture->tracing = true;
        code = dj_device_run(capture->device, words, DJ_ANDROID_SHELL_NS, &result, err);
    }
    bool refused = strstr(dj_text_get(&result.err), "unable to start") != NULL ||
                   strstr(dj_text_get(&result.out), "unable to start") != NULL;
    if (code == 0 && (result.exit_code != 0 || refused)) {
        code = dj_error_set(err, DJ_E_OWNER, "%s: atrace cannot start: %s",
                            capture->device->name, dj_device_error_line(&result).line);
    }
    dj_device_result_finish(&result);
    if (code == 0) {
        read_sync(capture);
    }
    return code;
}

/* Sets *ended to false, because atrace never ends by itself. */
static int check_ended(struct dj_android_capture *capture, bool *ended,
                       struct dj_error *err)
{
    (void)capture;
    (void)err;
    *ended = false;
    return 0;
}

static int set_no_trace(const struct dj_android_capture *capture,
                        const struct dj_captured_file *save, const struct dj_text *errors,
                        struct dj_error *err)
{
    const struct dj_device_result result = {.out = save->messages, .err = *errors};
    return dj_error_set(err, DJ_E_NO_DATA, "%s: atrace printed no trace: %s",
                        capture->device->name, dj_device_error_line(&result).line);
}

static int save_trace(struct dj_android_capture *capture, struct dj_captured_file *save,
                      struct dj_error *err)
{
    static const char halt[] =
        "for d in /sys/kernel/debug/tracing /sys/kernel/tracing; do "
        "[ -e $d/tracing_on ] && echo 0 > $d/tracing_on && break; done; true";
    const char *words[DJ_ATRACE_WORDS];
    struct dj_text errors = {0};
    int api = capture->probe.api, code = 0;
    save->titled = true;
    if (dj_atrace_stop_clears(api)) {
        code = dj_android_run_script(capture->device, halt, NULL, NULL, err);
    }
    if (code == 0) {
        dj_atrace_print_command(api, words);
        code = dj_android_run_to_file(capture->device, words, save, &errors, err);
    }
    if (code == 0 && !dj_atrace_stop_clears(api)) {
        capture->tracing = false;
        dj_android_remove_change(capture, "tracing", NOTE);
    }
    if (code == 0 && !save->seen) {
        code = set_no_trace(capture, save, &errors, err);
    }
    dj_text_finish(&errors);
    return code;
}

/* Stops atrace, which then restores its settings (events, ring sizes, properties). First
 * clears the rings, because otherwise atrace would print their contents. */
static int clear_atrace(struct dj_android_capture *capture, struct dj_error *err)
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

const struct dj_android_way dj_android_atrace = {"atrace", start_atrace, check_ended,
                                                 save_trace, clear_atrace};
