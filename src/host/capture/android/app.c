/* Checks whether the plan's app runs on the device. */
#include "capture/android/session.h"

/* Returns true if no process of the app runs. Returns false if a process runs, and also
 * if the device cannot answer: old devices have no pidof. */
static bool is_absent(struct dj_android_capture *capture)
{
    const char *argv[] = {"pidof", capture->base.plan->app, NULL};
    struct dj_device_result result = {0};
    struct dj_error ignored = {0};
    int code =
        dj_device_run(capture->device, argv, DJ_ANDROID_SHELL_NS, &result, &ignored);
    bool absent = code == 0 && result.exit_code == 1 && result.out.length == 0;
    dj_device_result_finish(&result);
    return absent;
}

void dj_android_find_app(struct dj_android_capture *capture)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    if (plan->app == NULL || plan->janky_reported || capture->app == DJ_APP_RECORDED) {
        return;
    }
    enum dj_capture_app before = capture->app;
    capture->app = is_absent(capture) ? DJ_APP_ABSENT : DJ_APP_RECORDED;
    if (capture->app == DJ_APP_ABSENT && before == DJ_APP_ANY) {
        dj_android_report(capture, "%s: no process of %.120s runs; waiting for one",
                          capture->device->name, plan->app);
    } else if (capture->app == DJ_APP_RECORDED && before == DJ_APP_ABSENT) {
        dj_android_report(capture, "%.120s has started", plan->app);
    }
}
