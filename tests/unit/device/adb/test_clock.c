#include "device/adb/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS DJ_MILLISECOND_NS

/* ---- bounds */

Test(clock_bounds, the_answer_is_between_question_and_arrival)
{
    struct dj_adb_clock_bounds bounds = {0};
    dj_adb_clock_add_answer(&bounds, 5000 * MS, 1, 1000 * MS, 1010 * MS);
    cr_assert(bounds.known);
    cr_assert_eq(bounds.low_ns, 3990 * MS);
    cr_assert_eq(bounds.high_ns, 4000 * MS + 1);
}

Test(clock_bounds, questions_at_other_times_narrow_steps)
{
    /* The device is 7.003 s ahead and reports its time in steps of 10 ms. A round trip
     * takes 1 ms. */
    struct dj_adb_clock_bounds bounds = {0};
    const int64_t ahead = 7003 * MS;
    for (int64_t t = 0; t < 40; t++) {
        int64_t shown = (ahead + t * 3 * MS + MS / 2) / (10 * MS) * (10 * MS);
        dj_adb_clock_add_answer(&bounds, shown, 10 * MS, t * 3 * MS, t * 3 * MS + MS);
        cr_assert_leq(bounds.low_ns, ahead);
        cr_assert_geq(bounds.high_ns, ahead);
    }
    cr_assert_leq(bounds.high_ns - bounds.low_ns, 3 * MS);
}

Test(clock_bounds, clocks_may_drift_apart_with_time)
{
    struct dj_adb_clock_bounds bounds = {0};
    dj_adb_clock_add_answer(&bounds, 1000 * MS, 1, 0, MS);
    /* 1000 s later, the difference has grown by 30 ms, which is a drift of 30 ppm. */
    dj_adb_clock_add_answer(&bounds, 1001030 * MS, 1, 1000000 * MS, 1000001 * MS);
    cr_assert_leq(bounds.low_ns, 1030 * MS);
    cr_assert_geq(bounds.high_ns, 1030 * MS);
    cr_assert_leq(bounds.high_ns - bounds.low_ns, 2 * MS);
}

Test(clock_bounds, a_restarted_device_gets_new_bounds)
{
    struct dj_adb_clock_bounds bounds = {0};
    dj_adb_clock_add_answer(&bounds, 900000 * MS, 1, 0, MS);
    dj_adb_clock_add_answer(&bounds, 20 * MS, 1, 2000 * MS, 2001 * MS);
    cr_assert_eq(bounds.low_ns, -1981 * MS);
    cr_assert_eq(bounds.high_ns, -1980 * MS + 1);
}

/* ---- answers of devices */

Test(clock_answer, both_forms_are_parsed)
{
    struct dj_adb_clock_answer answer;
    static const char exact[] = "clock 123456789012 223456789012";
    static const char uptime[] = "uptime 350735.47 234388.90";
    cr_assert(dj_adb_clock_parse_answer(exact, sizeof(exact) - 1, &answer));
    cr_assert_eq(answer.monotonic_ns, INT64_C(123456789012));
    cr_assert_eq(answer.boot_ns, INT64_C(223456789012));
    cr_assert(dj_adb_clock_parse_answer(uptime, sizeof(uptime) - 1, &answer));
    cr_assert_eq(answer.monotonic_ns, -1);
    cr_assert_eq(answer.boot_ns, INT64_C(350735470000000));
    cr_assert_eq(answer.step_ns, 10 * MS);
}

Test(clock_answer, other_text_is_not_a_time)
{
    static const char *const lines[] = {
        "",
        "uptime",
        "uptime ",
        "uptime  ",
        "uptime x y",
        "clock ",
        "clock 1",
        "clock 1x 2",
        "clock -1 2",
        "clock 1 ",
        "hello",
        "uptime -1 1",
        "uptime .5 1",
        "uptime 99999999999 1",
        "clock 99999999999999999999 1",
    };
    struct dj_adb_clock_answer answer;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        cr_assert_not(dj_adb_clock_parse_answer(lines[i], strlen(lines[i]), &answer),
                      "%s", lines[i]);
    }
    char longest[1000];
    memset(longest, '1', sizeof(longest));
    cr_assert_not(dj_adb_clock_parse_answer(longest, sizeof(longest), &answer));
}

