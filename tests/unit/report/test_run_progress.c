#include <criterion/criterion.h>
#include <string.h>

#include "report/run_event.h"

static const char *const devices[] = {"phone-1", "local:"};
static const struct dj_build_plan builds[] = {{.label = "A"}, {.label = "B"}};
static struct dj_batch_plan plan;
static struct dj_metrics metrics;
static const struct dj_recovery recovery = {0};
static struct dj_run_progress *progress;
static struct dj_text text;

static void setup(void)
{
    plan = (struct dj_batch_plan){.devices = (void *)devices, .device_count = 2};
    dj_metrics_clear(&metrics);
    metrics.value[DJ_METRIC_FRAMES] = 600;
    metrics.value[DJ_METRIC_FRAME_TIME_P95] = 12e6;
    progress = dj_report_run_progress_create(&plan);
}

static void teardown(void)
{
    dj_report_run_progress_destroy(progress);
    dj_text_finish(&text);
}

TestSuite(run_progress, .init = setup, .fini = teardown);

static void add(size_t device, enum dj_play_kind kind, int64_t done, int64_t now_s)
{
    const struct dj_play_event event = {.device = device,
                                        .kind = kind,
                                        .build = &builds[0],
                                        .number = done + 1,
                                        .runs_done = done,
                                        .runs_planned = 10,
                                        .outcome = DJ_RUN_OK,
                                        .metrics = &metrics,
                                        .recovery = &recovery};
    dj_report_run_progress_add(progress, &event, now_s * DJ_SECOND_NS);
}

static const char *write_at(int64_t now_s, size_t lines, size_t expected)
{
    dj_text_clear(&text);
    size_t written =
        dj_report_run_progress_write(progress, now_s * DJ_SECOND_NS, 100, lines, &text);
    cr_assert_eq(written, expected, "%zu lines", written);
    return dj_text_get(&text);
}

static void expect(const char *all, const char *part)
{
    cr_assert_not_null(strstr(all, part), "no \"%s\" in:\n%s", part, all);
}

Test(run_progress, a_device_that_waits_has_no_time_left)
{
    const char *lines = write_at(0, 24, 3);
    expect(lines, "phone-1  starts ");
    cr_assert_null(strstr(lines, " left"), "%s", lines);
}

Test(run_progress, the_slowest_device_decides_the_time_left)
{
    add(0, DJ_PLAY_RUN, 0, 0);
    add(1, DJ_PLAY_RUN, 0, 0);
    add(0, DJ_PLAY_RUN_END, 2, 20); /* 10 s a run, 8 runs left */
    add(1, DJ_PLAY_RUN_END, 5, 20); /* 4 s a run, 5 runs left */
    const char *lines = write_at(20, 24, 3);
    expect(lines, "2 of 10 runs, 1 m 20 s left; p95 12.0 ms");
    expect(lines, "5 of 10 runs, 20 s left; p95 12.0 ms");
    expect(lines, "\n7 of 20 runs, about 1 m 20 s left");
}

Test(run_progress, runs_of_an_earlier_start_do_not_count_for_the_speed)
{
    add(0, DJ_PLAY_RUN, 6, 100);
    add(0, DJ_PLAY_RUN_END, 7, 110);
    expect(write_at(110, 24, 3), "7 of 10 runs, 30 s left");
}

Test(run_progress, a_device_that_has_ended_has_no_line)
{
    add(0, DJ_PLAY_RUN_END, 10, 10);
    add(0, DJ_PLAY_DEVICE_END, 10, 10);
    const char *lines = write_at(20, 24, 2);
    cr_assert_null(strstr(lines, "phone-1"), "%s", lines);
    expect(lines, "\n10 of 10 runs");
}

Test(run_progress, a_low_terminal_shows_fewer_devices)
{
    write_at(0, 3, 2);
}

Test(run_progress, one_device_needs_no_sum)
{
    plan.device_count = 1;
    cr_assert_null(strchr(write_at(0, 24, 1), '\n'));
}

/* ---- the line of an event ---- */

static bool write_line(struct dj_play_event event, bool has_display)
{
    dj_text_clear(&text);
    event.build = &builds[1];
    event.metrics = &metrics;
    event.recovery = &recovery;
    return dj_report_run_event_line(&text, &plan, &event, has_display);
}

Test(run_progress, a_line_says_where)
{
    plan.build_count = 2;
    cr_assert(write_line((struct dj_play_event){.kind = DJ_PLAY_REPEAT,
                                                .number = 3,
                                                .attempt = 2,
                                                .message = "the app crashed"},
                         true));
    cr_assert_str_eq(dj_text_get(&text),
                     "phone-1 B run 3 (attempt 2): will be repeated: the app crashed");
    plan.build_count = 1;
    cr_assert(write_line((struct dj_play_event){.device = 1,
                                                .kind = DJ_PLAY_SAYS,
                                                .message = "no sections"},
                         true));
    cr_assert_str_eq(dj_text_get(&text), "local: no sections");
}

Test(run_progress, a_display_shows_usable_runs_instead_of_lines)
{
    struct dj_play_event event = {
        .kind = DJ_PLAY_RUN_END, .number = 1, .warmup = true, .outcome = DJ_RUN_OK};
    cr_assert_not(write_line(event, true));
    cr_assert(write_line(event, false));
    cr_assert_str_eq(dj_text_get(&text),
                     "phone-1 warm-up 1: ok, 600 frames, p95 12.0 ms");
    event.message = "load: other programs used the processor";
    cr_assert(write_line(event, true));
    event.message = NULL;
    event.outcome = DJ_RUN_APP_CRASHED;
    cr_assert(write_line(event, true));
    cr_assert_str_eq(dj_text_get(&text), "phone-1 warm-up 1: app crashed");
}

Test(run_progress, progress_has_no_line)
{
    cr_assert_not(write_line((struct dj_play_event){.kind = DJ_PLAY_PROGRESS}, false));
}
