/* Captures with perfetto, which devices have from Android 9 on. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "base/text.h"
#include "capture/android/perfetto_config.h"
#include "capture/android/session.h"

#define FOLDER "/data/misc/perfetto-traces"
#define SERVICE "persist.traced.enable"
/* Maximum time to wait until perfetto runs in the background. */
#define START_NS (20 * DJ_SECOND_NS)
/* Time after which perfetto is assumed to record, if perfetto does not report the start.
 */
#define SETTLE_NS (500 * DJ_MILLISECOND_NS)
/* Maximum time to wait until perfetto has written its file. */
#define END_NS (40 * DJ_SECOND_NS)
#define CHECK_NS (100 * DJ_MILLISECOND_NS)
/* perfetto's configuration contains the requested duration plus this margin, because
 * perfetto starts to record before dejank knows that it does. dejank ends perfetto at the
 * end of the requested duration. */
#define MARGIN_MS 10000
/* Duration in the configuration of a capture without a requested duration. It ends the
 * capture on the device if dejank dies. */
#define HOUR_MS INT64_C(3600000)

enum {
    RING_KB = 65536,
    RING_MIN_KB = 1024,
    RING_MAX_KB = 262144,
    /* Up to this duration, all events fit into the ring. In longer captures, perfetto
     * writes the file during the capture. */
    SHORT_MS = 30000,
    FILE_MAX_BYTES = 500000000
};

/* How perfetto is started and ended, from API level `from` on. On Android 9 perfetto
 * stays in the foreground for two reasons: in the background, it does not print its
 * process id, and it writes no file when SIGTERM ends it. */
static const struct release {
    int from;
    /* Option that moves perfetto to the background, or NULL if perfetto stays in the
     * foreground. */
    const char *background;
    /* Option that is used if perfetto does not know the option `background`, or NULL. */
    const char *otherwise;
    const char *signal;
    bool enable; /* True if the service traced must be enabled. */
} releases[] = {
    {31, "--background-wait", "--background", "-TERM", false},
    {30, "--background", NULL, "-TERM", false},
    {29, "--background", NULL, "-TERM", true},
    {0, NULL, NULL, "-INT", true},
};

static const struct release *find_release(const struct dj_android_capture *capture)
{
    const struct release *release = releases;
    while (capture->probe.api < release->from) {
        release++;
    }
    return release;
}

static void write_config(const struct dj_android_capture *capture, struct dj_text *text)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    int64_t requested_kb = plan->buffer_bytes / 1024;
    int64_t duration_ms = plan->duration_ns / DJ_MILLISECOND_NS;
    struct dj_android_config config = {
        .api = capture->probe.api,
        .app = plan->app,
        .categories = &capture->categories,
        .ring_kb = requested_kb <= 0            ? RING_KB
                   : requested_kb < RING_MIN_KB ? RING_MIN_KB
                   : requested_kb > RING_MAX_KB ? RING_MAX_KB
                                                : requested_kb,
        .duration_ms = duration_ms > 0 && duration_ms < HOUR_MS ? duration_ms + MARGIN_MS
                       : duration_ms > 0                        ? duration_ms
                                                                : HOUR_MS,
    };
    if (!plan->around_janky && (duration_ms == 0 || duration_ms > SHORT_MS)) {
        config.file_max_bytes =
            plan->size_max_bytes > 0 ? plan->size_max_bytes : FILE_MAX_BYTES;
    }
    dj_android_config_write(&config, text);
}

static int enable_traced(struct dj_android_capture *capture, struct dj_error *err)
{
    static const char *const argv[] = {"setprop", SERVICE, "1", NULL};
    static const char until_it_runs[] =
        "i=0; while [ $i -lt 30 ] && [ \"$(getprop init.svc.traced)\" != running ]; do "
        "sleep 0.1; i=$((i+1)); done; true";
    const char *before = capture->probe.traced;
    if (!find_release(capture)->enable || strcmp(before, "1") == 0) {
        return 0;
    }
    int code = dj_android_add_change(capture, "property", SERVICE,
                                     before[0] != '\0' ? before : NULL, err);
    if (code == 0) {
        capture->enabled = true;
        code = dj_android_run(capture->device, argv, NULL, err);
    }
    return code == 0
               ? dj_android_run_script(capture->device, until_it_runs, NULL, NULL, err)
               : code;
}

static int restore_traced(struct dj_android_capture *capture, struct dj_error *err)
{
    const char *argv[] = {"setprop", SERVICE, capture->probe.traced, NULL};
    int code = capture->enabled ? dj_android_run(capture->device, argv, NULL, err) : 0;
    if (code == 0 && capture->enabled) {
        capture->enabled = false;
        dj_android_remove_change(capture, "property", SERVICE);
    }
    return code;
}

