#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "drive/gesture_driver.h"
#include "process/deadline.h"

/* A stand-in for an Android device that has `input` and a screen, but neither monkey nor
 * uinput. `asked` contains the commands that it received. */
static char asked[4000];
static bool gone;

static int shell(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                 struct dj_device_result *result, struct dj_error *err)
{
    (void)device;
    (void)timeout_ns;
    for (; *argv != NULL; argv++) {
        size_t used = strlen(asked);
        snprintf(asked + used, sizeof(asked) - used, "%s ", *argv);
    }
    size_t used = strlen(asked);
    snprintf(asked + used, sizeof(asked) - used, "\n");
    if (gone) {
        return dj_error_set(err, DJ_E_GONE, "the device went away");
    }

    dj_text_add(&result->out, "Physical size: 100x200\n");
    return 0;
}

static int start(struct dj_device *device, const char *const *argv,
                 struct dj_device_process **process, struct dj_error *err)
{
    (void)device;
    (void)process;
    return dj_error_set(err, DJ_E_NOT_FOUND, "there is no %s", argv[0]);
}

static int tell_clock(struct dj_device *device, int64_t *dev_ns, int64_t *uncertainty_ns,
                      struct dj_error *err)
{
    (void)device;
    (void)err;
    *dev_ns = dj_host_now_ns() + 1000;
    *uncertainty_ns = 0;
    return 0;
}

static const struct dj_device_ops ops = {
    .shell = shell, .start = start, .clock = tell_clock};

static int64_t at_once(void *user)
{
    (void)user;
    return 0;
}

static struct dj_driver make(const char *words)
{
    struct dj_driver driver = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_drive_gestures_create(words, strlen(words), &driver, &err), 0, "%s",
                 err.message);
    return driver;
}

static int run(struct dj_driver *driver, struct dj_device *device,
               struct dj_drive_log *log, struct dj_error *err)
{
    int code = driver->prepare(driver->self, device, err);
    return code == 0 ? driver->drive(driver->self, device, log, err) : code;
}

static int count(const char *what)
{
    int found = 0;
    for (const char *at = asked; (at = strstr(at, what)) != NULL; at++) {
        found++;
    }
    return found;
}

Test(gesture_driver, the_screen_is_read_once)
{
    struct dj_device device = {.ops = &ops, .name = "phone"};
    struct dj_driver driver = make("tap 10,20 pause 0ms; swipe up 10ms pause 0ms");
    for (int i = 0; i < 3; i++) {
        struct dj_drive_log log = {0};
        struct dj_error err = {0};
        cr_assert_eq(run(&driver, &device, &log, &err), 0, "%s", err.message);
        cr_assert_eq(log.outcome, DJ_RUN_OK, "%s", log.reason);
        cr_assert_eq(log.window_count, 0);
        cr_assert(strstr(dj_text_get(&log.stream), "injected by input: each gesture") !=
                  NULL);
        cr_assert(strstr(dj_text_get(&log.stream), "there is no monkey") != NULL);
        dj_drive_log_finish(&log);
    }
    cr_assert_eq(count("wm size"), 1 + 3, "once, and by each try at uinput");
    cr_assert_eq(count("input tap 10 20 "), 3);
    cr_assert_eq(count("input swipe 50 159 50 40 "), 3, "%s", asked);
    dj_drive_gestures_destroy(&driver);
}

Test(gesture_driver, an_impossible_gesture_is_the_outcome_of_the_run)
{
    struct dj_device device = {.ops = &ops, .name = "phone"};
    struct dj_driver driver = make("tap 10,20 pause 0ms; tap 100,20");
    struct dj_drive_log log = {0};
    struct dj_error err = {0};
    cr_assert_eq(run(&driver, &device, &log, &err), 0);
    cr_assert_eq(log.outcome, DJ_RUN_DRIVE_FAILED);
    cr_assert_str_eq(
        log.reason,
        "gesture 2, tap: the point 100,20 is outside of the area of 100×200 pixels");
    dj_drive_log_finish(&log);
    dj_drive_gestures_destroy(&driver);
}

Test(gesture_driver, an_interrupt_ends_the_driver_at_once)
{
    struct dj_device device = {.ops = &ops, .name = "phone"};
    struct dj_driver driver = make("wait 600s");
    struct dj_drive_log log = {0};
    struct dj_error err = {0};
    cr_assert_eq(driver.prepare(driver.self, &device, &err), 0);
    device.interrupt.latest_ns = at_once;
    cr_assert_eq(driver.drive(driver.self, &device, &log, &err), DJ_E_INTERRUPTED);
    dj_drive_log_finish(&log);
    dj_drive_gestures_destroy(&driver);
}

Test(gesture_driver, a_device_that_is_gone_is_an_error)
{
    struct dj_device device = {.ops = &ops, .name = "phone"};
    struct dj_driver driver = make("key back");
    struct dj_drive_log log = {0};
    struct dj_error err = {0};
    cr_assert_eq(driver.prepare(driver.self, &device, &err), 0);
    gone = true;
    cr_assert_eq(driver.drive(driver.self, &device, &log, &err), DJ_E_GONE);
    dj_drive_log_finish(&log);
    dj_drive_gestures_destroy(&driver);
}

Test(gesture_driver, a_flow_becomes_a_window)
{
    struct dj_device device = {.ops = &ops, .name = "phone"};
    struct dj_driver driver = make("custom-draw wait=10ms");
    struct dj_drive_log log = {0};
    struct dj_error err = {0};
    cr_assert_not(dj_drive_gestures_launch_app(&driver));
    int64_t before_ns = dj_host_now_ns() + 1000;
    cr_assert_eq(run(&driver, &device, &log, &err), 0, "%s", err.message);
    cr_assert_eq(log.window_count, 1);
    cr_assert_str_eq(log.windows[0].name, "custom-draw");
    cr_assert_geq(log.windows[0].span.start_ns, before_ns);
    cr_assert_geq(log.windows[0].span.end_ns - log.windows[0].span.start_ns, 10000000);
    dj_drive_log_finish(&log);
    dj_drive_gestures_destroy(&driver);
}

Test(gesture_driver, rotation_and_launch_can_be_queried)
{
    struct dj_driver turns = make("rotate 90"), starts = make("launch-hot");
    cr_assert(dj_drive_gestures_rotate_screen(&turns));
    cr_assert_not(dj_drive_gestures_launch_app(&turns));
    cr_assert_not(dj_drive_gestures_rotate_screen(&starts));
    cr_assert(dj_drive_gestures_launch_app(&starts));
    struct dj_device device = {.ops = &ops, .name = "phone"};
    struct dj_error err = {0};
    cr_assert_eq(starts.prepare(starts.self, &device, &err), DJ_E_USAGE);
    cr_assert(dj_drive_gestures_set_app(&starts, "a.b", NULL));
    cr_assert_eq(starts.prepare(starts.self, &device, &err), DJ_E_NOT_FOUND,
                 "the stub resolves no activity");
    dj_drive_gestures_destroy(&turns);
    dj_drive_gestures_destroy(&starts);
    dj_drive_gestures_destroy(&starts);
}
