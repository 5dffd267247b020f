#include <criterion/criterion.h>

#include "report/run_sums.h"

static const char *devices[] = {"local:"};
static const struct dj_batch_plan plan = {.devices = devices, .device_count = 1};
static const struct dj_flow_plan flow = {.name = "idle"};
static const struct dj_build_plan build;
static struct dj_run_sums sums;
static struct dj_text text;

static void setup(void)
{
    sums = (struct dj_run_sums){.plan = &plan};
    text = (struct dj_text){0};
}

static void teardown(void)
{
    dj_report_run_sums_finish(&sums);
    dj_text_finish(&text);
}

TestSuite(run_sums, .init = setup, .fini = teardown);

static void tell_of(enum dj_play_kind kind, const char *batch, double p50_ms,
                    const char *message)
{
    struct dj_metrics metrics;
    dj_metrics_clear(&metrics);
    metrics.value[DJ_METRIC_FRAME_TIME_P50] = p50_ms * 1e6;
    dj_report_run_sums_add(&sums, &(struct dj_play_event){.kind = kind,
                                                          .flow = &flow,
                                                          .build = &build,
                                                          .batch = batch,
                                                          .message = message,
                                                          .metrics = &metrics});
}

static void tell(enum dj_play_kind kind, const char *batch, double p50_ms)
{
    tell_of(kind, batch, p50_ms, NULL);
}

static const char *printed(void)
{
    dj_text_clear(&text);
    dj_report_run_sums_text(&text, &sums);
    return dj_text_get(&text);
}

Test(run_sums, a_run_that_is_repeated_does_not_count)
{
    tell(DJ_PLAY_BATCH, "b1", 0);
    tell(DJ_PLAY_RUN_END, "b1", 4);
    tell(DJ_PLAY_RUN_END, "b1", 90);
    cr_assert_str_eq(printed(), "b1  idle  local:  2 clean runs; median p50 47.00 ms\n");
    tell(DJ_PLAY_REPEAT, "b1", 0);
    cr_assert_str_eq(printed(), "b1  idle  local:  1 clean run; median p50 4.00 ms\n");
    tell(DJ_PLAY_RUN_END, "b1", 6);
    cr_assert_str_eq(printed(), "b1  idle  local:  2 clean runs; median p50 5.00 ms\n");
}

Test(run_sums, a_batch_that_is_repeated_is_left_out)
{
    tell(DJ_PLAY_BATCH, "b1", 0);
    tell(DJ_PLAY_RUN_END, "b1", 4);
    tell(DJ_PLAY_REPEAT, NULL, 0);
    tell(DJ_PLAY_BATCH, "b2", 0);
    tell(DJ_PLAY_RUN_END, "b2", 6);
    cr_assert_str_eq(printed(), "b1  idle  local:  left out: half of it was anomalous\n"
                                "b2  idle  local:  1 clean run; median p50 6.00 ms\n");
}

Test(run_sums, a_disturbed_run_counts_and_is_not_called_clean)
{
    tell(DJ_PLAY_BATCH, "b1", 0);
    tell_of(DJ_PLAY_RUN_END, "b1", 90, "load: 95 %");
    tell_of(DJ_PLAY_REPEAT, "b1", 0, "load: 95 %");
    tell(DJ_PLAY_RUN_END, "b1", 4);
    cr_assert_str_eq(printed(), "b1  idle  local:  1 clean run; median p50 4.00 ms\n");
    tell_of(DJ_PLAY_RUN_END, "b1", 6, "load: 95 %");
    cr_assert_str_eq(
        printed(),
        "b1  idle  local:  2 counted runs (1 disturbed); median p50 5.00 ms\n");
}
