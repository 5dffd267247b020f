#include "measure/app/app.h"

#include <string.h>

#include "measure/check_app.h"

#define FIRST_FRAME_NS (5 * DJ_SECOND_NS)
#define PROCESS_NS (15 * DJ_SECOND_NS)
#define LOOK_NS (50 * DJ_MILLISECOND_NS)

int dj_app_read_gfxinfo(const struct dj_app *app, struct dj_device_gfxinfo *reading,
                        struct dj_error *err)
{
    const struct dj_gfxinfo_request request = {.package = app->plan->package,
                                               .since_ns = -1};
    *reading = (struct dj_device_gfxinfo){.dev_ns = -1};
    return dj_device_read_gfxinfo(app->device, &request, reading, err);
}

/* Finds out whether a process with the app's name runs, and whether it has drawn frames.
 * After an error, *is_running and *drew are unchanged. */
static int read_frames_drawn(const struct dj_app *app, bool *is_running, bool *drew,
                             struct dj_error *err)
{
    struct dj_device_gfxinfo reading;
    int code = dj_app_read_gfxinfo(app, &reading, err);
    if (code == 0) {
        *is_running = *drew = false;
    }
    for (size_t i = 0; code == 0 && i < reading.dump.process_count; i++) {
        const struct dj_dump_process *process = &reading.dump.processes[i];
        if (!process->ended) {
            *is_running = true;
            *drew = *drew || process->stats.stats.counter[DJ_COUNTER_TOTAL] > 0;
        }
    }
    dj_device_gfxinfo_finish(&reading);
    return code;
}

/* Returns an error if the app does not run. Used for an app that dejank does not start.
 */
static int check_running(struct dj_app *app, struct dj_error *err)
{
    const char *package = app->plan->package, *device = app->device->name;
    bool is_running, drew;
    struct dj_error ignored = {0};
    if (read_frames_drawn(app, &is_running, &drew, &ignored) != 0 || is_running) {
        return 0;
    }
    return app->android
               ? dj_error_set(err, DJ_E_NO_DATA,
                              "no process named '%s' runs on %s; start the app first, or "
                              "run without --attach",
                              package, device)
               : dj_error_set(
                     err, DJ_E_NO_DATA,
                     "no recorded process named '%s' runs on %s, and no command "
                     "was given to start it; start it with 'dejank record --name "
                     "%s -- CMD', or add '-- CMD'",
                     package, device, package);
}

static const struct dj_app_ops running_app_ops = {.check = check_running};

void dj_app_init(struct dj_app *app, struct dj_device *device,
                 const struct dj_batch_plan *plan, const struct dj_build_plan *build,
                 bool android, struct dj_journal *journal, const char *self)
{
    *app = (struct dj_app){.device = device,
                           .plan = plan,
                           .build = build,
                           .journal = journal,
                           .self = self,
                           .android = android};
    bool here = strcmp(device->name, "local:") == 0;
    app->ops = build->command != NULL     ? (here ? &dj_app_local : &dj_app_remote)
               : android && !plan->attach ? &dj_app_android
                                          : &running_app_ops;
}

int dj_app_check(struct dj_app *app, struct dj_error *err)
{
    return app->ops->check != NULL ? app->ops->check(app, err) : 0;
}

int dj_measure_check_app(const struct dj_batch_plan *plan,
                         const struct dj_build_plan *build, struct dj_device *device,
                         bool is_android, struct dj_error *err)
{
    struct dj_app app;
    dj_app_init(&app, device, plan, build, is_android, NULL, NULL);
    return dj_app_check(&app, err);
}

int dj_app_install(struct dj_app *app, struct dj_error *err)
{
    return app->ops->install != NULL ? app->ops->install(app, err) : 0;
}

static int fail_not_started(struct dj_app *app, struct dj_error *err)
{
    struct dj_app_end end = {.state = DJ_APP_RUNS};
    dj_app_read_end(app, &end);
    dj_text_finish(&end.evidence);
    return dj_error_set(err, DJ_E_NO_DATA, "%s did not start%s%s", app->plan->package,
                        end.cause[0] != '\0' ? ": " : "", end.cause);
}

static bool has_ended(struct dj_app *app)
{
    struct dj_app_end end = {.state = DJ_APP_RUNS};
    if (app->local != NULL || app->process != NULL) {
        dj_app_read_end(app, &end);
        dj_text_finish(&end.evidence);
    }
    return end.state != DJ_APP_RUNS;
}

/* Waits until the app has drawn a frame. If the app runs but draws nothing for
 * FIRST_FRAME_NS, returns 0, because some apps draw nothing before their first input. */
static int wait_for_frames(struct dj_app *app, struct dj_error *err)
{
    int64_t begun_ns = dj_host_now_ns(), seen_ns = 0;
    bool is_running = false, drew = false;
    for (;;) {
        int code = read_frames_drawn(app, &is_running, &drew, err);
        int64_t now_ns = dj_host_now_ns();
        if ((code != 0 && code != DJ_E_NO_DATA && code != DJ_E_TIMEOUT) || drew) {
            return code;
        }
        seen_ns = is_running && seen_ns == 0 ? now_ns : seen_ns;
        if (seen_ns != 0 && now_ns - seen_ns > FIRST_FRAME_NS) {
            return 0;
        }
        if (now_ns - begun_ns > PROCESS_NS || has_ended(app)) {
            return is_running ? 0 : fail_not_started(app, err);
        }
        if (dj_interrupt_latest_ns(&app->device->interrupt) != INT64_MAX) {
            return dj_error_set(err, DJ_E_INTERRUPTED, "interrupted");
        }
        dj_host_sleep_ns(LOOK_NS);
    }
}

int dj_app_start(struct dj_app *app, struct dj_error *err)
{
    int code = app->ops->start != NULL ? app->ops->start(app, err) : 0;
    return code == 0 ? wait_for_frames(app, err) : code;
}

static void call_if_set(struct dj_app *app, void (*function)(struct dj_app *app))
{
    if (function != NULL) {
        function(app);
    }
}

void dj_app_stop(struct dj_app *app)
{
    call_if_set(app, app->ops->stop);
}

void dj_app_read_end(struct dj_app *app, struct dj_app_end *end)
{
    *end = (struct dj_app_end){.state = DJ_APP_RUNS};
    if (app->ops->read_end != NULL) {
        app->ops->read_end(app, end);
    }
}

void dj_app_append_output(struct dj_app *app, struct dj_text *text)
{
    if (app->ops->append_output != NULL) {
        app->ops->append_output(app, text);
    }
}

void dj_app_discard(struct dj_app *app)
{
    call_if_set(app, app->ops->discard);
}

void dj_app_disconnect(struct dj_app *app)
{
    call_if_set(app, app->ops->disconnect);
}

void dj_app_finish(struct dj_app *app)
{
    call_if_set(app, app->ops->finish);
}
