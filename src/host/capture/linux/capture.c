/* Captures on this machine. A thread moves the contents of the kernel's buffers to a
 * temporary file (the spool) during the capture. The trace is written after the capture
 * has ended. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/linux/kernel_clock.h"
#include "capture/linux/session.h"
#include "capture/sampling/sampler.h"
#include "process/deadline.h"

#define DRAIN_NS (100 * DJ_MILLISECOND_NS)
#define RECORDS_NS (500 * DJ_MILLISECOND_NS)
#define FIND_SELDOM_NS (4 * DJ_SECOND_NS)
/* The pause between two polls of the recorded apps is chosen so that at most this
 * fraction of a ring (0 … 1) is written in it. */
#define RECORDS_MOST_FILL 0.25

/* All levels, the best one first. */
static const struct dj_linux_level *const levels[] = {&dj_linux_tracefs, &dj_linux_perf,
                                                      &dj_linux_own};
enum { LEVELS = COUNT_OF(levels) };

int dj_linux_open_spool(struct dj_linux *capture, size_t page_size, struct dj_error *err)
{
    enum { ROLLING = 64 << 20 };
    const int64_t whole = INT64_C(4) << 30;
    const struct dj_capture_plan *plan = capture->base.plan;
    int64_t most = plan->around_janky         ? ROLLING
                   : plan->size_max_bytes > 0 ? plan->size_max_bytes
                                              : whole;
    return dj_page_spool_open(&capture->spool, plan->output, page_size, most,
                              plan->around_janky, err);
}

static void keep_time_around(void *user, int64_t start_ns, int64_t end_ns)
{
    struct dj_linux *capture = user;
    const struct dj_capture_plan *plan = capture->base.plan;
    int64_t before_ns = plan->before_ns > 0 ? plan->before_ns : DJ_CAPTURE_AROUND_NS;
    int64_t after_ns = plan->after_ns > 0 ? plan->after_ns : DJ_CAPTURE_AROUND_NS;
    int64_t kernel_ns = capture->kernel_ns; /* The spool uses the kernel's clock. */
    dj_janky_keep_add_frame(&capture->spool.keep, start_ns - kernel_ns,
                            end_ns - kernel_ns, before_ns, after_ns, NULL);
}

/* Waits until the time `until_ns`, or until the end of the capture if this is earlier.
 * Returns false if the capture must end. */
static bool wait_until(struct dj_linux *capture, int64_t until_ns)
{
    until_ns = until_ns < capture->ends_ns ? until_ns : capture->ends_ns;
    return dj_background_sleep(&capture->background, until_ns) &&
           dj_host_now_ns() < capture->ends_ns;
}

/* Collects frames and sections of recorded apps. Does not look for new processes in every
 * call, because that takes longer. */
static int poll_records(struct dj_linux *capture, struct dj_error *err)
{
    int64_t now_ns = dj_host_now_ns();
    int64_t pause_ns = capture->base.plan->around_janky ? FIND_SELDOM_NS : RECORDS_NS;
    bool all = capture->records.count == 0 || now_ns >= capture->found_ns + pause_ns;
    capture->found_ns = all ? now_ns : capture->found_ns;
    int code = dj_app_records_poll(&capture->records, !all, err);
    code = code == 0 && all ? dj_app_watch_update(&capture->app, &capture->records, err)
                            : code;
    dj_linux_watch_stacks(capture);
    return code;
}

/* Returns the pause until the next poll of the recorded apps. `pause_ns` is the pause
 * before the last poll. The more frames an app produces, the shorter the pause, so that
 * the app does not overwrite frames that were not collected yet. */
static int64_t compute_pause_ns(const struct dj_linux *capture, int64_t pause_ns)
{
    double fill = capture->records.fill;
    double next_ns = fill > 0 ? (double)pause_ns * RECORDS_MOST_FILL / fill : RECORDS_NS;
    return next_ns > RECORDS_NS ? RECORDS_NS
           : next_ns < DRAIN_NS ? DRAIN_NS
                                : (int64_t)next_ns;
}

static void *run_thread(void *user)
{
    struct dj_linux *capture = user;
    int64_t read_ns = dj_host_now_ns();
    int64_t pause_ns = RECORDS_NS;
    struct dj_error err = {0};
    int code = 0;
    pthread_mutex_lock(&capture->background.lock);
    while (code == 0 && wait_until(capture, dj_host_now_ns() + DRAIN_NS)) {
        code = capture->level->drain(capture, &err);
        int64_t now_ns = dj_host_now_ns();
        if (code == 0 && now_ns >= read_ns + pause_ns) {
            code = poll_records(capture, &err);
            pause_ns = compute_pause_ns(capture, now_ns - read_ns);
            read_ns = now_ns;
        }
        if (code == 0 && capture->spool.full) {
            capture->result.cut = true;
            break;
        }
    }
    capture->result.end_ns = dj_host_now_ns();
    dj_linux_stop_stacks(capture);
    code = code == 0 ? dj_app_records_poll(&capture->records, false, &err) : code;
    capture->records.to_ns = capture->result.end_ns;
    int closed = capture->level->close(capture, code == 0 ? &err : NULL);
    if (code != 0 || closed != 0) {
        capture->broken = err;
    }
    capture->over = true;
    pthread_mutex_unlock(&capture->background.lock);
    return NULL;
}

