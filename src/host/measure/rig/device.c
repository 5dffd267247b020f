#include <string.h>

#include "measure/rig/rig.h"
#include "measure/settings.h"

/* Maximum time to wait until a rebooting device is connected again. */
#define BACK_NS (120 * DJ_SECOND_NS)
/* Maximum time to wait until a connected device has booted. */
#define BOOT_NS (180 * DJ_SECOND_NS)
#define RETRY_NS DJ_SECOND_NS
#define SHELL_NS (10 * DJ_SECOND_NS)

/* If the device disconnects this many times in a row, it is not used any more. */
enum { TIMES_AWAY = 3 };

static const char *get_selector(const struct dj_rig *rig)
{
    return rig->plan->devices[rig->index];
}

static void disconnect(struct dj_rig *rig)
{
    for (size_t i = 0; rig->apps_open && i < rig->plan->build_count; i++) {
        dj_app_disconnect(&rig->apps[i]);
    }
    if (rig->watcher != rig->device) {
        dj_device_close(rig->watcher);
    }
    dj_device_close(rig->device);
    rig->device = rig->watcher = NULL;
}

/* Opens two connections to the device. The driver uses the first one. The second one is
 * for readings of gfxinfo at the same time. */
static int connect_device(struct dj_rig *rig, struct dj_error *err)
{
    disconnect(rig);
    const char *record = rig->plan->record;
    int code = dj_device_open_recorded(get_selector(rig), record, &rig->device, err);
    if (code == 0) {
        code = dj_device_open_recorded(get_selector(rig), record, &rig->watcher, err);
    }
    if (code != 0) {
        disconnect(rig);
        return code;
    }
    rig->device->interrupt = rig->watcher->interrupt = rig->stop;
    return 0;
}

static void report_setting(void *user, const char *sentence)
{
    dj_rig_report(user, "%s", sentence);
}

/* Waits until the device has booted. Answers of the shell are not sufficient, because the
 * shell runs long before the services of Android do. If the device has no getprop, it
 * does not run Android and counts as booted. */
static int wait_for_boot(struct dj_rig *rig, struct dj_error *err)
{
    static const char *const argv[] = {"getprop", "sys.boot_completed", NULL};
    int64_t until_ns = dj_host_now_ns() + BOOT_NS;
    for (;;) {
        struct dj_device_result result = {0};
        int code = dj_device_run(rig->device, argv, SHELL_NS, &result, err);
        const char first = dj_text_get(&result.out)[0];
        bool up = code == 0 && (result.exit_code != 0 || (first != '0' && first != '\n'));
        dj_device_result_finish(&result);
        if (code != 0 || up || dj_host_now_ns() > until_ns) {
            return code;
        }
        dj_host_sleep_ns(RETRY_NS);
    }
}

/* Waits until the device is connected and has booted. */
static int wait_for_device(struct dj_rig *rig, struct dj_error *err)
{
    int64_t until_ns = dj_host_now_ns() + BACK_NS;
    int code;
    dj_rig_report(rig, "the device has disconnected; waiting up to %d s for it",
                  (int)(BACK_NS / DJ_SECOND_NS));
    while ((code = connect_device(rig, err)) != 0) {
        if (dj_host_now_ns() > until_ns || dj_rig_is_stopped(rig)) {
            return code;
        }
        dj_rig_sleep(rig, RETRY_NS);
    }
    dj_rig_report(rig, "the device is connected again");
    return wait_for_boot(rig, err);
}

static bool is_android(const struct dj_rig *rig)
{
    return strcmp(rig->facts.platform, "android") == 0;
}

static int apply_settings(struct dj_rig *rig, struct dj_error *err)
{
    const struct dj_settings_listener listener = {report_setting, rig};
    int code = dj_device_read_facts(rig->device, &rig->facts, err);
    if (code == 0) {
        code = dj_measure_settings_apply(rig->device, rig->plan, &rig->facts,
                                         &rig->journal, &listener, err);
    }
    return code;
}

/* Restores the settings that an earlier dejank process has left changed. If the device
 * refuses a setting, its entry stays in the journal, and the function returns 0. */