/* Finds perfetto's process id in its output. The id is alone on a line. A warning of the
 * dynamic linker may precede this line. */
static bool find_pid(const struct dj_text *out, char pid[16])
{
    struct dj_str rest = {dj_text_get(out), out->length}, line;
    while (dj_str_next_line(&rest, &line)) {
        size_t digits = 0;
        while (digits < line.length && isdigit((unsigned char)line.at[digits])) {
            digits++;
        }
        if (digits > 0 && digits == line.length && digits < 16) {
            dj_text_copy_escaped(line, pid, 16);
            return true;
        }
    }
    return false;
}

static int send_config(struct dj_android_capture *capture,
                       struct dj_device_process *process, struct dj_error *err)
{
    struct dj_text config = {0};
    write_config(capture, &config);
    int code = config.failed
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : dj_device_process_write(process, config.data, config.length, err);
    dj_text_finish(&config);
    return code == 0 ? dj_device_process_end_input(process, err) : code;
}

/* Reads perfetto's output until perfetto ends or moves to the background. If `stays` is
 * true, perfetto stays in the foreground, and the function returns when the process id is
 * known and SETTLE_NS have passed. */
static int read_output(struct dj_android_capture *capture,
                       struct dj_device_process *process, bool stays,
                       struct dj_device_result *output, bool *ended, struct dj_error *err)
{
    int64_t until_ns = dj_host_now_ns() + START_NS;
    int code = 0;
    *ended = false;
    while (code == 0 && !*ended && dj_host_now_ns() < until_ns) {
        bool had_pid = capture->pid[0] != '\0';
        code = dj_device_process_read(process, CHECK_NS, &output->out, &output->err,
                                      ended, err);
        if (code == 0 && stays && !had_pid && find_pid(&output->out, capture->pid)) {
            until_ns = dj_host_now_ns() + SETTLE_NS;
        }
    }
    if (code == 0 && !stays && *ended) {
        find_pid(&output->out, capture->pid);
    }
    return code;
}

static int launch_perfetto(struct dj_android_capture *capture, const char *const *argv,
                           bool stays, struct dj_error *err)
{
    struct dj_device_process *process = NULL;
    struct dj_device_result output = {0};
    bool ended = false;
    capture->pid[0] = '\0';
    int code = dj_device_start(capture->device, argv, &process, err);
    if (code == 0) {
        code = send_config(capture, process, err);
        /* If perfetto refused the configuration, its output contains the reason. */
        bool refused = code != 0 && code != DJ_E_INTERRUPTED;
        int read_code =
            read_output(capture, process, stays, &output, &ended, refused ? NULL : err);
        code = refused && read_code == 0 && ended ? 0 : code != 0 ? code : read_code;
    }
    bool works = capture->pid[0] != '\0' &&
                 (stays ? !ended : ended && dj_device_process_exit_code(process) == 0);
    if (code == 0 && !works) {
        capture->pid[0] = '\0';
        code = dj_error_set(err, DJ_E_UNSUPPORTED, "%s: perfetto cannot start: %s",
                            capture->device->name, dj_device_error_line(&output).line);
    }
    if (code == 0 && stays) {
        capture->process = process;
    } else {
        dj_device_process_close(process);
    }
    dj_device_result_finish(&output);
    return code;
}

static int launch_in_background(struct dj_android_capture *capture,
                                const char *background, struct dj_error *err)
{
    const char *text[] = {"perfetto", background, "--txt",       "-c",
                          "-",        "-o",       capture->file, NULL};
    return launch_perfetto(capture, text, false, err);
}

static int launch_in_foreground(struct dj_android_capture *capture, struct dj_error *err)
{
    const char *argv[] = {"sh", "-c", "echo $$; exec perfetto -c - -o \"$0\"",
                          capture->file, NULL};
    return launch_perfetto(capture, argv, true, err);
}

static int launch_release(struct dj_android_capture *capture, struct dj_error *err)
{
    const struct release *release = find_release(capture);
    if (release->background == NULL) {
        return launch_in_foreground(capture, err);
    }
    int code = launch_in_background(capture, release->background, err);
    if (code == DJ_E_UNSUPPORTED && release->otherwise != NULL) {
        struct dj_error ignored = {0};
        if (launch_in_background(capture, release->otherwise, &ignored) == 0) {
            *err = (struct dj_error){0};
            code = 0;
        }
    }
    if (code == 0 && (release->otherwise == NULL)) {
        dj_host_sleep_ns(SETTLE_NS);
    }
    return code;
}

