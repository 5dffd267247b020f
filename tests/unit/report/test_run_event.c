#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/run_event.h"

static struct dj_text text;

static void setup(void)
{
    text = (struct dj_text){0};
}

static void teardown(void)
{
    dj_text_finish(&text);
}

TestSuite(run_event, .init = setup, .fini = teardown);

Test(run_event, time_left)
{
    const struct {
        int64_t s;
        const char *words;
    } cases[] = {{0, "0 s"},
                 {59, "59 s"},
                 {60, "1 m 00 s"},
                 {125, "2 m 05 s"},
                 {3780, "1 h 03 m"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dj_text_clear(&text);
        dj_report_time_left(&text, cases[i].s * DJ_SECOND_NS);
        cr_assert_str_eq(dj_text_get(&text), cases[i].words);
    }
}

Test(run_event, outcomes_are_words)
{
    dj_report_run_outcome(&text, DJ_RUN_APP_CRASHED);
    cr_assert_str_eq(dj_text_get(&text), "app crashed");
}

Test(run_event, figures_that_are_unknown_are_left_out)
{
    struct dj_metrics metrics;
    dj_metrics_clear(&metrics);
    dj_report_run_figures(&text, &metrics);
    cr_assert_str_eq(dj_text_get(&text), "");
    metrics.value[DJ_METRIC_FRAMES] = 600;
    metrics.value[DJ_METRIC_FRAME_TIME_P95] = 12.34e6;
    metrics.value[DJ_METRIC_JANKY_PCT] = 2.05;
    dj_report_run_figures(&text, &metrics);
    cr_assert_str_eq(dj_text_get(&text), "600 frames, p95 12.3 ms, 2.0 % janky");
    dj_text_clear(&text);
    dj_report_run_figures_short(&text, &metrics);
    cr_assert_str_eq(dj_text_get(&text), "p95 12.3 ms, 2.0 % janky");
}

Test(run_event, a_line_fits_and_a_name_cannot_steer)
{
    struct dj_run_cell cell = {.device = "\033[2Jevil",
                               .what = "A run 3",
                               .elapsed_ns = 5 * DJ_SECOND_NS,
                               .duration_ns = 10 * DJ_SECOND_NS,
                               .done = 3,
                               .planned = 10,
                               .left_ns = 65 * DJ_SECOND_NS,
                               .last = "600 frames"};
    for (int width = 10; width < 120; width++) {
        dj_text_clear(&text);
        dj_report_run_cell(&text, &cell, width, 12);
        cr_assert_leq(text.length, (size_t)width);
        cr_assert_null(strchr(dj_text_get(&text), '\033'));
    }
    cr_assert_not_null(strstr(dj_text_get(&text), "[####    ]"), "%s",
                       dj_text_get(&text));
    cr_assert_not_null(
        strstr(dj_text_get(&text), "3 of 10 runs, 1 m 05 s left; 600 frames"));
}

Test(run_event, an_event_as_json)
{
    const char *const devices[] = {"ser\"ial"};
    const struct dj_batch_plan plan = {.devices = devices, .device_count = 1};
    const struct dj_flow_plan flow = {.name = "idle"};
    const struct dj_build_plan build = {.label = "A"};
    const struct dj_play_event event = {.kind = DJ_PLAY_RUN_END,
                                        .flow = &flow,
                                        .build = &build,
                                        .batch = "b",
                                        .number = 2,
                                        .attempt = 1,
                                        .runs_planned = 3,
                                        .runs_done = 2,
                                        .outcome = DJ_RUN_APP_CRASHED,
                                        .message = "boom"};
    dj_report_run_event_json(&text, &plan, &event);
    cr_assert_str_eq(
        dj_text_get(&text),
        "{\"schema\":\"dejank.run-events/1\",\"event\":\"run-end\",\"device\":"
        "\"ser\\\"ial\",\"done\":2,\"planned\":3,\"flow\":\"idle\",\"build\":\"A\","
        "\"batch\":\"b\",\"run\":2,\"attempt\":1,\"warmup\":false,\"outcome\":"
        "\"app-crashed\",\"disturbed\":false,\"message\":\"boom\"}");
}

Test(run_event, a_usable_run_that_was_disturbed_names_the_cause)
{
    const char *devices[] = {"local:"};
    const struct dj_batch_plan plan = {.devices = devices, .device_count = 1};
    struct dj_play_event event = {.kind = DJ_PLAY_RUN_END,
                                  .number = 1,
                                  .outcome = DJ_RUN_OK,
                                  .message = "load: other programs kept the CPUs busy"};
    dj_report_run_event_json(&text, &plan, &event);
    cr_expect_not_null(strstr(dj_text_get(&text),
                              "\"outcome\":\"ok\",\"disturbed\":true,"
                              "\"disturbed_by\":\"load\",\"message\":\"load: other"),
                       "%s", dj_text_get(&text));
    event.message = NULL;
    dj_text_clear(&text);
    dj_report_run_event_json(&text, &plan, &event);
    cr_expect_not_null(strstr(dj_text_get(&text), "\"disturbed\":false}"), "%s",
                       dj_text_get(&text));
}

Test(run_event, figures_of_an_event_are_as_exact_as_those_of_the_store)
{
    const char *devices[] = {"local:"};
    const struct dj_batch_plan plan = {.devices = devices, .device_count = 1};
    struct dj_recovery recovery = {.recovered = 54, .expected = 54};
    struct dj_metrics metrics;
    dj_metrics_clear(&metrics);
    metrics.value[DJ_METRIC_FRAMES] = 54;
    metrics.value[DJ_METRIC_JANKY_PCT] = 100.0 * 5 / 54;
    const struct dj_play_event event = {.kind = DJ_PLAY_RUN_END,
                                        .outcome = DJ_RUN_OK,
                                        .metrics = &metrics,
                                        .recovery = &recovery};
    dj_report_run_event_json(&text, &plan, &event);
    const char *share = strstr(dj_text_get(&text), "\"janky_pct\":");
    cr_assert_not_null(share, "%s", dj_text_get(&text));
    cr_expect_eq(strtod(share + strlen("\"janky_pct\":"), NULL), 100.0 * 5 / 54);
    cr_expect_not_null(strstr(dj_text_get(&text), "\"frames\":54,"));
}
