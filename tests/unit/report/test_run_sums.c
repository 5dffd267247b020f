#include <criterion/criterion.h>
#include <string.h>

#include "report/run_sums.h"

static const char *devices[] = {"local:", "local:"};
static struct dj_batch_plan plan;
static const struct dj_flow_plan flow = {.name = "idle"};
static const struct dj_build_plan *build;
static enum dj_run_outcome outcome;
static struct dj_play_result result;
static const char *store;
static struct dj_run_sums sums;
static struct dj_text text;

static void setup(void)
{
    plan = (struct dj_batch_plan){.devices = devices,
                                  .device_count = 1,
                                  .flow_count = 1,
                                  .builds[1] = {.label = "B"},
                                  .build_count = 1};
    build = &plan.builds[0];
    sums = (struct dj_run_sums){.plan = &plan};
    text = (struct dj_text){0};
}

static void teardown(void)
{
    dj_report_run_sums_finish(&sums);
    dj_text_finish(&text);
}

TestSuite(run_sums, .init = setup, .fini = teardown);

static void send_message(enum dj_play_kind kind, const char *batch, double p50_ms,
                         const char *message)
{
    struct dj_metrics metrics;
    dj_metrics_clear(&metrics);
    metrics.value[DJ_METRIC_FRAME_TIME_P50] = p50_ms * 1e6;
    dj_report_run_sums_add(&sums, &(struct dj_play_event){.kind = kind,
                                                          .flow = &flow,
                                                          .build = build,
                                                          .batch = batch,
                                                          .outcome = outcome,
                                                          .message = message,
                                                          .metrics = &metrics});
}

static void send(enum dj_play_kind kind, const char *batch, double p50_ms)
{
    send_message(kind, batch, p50_ms, NULL);
}

/* What the terminal shows, with columns separated by one blank. */
static const char *printed(int width)
{
    const struct dj_terminal_style style = {.width = width};
    struct dj_document document = {0};
    dj_text_clear(&text);
    dj_report_build_run_sums(&document, &sums, &result, store);
    dj_document_write_terminal(&text, &document, &style, false);
    dj_document_finish(&document);
    return dj_text_get(&text);
}

static void expect(const char *part)
{
    const char *all = printed(80);
    cr_expect_not_null(strstr(all, part), "expected \"%s\" in:\n%s", part, all);
}

static void expect_no(const char *part)
{
    const char *all = printed(80);
    cr_expect_null(strstr(all, part), "unexpected \"%s\" in:\n%s", part, all);
}

Test(run_sums, one_batch_needs_few_lines)
{
    send(DJ_PLAY_BATCH, "b1", 0);
    send(DJ_PLAY_RUN_END, "b1", 4);
    send(DJ_PLAY_RUN_END, "b1", 6);
    result = (struct dj_play_result){.planned = 2, .clean = 2};
    cr_expect_str_eq(printed(80),
                     "2 of 2 runs are usable\n"
                     "\n"
                     "batch  runs  p50, ms  p95, ms  janky, %\n"
                     "b1        2     5.00        -         -\n"
                     "\n"
                     "p50 and p95 of the frame times and janky are medians over "
                     "usable runs.\n"
                     "\n"
                     "next:\n"
                     "  dejank report b1  frame times and each run\n");
}

Test(run_sums, verdict_counts_disturbed_and_failed_runs)
{
    send(DJ_PLAY_BATCH, "b1", 0);
    result =
        (struct dj_play_result){.planned = 9, .clean = 7, .disturbed = 2, .failed = 1};
    expect("7 of 9 runs are usable, 2 of them disturbed; 1 attempt failed\n");
    result.failed = 2;
    result.interrupted = true;
    expect("; 2 attempts failed; interrupted\n");
}

Test(run_sums, a_run_that_is_repeated_does_not_count)
{
    send(DJ_PLAY_BATCH, "b1", 0);
    send(DJ_PLAY_RUN_END, "b1", 4);
    send(DJ_PLAY_RUN_END, "b1", 90);
    expect("2    47.00 ");
    send(DJ_PLAY_REPEAT, "b1", 0);
    expect("1     4.00 ");
    send(DJ_PLAY_RUN_END, "b1", 6);
    expect("2     5.00 ");
}