static int check_output(const char *path, struct dj_error *err)
{
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (exists && (S_ISDIR(there.st_mode) || access(path, W_OK) != 0)) {
        return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", path,
                            strerror(S_ISDIR(there.st_mode) ? EISDIR : errno));
    }
    return 0;
}

/* Adds a limit that says what the trace lacks because this level is not possible, with
 * the reason. Sets `err` to the reason. If the plan requires the level, `err` also says
 * how to permit it. */
static void set_level_refused(struct dj_linux *capture, enum dj_capture_level level,
                              const struct dj_error *why, struct dj_error *err)
{
    dj_capture_add_limit(&capture->result, "the events of the level %s (%s)",
                         dj_capture_level_name(level), why->message);
    dj_error_set(err, why->code, "%s", why->message);
    if (capture->base.plan->level_required && why->code == DJ_E_OWNER &&
        level > DJ_CAPTURE_OWN) {
        dj_error_set(err, why->code, "%.300s; use: %s", why->message,
                     dj_capture_level_get_remedy((enum dj_capture_level)(level - 1)));
    }
}

static void finish_level(struct dj_linux *capture)
{
    if (capture->own != NULL) {
        capture->level->finish(capture);
    }
    free(capture->own);
    capture->own = NULL;
    dj_page_spool_close(&capture->spool);
}

/* Opens the best possible level. If a better level is not possible, adds a limit with the
 * reason. */
static int open_level(struct dj_linux *capture, struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    int code = DJ_E_UNSUPPORTED;
    for (size_t i = 0; i < LEVELS && code != 0; i++) {
        if (plan->level_required && levels[i]->level != plan->level) {
            continue;
        }
        struct dj_capture_result so_far = capture->result;
        struct dj_error why = {0};
        capture->level = levels[i];
        capture->own = calloc(1, levels[i]->own_bytes);
        code = capture->own != NULL
                   ? levels[i]->open(capture, &why)
                   : dj_error_set(&why, DJ_E_NO_MEMORY, "out of memory for a capture");
        if (code != 0) {
            finish_level(capture);
            capture->result = so_far;
            set_level_refused(capture, levels[i]->level, &why, err);
        }
        if (code == DJ_E_OUTPUT || code == DJ_E_NO_MEMORY) {
            return code;
        }
    }
    if (code == 0) {
        capture->result.level = capture->level->level;
        capture->result.source = dj_capture_level_name(capture->level->level);
    }
    return code;
}

static int start_thread(struct dj_linux *capture, struct dj_error *err)
{
    dj_background_init(&capture->background);
    int failure = dj_background_start(&capture->background, run_thread, capture);
    if (failure != 0) {
        dj_background_finish(&capture->background);
        return dj_error_set(err, DJ_E_IO, "cannot start the thread of the capture: %s",
                            strerror(failure));
    }
    return 0;
}

static void free_capture(struct dj_linux *capture)
{
    dj_sampler_destroy(capture->sampler);
    finish_level(capture);
    dj_app_records_finish(&capture->records);
    dj_running_finish(&capture->running);
    dj_running_finish(&capture->watched);
    free(capture);
}

static int prepare_capture(struct dj_linux *capture, struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    capture->kernel_ns = dj_kernel_clock_read_offset();
    int code = dj_capture_check_categories(plan, err);
    code = code == 0 ? check_output(plan->output, err) : code;
    code = code == 0 ? dj_running_add_all(&capture->running, err) : code;
    capture->records.from_ns = dj_host_now_ns();
    code = code == 0 ? dj_app_records_poll(&capture->records, false, err) : code;
    code = code == 0 ? dj_app_watch_update(&capture->app, &capture->records, err) : code;
    code = code == 0 ? open_level(capture, err) : code;
    if (code != 0) {
        return code;
    }
    dj_linux_start_stacks(capture);
    dj_linux_watch_stacks(capture);
    int64_t now_ns = dj_host_now_ns();
    capture->result.start_ns = now_ns;
    capture->ends_ns = plan->duration_ns > 0 ? now_ns + plan->duration_ns : INT64_MAX;
    return start_thread(capture, err);
}

static int start_capture(const struct dj_capture_plan *plan, struct dj_device *device,
                         struct dj_capture **capture, struct dj_error *err)
{
    (void)device;
    struct dj_linux *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for a capture");
    }
    made->base = (struct dj_capture){&dj_capture_linux, plan};
    made->records =
        (struct dj_records){.app = plan->app,
                            .janky = plan->around_janky ? keep_time_around : NULL,
                            .user = made};
    made->app.app = plan->pid_count == 0 ? plan->app : NULL;
    int code = prepare_capture(made, err);
    if (code != 0) {
        free_capture(made);
        return code;
    }
    *capture = &made->base;
    return 0;
}

