/* Captures on Android devices: with perfetto if the device has it, otherwise with
 * atrace. */
#include <stdlib.h>
#include <unistd.h>

#include "capture/android/session.h"

#define CHECK_EVERY_NS (3 * DJ_SECOND_NS)
#define DUMP_EVERY_NS (900 * DJ_MILLISECOND_NS)
#define DUMP_SOON_NS (400 * DJ_MILLISECOND_NS)
/* Maximum time to wait until a lost device is back. */
#define BACK_NS (10 * DJ_SECOND_NS)
#define SIZE_MAX_BYTES (INT64_C(512) * 1024 * 1024)

static bool is_connection_lost(int code)
{
    return code == DJ_E_GONE || code == DJ_E_TIMEOUT || code == DJ_E_PROTOCOL;
}

static int choose_categories(struct dj_android_capture *capture, struct dj_error *err)
{
    static const char *const argv[] = {"atrace", "--list_categories", NULL};
    const struct dj_capture_plan *plan = capture->base.plan;
    struct dj_text list = {0};
    struct dj_error why = {0};
    int code =
        capture->probe.atrace ? dj_android_run(capture->device, argv, &list, &why) : 0;
    if (is_connection_lost(code) || code == DJ_E_INTERRUPTED) {
        dj_text_finish(&list);
        return dj_error_set(err, code, "%s", why.message);
    }
    dj_atrace_choose(capture->probe.api, dj_text_get(&list), list.length,
                     plan->categories, plan->category_count, &capture->categories);
    dj_text_finish(&list);
    if (capture->categories.count == 0) {
        return dj_error_set(
            err, DJ_E_UNSUPPORTED,
            "%.60s: atrace has none of the requested categories (%.120s); "
            "list its categories with: adb -s %.60s shell atrace "
            "--list_categories",
            capture->device->name, dj_text_get(&capture->categories.missing),
            capture->device->name);
    }
    if (capture->categories.missing.length > 0) {
        dj_android_report(capture, "the device cannot trace: %.300s",
                          dj_text_get(&capture->categories.missing));
    }
    return 0;
}

static int start_way(struct dj_android_capture *capture, const struct dj_android_way *way,
                     struct dj_error *err)
{
    capture->way = way;
    int code = way->start(capture, err);
    if (code != 0) {
        struct dj_error ignored = {0};
        way->clear(capture, &ignored);
    }
    return code;
}

static int start_best(struct dj_android_capture *capture, struct dj_error *err)
{
    const struct dj_android_probe *probe = &capture->probe;
    if (!probe->atrace && !probe->perfetto) {
        return dj_error_set(err, DJ_E_OWNER,
                            "%s: the device has neither atrace nor perfetto",
                            capture->device->name);
    }
    bool newer = probe->api >= 28;
    if (newer && !probe->perfetto) {
        dj_android_report(capture, "the device has no perfetto, so atrace is used");
    }
    bool text = probe->atrace && dj_capture_is_text_file(capture->base.plan->output);
    if (newer && probe->perfetto && text) {
        dj_android_report(capture,
                          "the output is text, so atrace is used instead of perfetto");
    }
    if (!newer || !probe->perfetto || text) {
        return start_way(capture, &dj_android_atrace, err);
    }
    struct dj_error why = {0};
    int code = start_way(capture, &dj_android_perfetto, &why);
    if (code == DJ_E_UNSUPPORTED && probe->atrace) {
        dj_android_report(capture, "%s; atrace is used instead", why.message);
        return start_way(capture, &dj_android_atrace, err);
    }
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}

static int64_t get_device_ns(struct dj_android_capture *capture)
{
    int64_t dev_ns = 0, uncertainty_ns;
    struct dj_error ignored = {0};
    return dj_device_read_clock(capture->device, &dev_ns, &uncertainty_ns, &ignored) == 0
               ? dev_ns
               : 0;
}

static int prepare_capture(struct dj_android_capture *capture, struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    if (plan->level_required && plan->level != DJ_CAPTURE_KERNEL) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "%s: Android devices only have the level %s (with atrace or "
                            "perfetto)",
                            capture->device->name,
                            dj_capture_level_name(DJ_CAPTURE_KERNEL));
    }
    if (plan->around_janky && !plan->janky_reported && plan->app == NULL) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "a capture around janky frames needs an app (--package NAME)");
    }
    int code = dj_android_probe_device(capture->device, &capture->probe, err);
    if (code == 0 && capture->probe.api == 0) {
        code = dj_error_set(
            err, DJ_E_UNSUPPORTED,
            "%s: not an Android device (the property ro.build.version.sdk is missing)",
            capture->device->name);
    }
    if (code == 0) {
        code = dj_captured_file_open(
            &capture->save, plan->output,
            plan->size_max_bytes > 0 ? plan->size_max_bytes : SIZE_MAX_BYTES, err);
    }
    if (code == 0) {
        code = choose_categories(capture, err);
    }
    if (code == 0) {
        code = start_best(capture, err);
    }
    if (code == 0) {
        capture->start_dev_ns = get_device_ns(capture);
        capture->begun_ns = capture->checked_ns = dj_host_now_ns();
        dj_android_find_app(capture);
    }
    return code;
}