static int64_t power(const char *text)
{
    return dj_adb_clock_parse_power(text, strlen(text));
}

Test(clock_power, a_stamp_and_its_age_are_now)
{
    cr_assert_eq(power("POWER MANAGER (dumpsys power)\n\nPower Manager State:\n"
                       "  mLastWakeTime=3842 (197122 ms ago)\n"
                       "  mLastSleepTime=0 (200964 ms ago)\n"),
                 200964);
    cr_assert_eq(power("  mLastUserActivityTime=771 (now)\n"), 771);
    cr_assert_eq(power("  mLastSleepTime=0 (200964 ms ago)\n"
                       "  mLastUserActivityTime=5 (6 ms ago)\n"),
                 11, "0 means never");
}

Test(clock_power, no_stamp_is_no_time)
{
    cr_assert_eq(power(""), -1);
    cr_assert_eq(power("Can't find service: power"), -1);
    cr_assert_eq(power("  mWakeTime=12 (in 7 ms)\n  mTime=\n  Time=x (now)"), -1);
    cr_assert_eq(power("  mLastWakeTime=3842 (197"), -1);
}

/* ---- a device with only /proc/uptime and a power service; the sh of this machine plays
 * it */

static int shell_power(struct dj_device *device, const char *const *argv,
                       int64_t timeout_ns, struct dj_device_result *result,
                       struct dj_error *err)
{
    (void)device;
    (void)timeout_ns;
    (void)err;
    cr_assert_str_eq(argv[1], "power");
    dj_text_format(&result->out, "mLastWakeTime=1 (%lld ms ago)\n",
                   (long long)(dj_host_now_ns() / MS) - 1);
    return 0;
}

static struct dj_device *local;
static struct dj_device_ops ops;

static void open_device(void)
{
    cr_assert_eq(dj_device_open("local:", &local, NULL), 0);
    ops = *local->ops;
    ops.shell = shell_power;
    local->ops = &ops;
    setenv("PATH", "/usr/bin:/bin", 1);
}

static void close_device(void)
{
    dj_device_close(local);
}

TestSuite(clock_device, .init = open_device, .fini = close_device);

static void expect_close(struct dj_adb_clock *clock)
{
    int64_t dev_ns = 0, uncertainty_ns = -1;
    struct dj_error err = {0};
    cr_assert_eq(dj_adb_clock_read(clock, local, &dev_ns, &uncertainty_ns, &err), 0, "%s",
                 err.message);
    int64_t off_ns = dj_host_now_ns() - dev_ns;
    cr_assert_gt(uncertainty_ns, 0);
    cr_assert_lt(uncertainty_ns, 10 * DJ_SECOND_NS);
    /* Between the return of the function and the next line, some time may pass. */
    cr_assert_geq(off_ns, -uncertainty_ns);
    cr_assert_leq(off_ns, uncertainty_ns + DJ_SECOND_NS);
}

Test(clock_device, the_time_is_within_the_uncertainty)
{
    struct dj_adb_clock clock = {0};
    expect_close(&clock);
    cr_assert_not(clock.exact);
    expect_close(&clock);
    dj_adb_clock_finish(&clock);
}

Test(clock_device, an_ended_shell_is_started_again)
{
    struct dj_adb_clock clock = {0};
    expect_close(&clock);
    dj_device_process_close(clock.process);
    static const char *const gone[] = {"true", NULL};
    cr_assert_eq(dj_device_start(local, gone, &clock.process, NULL), 0);
    expect_close(&clock);
    dj_adb_clock_finish(&clock);
}