/* Passes a message about the app to plan->say. The capture's thread has written the
 * message, but only the caller's thread may call plan->say. */
static void report_app(struct dj_linux *capture)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    if (capture->app.message[0] != '\0' && plan->say != NULL) {
        plan->say(plan->user, capture->app.message);
    }
    capture->app.message[0] = '\0';
}

static int poll_capture(struct dj_capture *base, struct dj_capture_progress *progress,
                        struct dj_error *err)
{
    struct dj_linux *capture = (struct dj_linux *)base;
    int code = 0;
    pthread_mutex_lock(&capture->background.lock);
    report_app(capture);
    progress->ended = capture->over;
    progress->cut = capture->over && capture->result.cut;
    progress->bytes = capture->bytes;
    progress->janky = (size_t)capture->spool.keep.frames;
    if (capture->over && capture->broken.code != 0) {
        code = dj_error_set(err, capture->broken.code, "%s", capture->broken.message);
    }
    pthread_mutex_unlock(&capture->background.lock);
    return code;
}

static int keep_frame(struct dj_capture *base, int64_t from_ns, int64_t to_ns,
                      struct dj_error *err)
{
    struct dj_linux *capture = (struct dj_linux *)base;
    (void)err;
    pthread_mutex_lock(&capture->background.lock);
    if (!capture->over) {
        keep_time_around(capture, from_ns, to_ns);
    }
    pthread_mutex_unlock(&capture->background.lock);
    return 0;
}

static void stop_thread(struct dj_linux *capture)
{
    if (capture->background.has_thread) {
        dj_background_end(&capture->background);
        dj_background_finish(&capture->background);
    }
}

static bool has_app_data(const struct dj_records *records)
{
    uint64_t shown = records->section_count;
    for (size_t i = 0; i < records->count; i++) {
        for (size_t k = 0; k < records->processes[i].window_count; k++) {
            shown += records->processes[i].windows[k].count;
        }
    }
    return shown > 0;
}

static void report_losses(struct dj_linux *capture)
{
    struct dj_capture_result *result = &capture->result;
    const struct dj_records *records = &capture->records;
    char limit[DJ_CAPTURE_LIMIT];
    result->janky = capture->spool.keep.frames;
    result->app = capture->app.state;
    if (dj_app_watch_write_limit(&capture->app, has_app_data(records), limit)) {
        dj_capture_add_limit(result, "%s", limit);
    }
    if (capture->base.plan->around_janky && result->janky == 0 && has_app_data(records)) {
        dj_capture_add_limit(result,
                             "what the system did: no frame was janky, and only the "
                             "time around janky frames is kept");
    }
    if (result->lost > 0) {
        dj_capture_add_limit(
            result, "%llu events: they came faster than dejank could read them; %s",
            (unsigned long long)result->lost,
            capture->buffer_bound ? "kernel.perf_event_mlock_kb permits no larger buffer"
                                  : "use a larger buffer");
    }
    if (records->lost_frames > 0) {
        dj_capture_add_limit(result,
                             "%llu frames: the app overwrote them in the recorder's ring "
                             "before they were read",
                             (unsigned long long)records->lost_frames);
    }
    if (records->lost_threads > 0) {
        dj_capture_add_limit(result, "some sections: the app overwrote them in the "
                                     "recorder's ring before they were read");
    }
}

/* Stops recording events. Reads the names of all threads now, because some of them may
 * end before dj_capture_stop(). */
static void end_capture(struct dj_capture *base)
{
    struct dj_linux *capture = (struct dj_linux *)base;
    stop_thread(capture);
    dj_running_add_all(&capture->running, NULL);
}

static int stop_capture(struct dj_capture *base, struct dj_capture_result *result,
                        struct dj_error *err)
{
    struct dj_linux *capture = (struct dj_linux *)base;
    if (capture->stopped) {
        return 0;
    }
    capture->stopped = true;
    stop_thread(capture);
    int code = dj_app_records_poll(&capture->records, false, err);
    code = code == 0 ? dj_app_watch_update(&capture->app, &capture->records, err) : code;
    report_app(capture);
    report_losses(capture);
    int written = dj_linux_write(capture, code == 0 ? err : NULL);
    code = code != 0 ? code : written;
    if (code == 0 && capture->broken.code != 0) {
        code = dj_error_set(err, capture->broken.code, "%s", capture->broken.message);
    }
    *result = capture->result;
    return code;
}

static void destroy_capture(struct dj_capture *base)
{
    struct dj_linux *capture = (struct dj_linux *)base;
    stop_thread(capture);
    free_capture(capture);
}

const struct dj_capture_backend dj_capture_linux = {
    .start = start_capture,
    .poll = poll_capture,
    .keep = keep_frame,
    .end = end_capture,
    .stop = stop_capture,
    .destroy = destroy_capture,
};