static void free_capture(struct dj_android_capture *capture)
{
    dj_captured_file_finish(&capture->save);
    dj_janky_keep_finish(&capture->keep);
    dj_text_finish(&capture->categories.missing);
    dj_device_process_close(capture->process);
    dj_device_close(capture->own);
    free(capture);
}

static int start_capture(const struct dj_capture_plan *plan, struct dj_device *device,
                         struct dj_capture **made, struct dj_error *err)
{
    struct dj_android_capture *capture = calloc(1, sizeof(*capture));
    if (capture == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    capture->base = (struct dj_capture){&dj_capture_android, plan};
    capture->device = device;
    capture->save.fd = -1;
    int code = prepare_capture(capture, err);
    if (code != 0) {
        free_capture(capture);
        return code;
    }
    *made = &capture->base;
    return 0;
}

static int keep_frame(struct dj_capture *base, int64_t from_ns, int64_t to_ns,
                      struct dj_error *err)
{
    struct dj_android_capture *capture = (struct dj_android_capture *)base;
    const struct dj_capture_plan *plan = base->plan;
    return dj_janky_keep_add_frame(
        &capture->keep, from_ns, to_ns,
        plan->before_ns > 0 ? plan->before_ns : DJ_CAPTURE_AROUND_NS,
        plan->after_ns > 0 ? plan->after_ns : DJ_CAPTURE_AROUND_NS, err);
}

static int keep_janky(void *user, int64_t from_ns, int64_t to_ns)
{
    struct dj_android_capture *capture = user;
    bool after = capture->start_dev_ns == 0 || to_ns >= capture->start_dev_ns;
    return after ? keep_frame(&capture->base, from_ns, to_ns, NULL) : 0;
}

/* Returns the pause until the next gfxinfo dump. The pause is so short that new rows do
 * not overwrite rows that were not dumped yet. While the device's ring of rows is less
 * than half full, a longer pause is possible, even at 120 frames per second. */
static int64_t compute_pause(const struct dj_device_gfxinfo *reading)
{
    size_t most = 0;
    for (size_t i = 0; i < reading->dump.process_count; i++) {
        const struct dj_dump_process *process = &reading->dump.processes[i];
        for (size_t w = 0; w < process->window_count; w++) {
            size_t rows = process->windows[w].frame_count;
            most = rows > most ? rows : most;
        }
    }
    return most >= DJ_DEVICE_RING_ROWS / 2 ? DUMP_SOON_NS : DUMP_EVERY_NS;
}

/* Dumps gfxinfo and finds janky frames in the dump. Does nothing if the caller reports
 * janky frames itself (plan->janky_reported). */
static int find_janky(struct dj_android_capture *capture, bool now, struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    const struct dj_gfxinfo_request request = {
        .package = plan->app, .framestats = true, .since_ns = -1};
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    if (!plan->around_janky || plan->janky_reported || plan->app == NULL ||
        (!now && dj_host_now_ns() < capture->dumped_ns)) {
        return 0;
    }
    int code = dj_device_read_gfxinfo(capture->device, &request, &reading, err);
    if (code == 0) {
        code = dj_capture_janky_find(&reading.dump, keep_janky, capture, err);
    }
    capture->dumped_ns = dj_host_now_ns() + compute_pause(&reading);
    dj_device_gfxinfo_finish(&reading);
    return code == DJ_E_NO_DATA ? 0 : code;
}

/* Checks whether the capture has ended and whether the app runs, at most every
 * CHECK_EVERY_NS because each check starts a process on the device. Then looks for janky
 * frames. */
static int check_janky(struct dj_android_capture *capture, struct dj_error *err)
{
    int64_t now_ns = dj_host_now_ns();
    int64_t duration_ns = capture->base.plan->duration_ns;
    capture->ended =
        capture->ended || (duration_ns > 0 && now_ns - capture->begun_ns >= duration_ns);
    bool over = false;
    int code = 0;
    if (!capture->ended && now_ns - capture->checked_ns >= CHECK_EVERY_NS) {
        capture->checked_ns = now_ns;
        code = capture->way->ended(capture, &over, err);
        capture->ended = over;
        dj_android_find_app(capture);
    }
    return code == 0 && !capture->ended ? find_janky(capture, false, err) : code;
}

static int poll_capture(struct dj_capture *base, struct dj_capture_progress *progress,
                        struct dj_error *err)
{
    struct dj_android_capture *capture = (struct dj_android_capture *)base;
    int code = capture->broken || capture->stopped ? 0 : check_janky(capture, err);
    capture->broken = capture->broken || is_connection_lost(code);
    progress->ended = capture->ended || capture->broken;
    progress->janky = capture->keep.frames;
    return code;
}

/* Opens the device again after the connection was lost. */
static int reconnect(struct dj_android_capture *capture, struct dj_error *err)
{
    int64_t until_ns = dj_host_now_ns() + BACK_NS;
    struct dj_device *own = NULL;
    int code;
    while ((code = dj_device_open(capture->device->name, &own, err)) != 0) {
        if (dj_host_now_ns() > until_ns ||
            dj_interrupt_latest_ns(&capture->device->interrupt) != INT64_MAX) {
            return code;
        }
        dj_host_sleep_ns(DJ_SECOND_NS / 4);
    }
    own->interrupt = capture->device->interrupt;
    dj_device_process_close(capture->process);
    capture->process = NULL;
    dj_device_close(capture->own);
    capture->device = capture->own = own;
    return 0;
}

static int save_again(struct dj_android_capture *capture, struct dj_error *err)
{
    struct dj_captured_file *save = &capture->save;
    if (ftruncate(save->fd, 0) != 0 || lseek(save->fd, 0, SEEK_SET) != 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s again", save->path);
    }
    save->bytes = 0;
    save->cut = save->seen = save->crlf = save->pending_return = false;
    dj_text_clear(&save->messages);
    return capture->way->save(capture, save, err);
}

static int save_trace(struct dj_android_capture *capture, struct dj_error *err)
{
    struct dj_error lost = {0};
    int code = capture->way->save(capture, &capture->save, &lost);
    if (is_connection_lost(code)) {
        capture->broken = true;
        if (reconnect(capture, err) != 0) {
            return dj_error_set(err, code, "%s", lost.message);
        }
        return save_again(capture, err);
    }
    return code == 0 || code == DJ_E_LIMIT ? 0
                                           : dj_error_set(err, code, "%s", lost.message);
}

static void clear_device(struct dj_android_capture *capture,
                         struct dj_capture_result *result)
{
    struct dj_error why = {0};
    int code = capture->way->clear(capture, &why);
    if (is_connection_lost(code) && reconnect(capture, &why) == 0) {
        code = capture->way->clear(capture, &why);
    }
    if (code != 0 && result != NULL) {
        dj_android_report(
            capture, "the device still has settings of the capture (%.200s)%s",
            why.message,
            capture->base.plan->note != NULL
                ? ". `dejank doctor --restore` or the next run or capture on this "
                  "device restores them"
                : "");
    }
}

static void add_limits(const struct dj_android_capture *capture,
                       struct dj_capture_result *result)
{
    result->app = capture->app;
    if (capture->app == DJ_APP_ABSENT) {
        dj_capture_add_limit(result, "sections of %.120s: no process with this name ran",
                             capture->base.plan->app);
    }
    if (capture->categories.missing.length > 0) {
        dj_capture_add_limit(result, "categories that the device does not have: %.150s",
                             dj_text_get(&capture->categories.missing));
    }
    if (!capture->categories.sched && capture->way == &dj_android_atrace) {
        dj_capture_add_limit(result, "what threads did: the capture has no sched events");
    }
    if (capture->broken) {
        dj_capture_add_limit(result,
                             "what happened while the connection to the device was lost");
    }
}

static int stop_capture(struct dj_capture *base, struct dj_capture_result *result,
                        struct dj_error *err)
{
    struct dj_android_capture *capture = (struct dj_android_capture *)base;
    struct dj_error ignored = {0};
    if (capture->stopped) {
        return 0;
    }
    if (!capture->broken) {
        find_janky(capture, true, &ignored);
        dj_android_find_app(capture);
    }
    capture->stopped = true;
    result->level = DJ_CAPTURE_KERNEL;
    result->source = capture->way->source;
    result->start_ns = capture->start_dev_ns;
    result->end_ns = capture->broken ? 0 : get_device_ns(capture);
    int code = save_trace(capture, err);
    clear_device(capture, result);
    result->janky = capture->keep.frames;
    if (code == 0) {
        code = dj_android_convert(capture, result, err);
    }
    result->bytes = capture->save.bytes;
    result->cut = capture->save.cut;
    add_limits(capture, result);
    if (capture->save.bytes > 0) {
        int committed = dj_captured_file_commit(&capture->save, code == 0 ? err : NULL);
        result->bytes = committed == 0 ? result->bytes : 0;
        code = code == 0 ? committed : code;
    }
    return code;
}

static void destroy_capture(struct dj_capture *base)
{
    struct dj_android_capture *capture = (struct dj_android_capture *)base;
    if (!capture->stopped) {
        clear_device(capture, NULL);
    }
    free_capture(capture);
}

const struct dj_capture_backend dj_capture_android = {
    .start = start_capture,
    .poll = poll_capture,
    .keep = keep_frame,
    .stop = stop_capture,
    .destroy = destroy_capture,
};