static int start_perfetto(struct dj_android_capture *capture, struct dj_error *err)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    long long now_ms = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    snprintf(capture->file, sizeof(capture->file), FOLDER "/dejank-%d-%lld.pftrace",
             (int)getpid(), now_ms);
    snprintf(capture->pattern, sizeof(capture->pattern), "[d]ejank-%d-%lld.pftrace",
             (int)getpid(), now_ms);
    int code = enable_traced(capture, err);
    if (code == 0) {
        code = dj_android_add_change(capture, "file", capture->file, NULL, err);
    }
    if (code == 0) {
        code = dj_android_add_change(capture, "process", capture->pattern, NULL, err);
    }
    capture->running = code == 0;
    return code == 0 ? launch_release(capture, err) : code;
}

static int check_gone(struct dj_android_capture *capture, bool *gone,
                      struct dj_error *err)
{
    struct dj_text out = {0};
    int code = dj_android_run_script(
        capture->device, "if [ -d /proc/$0 ]; then echo RUN; else echo END; fi",
        capture->pid, &out, err);
    *gone = code == 0 && strncmp(dj_text_get(&out), "END", 3) == 0;
    dj_text_finish(&out);
    return code;
}

static int check_ended(struct dj_android_capture *capture, bool *ended,
                       struct dj_error *err)
{
    *ended = true;
    return capture->pid[0] != '\0' ? check_gone(capture, ended, err) : 0;
}

/* Ends perfetto and waits until the process has ended, because its file is incomplete
 * before. */
static int end_process(struct dj_android_capture *capture, struct dj_error *err)
{
    const char *argv[] = {"kill", find_release(capture)->signal, capture->pid, NULL};
    struct dj_device_result ignored = {0};
    int64_t until_ns = dj_host_now_ns() + END_NS;
    bool gone = false;
    int code = check_gone(capture, &gone, err);
    if (code == 0 && !gone) {
        code = dj_device_run(capture->device, argv, DJ_ANDROID_SHELL_NS, &ignored, err);
        dj_device_result_finish(&ignored);
    }
    while (code == 0 && !gone && dj_host_now_ns() < until_ns) {
        dj_host_sleep_ns(CHECK_NS);
        code = check_gone(capture, &gone, err);
    }
    if (code == 0 && !gone) {
        code = dj_error_set(err, DJ_E_TIMEOUT, "%s: perfetto did not end in time",
                            capture->device->name);
    }
    if (code == 0) {
        capture->pid[0] = '\0';
        capture->running = false;
        dj_android_remove_change(capture, "process", capture->pattern);
        dj_device_process_close(capture->process);
        capture->process = NULL;
    }
    return code;
}

static int save_trace(struct dj_android_capture *capture, struct dj_captured_file *save,
                      struct dj_error *err)
{
    const char *argv[] = {"cat", capture->file, NULL};
    struct dj_text errors = {0};
    int code = capture->pid[0] != '\0' ? end_process(capture, err) : 0;
    if (code == 0) {
        code = dj_android_run_to_file(capture->device, argv, save, &errors, err);
    }
    if (code == 0 && save->bytes == 0) {
        const struct dj_device_result result = {.err = errors};
        code = dj_error_set(
            err, DJ_E_NO_DATA, "%s: perfetto wrote no trace: %s", capture->device->name,
            errors.length > 0 ? dj_device_error_line(&result).line
            : capture->broken ? "the connection to the device was lost meanwhile"
                              : "its file is empty (the storage may be full)");
    }
    dj_text_finish(&errors);
    return code;
}

static int kill_process(struct dj_android_capture *capture, struct dj_error *err)
{
    int code = dj_android_run_script(capture->device, "pkill -KILL -f \"$0\"; true",
                                     capture->pattern, NULL, err);
    if (code == 0) {
        capture->running = false;
        capture->pid[0] = '\0';
        dj_android_remove_change(capture, "process", capture->pattern);
    }
    return code;
}

static int remove_file(struct dj_android_capture *capture, struct dj_error *err)
{
    const char *argv[] = {"rm", "-f", capture->file, NULL};
    int code = dj_android_run(capture->device, argv, NULL, err);
    if (code == 0) {
        dj_android_remove_change(capture, "file", capture->file);
        capture->file[0] = '\0';
    }
    return code;
}

static int clear_perfetto(struct dj_android_capture *capture, struct dj_error *err)
{
    int code = capture->running ? kill_process(capture, err) : 0;
    dj_device_process_close(capture->process);
    capture->process = NULL;
    if (code == 0 && capture->file[0] != '\0') {
        code = remove_file(capture, err);
    }
    return code == 0 ? restore_traced(capture, err) : code;
}

const struct dj_android_way dj_android_perfetto = {
    "perfetto", start_perfetto, check_ended, save_trace, clear_perfetto};