Test(run_sums, a_batch_that_is_repeated_is_excluded)
{
    send(DJ_PLAY_BATCH, "b1", 0);
    send_message(DJ_PLAY_RUN_END, "b1", 4, "load: 95 %");
    send(DJ_PLAY_REPEAT, NULL, 0);
    send(DJ_PLAY_BATCH, "b2", 0);
    send(DJ_PLAY_RUN_END, "b2", 6);
    result.clean = 1;
    expect("b1     excluded");
    expect("b2            1     6.00 ");
    expect("1 batch was excluded and repeated: half of the runs were anomalous\n");
    expect("dejank report b2  ");
    expect_no("disturbed");
}

Test(run_sums, a_disturbed_run_is_repeated_with_its_cause)
{
    send(DJ_PLAY_BATCH, "b1", 0);
    send_message(DJ_PLAY_RUN_END, "b1", 90, "load: 95 %");
    expect("1 usable run was disturbed: load (95 %). hint: measure again on an idle");
    expect("or accept this load with --max-load 100\n");
    send_message(DJ_PLAY_REPEAT, "b1", 0, "load: 95 %");
    expect("1 run was disturbed and repeated: load (95 %)\n");
    expect_no("usable run was");
    send_message(DJ_PLAY_RUN_END, "b1", 6, "load: 96 %");
    send_message(DJ_PLAY_RUN_END, "b1", 6, "load: 97 %");
    expect("2 usable runs were disturbed: load (last: 97 %). hint: ");
    expect("2     6.00 ");
}

Test(run_sums, failed_attempts_are_grouped_by_their_outcome)
{
    send(DJ_PLAY_BATCH, "b1", 0);
    outcome = DJ_RUN_APP_CRASHED;
    send_message(DJ_PLAY_RUN_END, "b1", 0, "signal 11");
    send_message(DJ_PLAY_RUN_END, "b1", 0, "signal 6");
    outcome = DJ_RUN_NO_FRAMES;
    send(DJ_PLAY_RUN_END, "b1", 0);
    result = (struct dj_play_result){.planned = 2, .failed = 3};
    expect_no("medians");
    expect("2 attempts failed: app crashed (last: signal 6)\n");
    expect("1 attempt failed: no frames\n");
    expect("dejank show b1  shows why each run failed\n");
}

Test(run_sums, two_builds_are_compared_in_the_named_store)
{
    store = "/tmp/my runs.db";
    send(DJ_PLAY_BATCH, "b1", 0);
    send(DJ_PLAY_RUN_END, "b1", 4);
    build = &plan.builds[1];
    send(DJ_PLAY_BATCH, "b2", 0);
    send(DJ_PLAY_RUN_END, "b2", 4);
    plan.build_count = 2;
    result.clean = 2;
    expect("batch  build  runs");
    expect("  dejank compare --store '/tmp/my runs.db' b1 b2");
    expect("  dejank report --store '/tmp/my runs.db' b1 b2");
    expect_no("trace triage");
    plan.trace.what = DJ_TRACE_JANKY;
    expect("  dejank trace triage --store '/tmp/my runs.db' b1 b2  explain the janky");
}

Test(run_sums, many_batches_have_flows_devices_and_a_list)
{
    plan.flow_count = plan.device_count = 2;
    for (int i = 0; i < 3; i++) {
        const char name[] = {'b', (char)('1' + i), '\0'};
        send(DJ_PLAY_BATCH, name, 0);
    }
    expect("batch  flow  device  runs");
    expect("b3     idle  local:     0");
    expect("  dejank list  ");
}

Test(run_sums, summary_fits_on_a_narrow_terminal)
{
    send(DJ_PLAY_BATCH, "b1", 0);
    send_message(DJ_PLAY_RUN_END, "b1", 4, "load: 95 %");
    const char *line = printed(40);
    for (size_t length; *line != '\0'; line += length + 1) {
        length = strcspn(line, "\n");
        cr_expect_leq(length, 40, "%.*s", (int)length, line);
    }
}