static int restore_leftover_settings(struct dj_rig *rig, struct dj_error *err)
{
    if (rig->journal.count == 0) {
        return 0;
    }
    dj_rig_report(rig, "restoring settings that an earlier dejank left changed");
    int code = dj_measure_settings_restore(rig->device, &rig->journal, err);
    if (code == DJ_E_UNSUPPORTED) {
        dj_rig_report(rig, "some settings could not be restored: %s", err->message);
    }
    return code == DJ_E_UNSUPPORTED ? 0 : code;
}

static bool may_wait(const struct dj_rig *rig, int code, int times)
{
    return dj_rig_is_absent_error(code) && times < TIMES_AWAY && !dj_rig_is_stopped(rig);
}

/* Restores left settings and applies the settings of the plan. If the device disconnects,
 * waits for the device and tries again. */
static int prepare_with_retries(struct dj_rig *rig, struct dj_error *err)
{
    for (int times = 0;; times++) {
        int code = restore_leftover_settings(rig, err);
        code = code == 0 ? apply_settings(rig, err) : code;
        if (!may_wait(rig, code, times)) {
            return code;
        }
        code = wait_for_device(rig, err);
        if (code != 0 && !dj_rig_is_absent_error(code)) {
            return code;
        }
    }
}

int dj_rig_set_up(struct dj_rig *rig, struct dj_error *err)
{
    const struct dj_batch_plan *plan = rig->plan;
    int code = connect_device(rig, err);
    if (code == 0) {
        code = dj_measure_lease_acquire(rig->device->name, &rig->lease, err);
    }
    if (code == 0) {
        code = dj_measure_journal_open(rig->device->name, &rig->journal, err);
    }
    if (code == 0) {
        code = prepare_with_retries(rig, err);
    }
    for (size_t i = 0; code == 0 && i < plan->build_count; i++) {
        dj_app_init(&rig->apps[i], rig->device, plan, &plan->builds[i], is_android(rig),
                    &rig->journal, rig->session->context->self);
        rig->apps_open = true;
    }
    return code;
}

int dj_rig_check_apps(struct dj_rig *rig, struct dj_error *err)
{
    int code = 0;
    if (rig->apps_checked || rig->driver.starts_app) {
        return 0;
    }
    for (size_t i = 0; code == 0 && i < rig->plan->build_count; i++) {
        code = dj_app_check(&rig->apps[i], err);
    }
    rig->apps_checked = code == 0;
    return code;
}

static int reconnect(struct dj_rig *rig, struct dj_error *err)
{
    int code = wait_for_device(rig, err);
    if (code != 0) {
        return code;
    }
    for (size_t i = 0; i < rig->plan->build_count; i++) {
        rig->apps[i].device = rig->device;
    }
    code = apply_settings(rig, err);
    return code == 0 ? dj_rig_create_driver(rig, err) : code;
}

int dj_rig_recover(struct dj_rig *rig, struct dj_error *err)
{
    for (int times = 1;; times++) {
        dj_rig_destroy_driver(rig);
        int code = reconnect(rig, err);
        if (rig->device == NULL || !may_wait(rig, code, times)) {
            return code;
        }
    }
}

static int restore(struct dj_rig *rig, struct dj_error *err)
{
    int code = 0;
    if (rig->device == NULL) {
        code = connect_device(rig, err);
    }
    if (code == 0) {
        rig->device->interrupt = rig->session->context->give_up;
        code = dj_measure_settings_restore(rig->device, &rig->journal, err);
    }
    return code;
}

void dj_rig_tear_down(struct dj_rig *rig)
{
    struct dj_error err = {0};
    bool was_there = rig->device != NULL;
    if (was_there) {
        rig->device->interrupt = rig->session->context->give_up;
    }
    for (size_t i = 0; rig->apps_open && i < rig->plan->build_count; i++) {
        if (rig->device != NULL || rig->apps[i].local != NULL) {
            dj_app_finish(&rig->apps[i]);
        }
    }
    int code = rig->journal.count > 0 ? restore(rig, &err) : 0;
    if (was_there && may_wait(rig, code, 0) && wait_for_device(rig, &err) == 0) {
        code = restore(rig, &err);
    }
    if (code != 0) {
        dj_rig_report(
            rig,
            "the settings of the device are not restored yet (%s). `dejank doctor "
            "--restore` or the next run or capture on this device restores them",
            err.message);
    }
    dj_measure_journal_finish(&rig->journal);
    dj_measure_lease_release(&rig->lease);
    disconnect(rig);
}
