#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/run/outcome.h"
#include "measure/run/run.h"

static struct dj_run_facts facts;
static struct dj_collection collection;
static struct dj_drive_log drive_log;
static struct dj_app_end end;
static struct dj_conditions before, after;

/* Sets the facts of a run without any problem. */
static void setup(void)
{
    collection = (struct dj_collection){
        .outcome = DJ_COLLECT_DONE,
        .alive_ns = 1000,
        .recovery = {.recovered = 600, .expected = 600},
    };
    drive_log = (struct dj_drive_log){.outcome = DJ_RUN_OK};
    end = (struct dj_app_end){.state = DJ_APP_RUNS};
    before = (struct dj_conditions){.busy_pct = 10, .cpu_cap_hz = 2e9};
    dj_facts_init(&before.facts);
    before.facts.screen_on = DJ_KNOWN_YES;
    before.facts.locked = DJ_KNOWN_NO;
    before.facts.battery_c = 30;
    before.facts.thermal_status = 0;
    before.facts.charging = DJ_KNOWN_YES;
    after = before;
    facts = (struct dj_run_facts){.collection = &collection,
                                  .log = &drive_log,
                                  .end = &end,
                                  .before = &before,
                                  .after = &after,
                                  .layer = "",
                                  .limits = dj_conditions_default_limits()};
}

TestSuite(outcome, .init = setup);
TestSuite(conditions, .init = setup);

static void expect(enum dj_run_outcome outcome, const char *words)
{
    struct dj_run_verdict verdict = dj_outcome_decide(&facts);
    cr_assert_eq(verdict.outcome, outcome, "%s (%s), not %s",
                 dj_facts_outcome_name(verdict.outcome), verdict.reason,
                 dj_facts_outcome_name(outcome));
    cr_assert_not_null(strstr(verdict.reason, words), "'%s' in '%s'", words,
                       verdict.reason);
}

Test(outcome, a_run_without_problems_is_ok)
{
    expect(DJ_RUN_OK, "");
    cr_assert_str_eq(dj_outcome_decide(&facts).reason, "");
}

Test(outcome, an_interruption_comes_before_everything)
{
    facts.interrupted = true;
    collection.outcome = DJ_COLLECT_GONE;
    collection.error.code = DJ_E_GONE;
    expect(DJ_RUN_INTERRUPTED, "interrupted");
}

Test(outcome, any_sign_of_a_missing_device_decides)
{
    struct dj_error *errors[] = {&facts.start, &facts.collect, &facts.drive,
                                 &collection.error};
    for (size_t i = 0; i < 4; i++) {
        *errors[i] = (struct dj_error){.code = DJ_E_GONE, .message = "device not found"};
        expect(DJ_RUN_DEVICE_GONE, "device not found");
        *errors[i] = (struct dj_error){0};
    }
    facts.device_gone = true;
    expect(DJ_RUN_DEVICE_GONE, "does not answer any more");
}

Test(outcome, a_crash_is_reported_with_its_reason)
{
    collection.outcome = DJ_COLLECT_ENDED;
    end = (struct dj_app_end){DJ_APP_CRASHED, "java.lang.RuntimeException: boom", {0}};
    drive_log.outcome = DJ_RUN_INSTRUMENTATION_FAILED;
    expect(DJ_RUN_APP_CRASHED, "boom");
}

Test(outcome, an_app_that_ended_is_gone)
{
    collection.outcome = DJ_COLLECT_ENDED;
    snprintf(end.cause, sizeof(end.cause), "it ended with exit code 3");
    expect(DJ_RUN_APP_GONE, "exit code 3");
    collection.restarts = 1;
    expect(DJ_RUN_APP_GONE, "another one started");
    collection.outcome = DJ_COLLECT_NOT_RUNNING;
    expect(DJ_RUN_APP_GONE, "does not run");
}

Test(outcome, an_app_that_did_not_start_is_gone)
{
    facts.collection = NULL;
    facts.start = (struct dj_error){.code = DJ_E_NO_DATA, .message = "app did not start"};
    expect(DJ_RUN_APP_GONE, "did not start");
    facts.preparing = true;
    expect(DJ_RUN_DRIVE_FAILED, "did not start");
}

Test(outcome, an_app_that_hangs_is_gone)
{
    collection.outcome = DJ_COLLECT_GONE;
    collection.error = (struct dj_error){.code = DJ_E_NO_DATA, .message = "no answer"};
    expect(DJ_RUN_APP_GONE, "no answer");
}

Test(outcome, an_app_that_hangs_before_the_first_reading_is_gone)
{
    facts.collect = (struct dj_error){.code = DJ_E_NO_DATA, .message = "no answer"};
    expect(DJ_RUN_APP_GONE, "does not answer: no answer");
    facts.collect = (struct dj_error){.code = DJ_E_NO_MEMORY, .message = "out of memory"};
    expect(DJ_RUN_NO_FRAMES, "out of memory");
}

/* The app's process ends with its tests. Frames drawn until the last reading are
 * known. */
Test(outcome, an_app_may_end_with_its_tests_if_nothing_is_lost)
{
    struct dj_driver_window window = {.name = "T#a", .span = {100, 900}};
    drive_log.windows = &window;
    drive_log.window_count = 1;
    collection.outcome = DJ_COLLECT_ENDED;
    expect(DJ_RUN_APP_GONE, "ended during the measurement");
    facts.app_may_end = true;
    expect(DJ_RUN_OK, "");
    window.span.end_ns = 1001;
    expect(DJ_RUN_APP_GONE, "ended during the measurement");
}

Test(outcome, errors_of_the_driver_decide)
{
    drive_log.outcome = DJ_RUN_INSTRUMENTATION_FAILED;
    snprintf(drive_log.reason, sizeof(drive_log.reason), "T#a failed");
    expect(DJ_RUN_INSTRUMENTATION_FAILED, "T#a failed");
    drive_log.outcome = DJ_RUN_DRIVE_FAILED;
    expect(DJ_RUN_DRIVE_FAILED, "T#a failed");
    drive_log.outcome = DJ_RUN_OK;
    facts.drive = (struct dj_error){.code = DJ_E_TIMEOUT, .message = "no view"};
    expect(DJ_RUN_DRIVE_FAILED, "no view");
}

Test(outcome, a_dark_or_locked_screen_decides)
{
    after.facts.screen_on = DJ_KNOWN_NO;
    collection.outcome = DJ_COLLECT_NO_FRAMES;
    expect(DJ_RUN_SCREEN_OFF, "off after");
    after.facts.screen_on = DJ_KNOWN_UNKNOWN;
    before.facts.locked = DJ_KNOWN_YES;
    expect(DJ_RUN_SCREEN_OFF, "locked before");
}

Test(outcome, an_overheated_device_decides)
{
    after.facts.thermal_status = 3;
    expect(DJ_RUN_OVERHEATED, "thermal status 3");
    after.facts.thermal_status = 1;
    before.facts.battery_c = 46.5;
    expect(DJ_RUN_OVERHEATED, "46.5");
}

Test(outcome, a_layer_outside_gfxinfo_explains_missing_frames)
{
    collection.outcome = DJ_COLLECT_NO_FRAMES;
    collection.recovery = (struct dj_recovery){0};
    expect(DJ_RUN_NO_FRAMES, "the app drew no frame");
    facts.layer = "SurfaceView[app/.Main]#3";
    expect(DJ_RUN_NOT_IN_GFXINFO, "SurfaceView[app/.Main]#3");
    cr_assert(dj_outcome_is_final(DJ_RUN_NOT_IN_GFXINFO));
}

Test(outcome, many_lost_rows_decide)
{
    collection.recovery.recovered = 541;
    expect(DJ_RUN_OK, "");
    collection.recovery.recovered = 539;
    expect(DJ_RUN_ROWS_LOST, "61 of 600");
    collection.recovery = (struct dj_recovery){.recovered = 3, .expected = 6};
    expect(DJ_RUN_OK, "");
    collection.recovery = (struct dj_recovery){.recovered = 2, .expected = 6};
    expect(DJ_RUN_ROWS_LOST, "4 of 6");
    facts.aggregate_only = true;
    expect(DJ_RUN_OK, "");
    collection.foreign_resets = 2;
    expect(DJ_RUN_ROWS_LOST, "reset the counters 2 times");
}

Test(outcome, unknown_conditions_decide_nothing)
{
    dj_facts_init(&before.facts);
    dj_facts_init(&after.facts);
    expect(DJ_RUN_OK, "");
    facts.before = facts.after = NULL;
    expect(DJ_RUN_OK, "");
}

static void expect_anomaly(const char *words)
{
    const struct dj_condition_limits limits = dj_conditions_default_limits();
    struct dj_conditions first = before;
    char cause[DJ_REASON] = "";
    first.busy_pct = 10;
    first.facts.charging = DJ_KNOWN_YES;
    bool anomalous = dj_conditions_is_anomalous(&first, &before, &after, &limits, cause);
    cr_assert_eq(anomalous, words != NULL, "%s", cause);
    cr_assert(words == NULL || strstr(cause, words) != NULL, "%s", cause);
}

Test(conditions, conditions_beyond_limits_make_a_run_anomalous)
{
    expect_anomaly(NULL);
    before.busy_pct = 81;
    expect_anomaly("load");
    before.busy_pct = 10;
    after.facts.battery_c = 36.5;
    expect_anomaly("temperature");
    after.facts.battery_c = NAN;
    after.cpu_cap_hz = 1.7e9;
    expect_anomaly("frequency");
    after.cpu_cap_hz = NAN;
    after.facts.charging = DJ_KNOWN_NO;
    expect_anomaly("unplugged");
    after.facts.charging = DJ_KNOWN_UNKNOWN;
    expect_anomaly(NULL);
    after.saves_power = true;
    expect_anomaly("battery saver");
}

Test(conditions, probe_output_is_parsed)
{
    struct dj_conditions parsed;
    dj_conditions_parse("cpu  100 0 100 700 100 0 0 0 0 0\n"
                        "cpu  130 0 110 750 110 0 0 0 0 0\n"
                        "1800000\n2200000\n",
                        &parsed);
    cr_assert_float_eq(parsed.busy_pct, 40, 1e-9);
    cr_assert_float_eq(parsed.cpu_cap_hz, 2e9, 1);
    dj_conditions_parse("cpu  1 2\ncat: no such file\n", &parsed);
    cr_assert(isnan(parsed.busy_pct));
    cr_assert(isnan(parsed.cpu_cap_hz));
    dj_conditions_parse("", &parsed);
    cr_assert(isnan(parsed.busy_pct));
}

Test(conditions, unknown_conditions_are_not_listed)
{
    struct dj_condition list[DJ_CONDITIONS];
    dj_facts_init(&before.facts);
    before.busy_pct = before.cpu_cap_hz = NAN;
    cr_assert_eq(dj_conditions_list(&before, list), 0);
    before.facts.battery_pct = 87;
    cr_assert_eq(dj_conditions_list(&before, list), 1);
    cr_assert_str_eq(list[0].name, "battery");
    cr_assert_float_eq(list[0].value, 87, 0);
}

static const char crashes[] =
    "03-05 10:11:12.345  4100  4100 E AndroidRuntime: FATAL EXCEPTION: main\n"
    "03-05 10:11:12.345  4100  4100 E AndroidRuntime: Process: com.example, PID: 4100\n"
    "03-05 10:11:12.345  4100  4100 E AndroidRuntime: java.lang.Old: long ago\n"
    "03-05 10:12:12.345  4242  4242 E AndroidRuntime: Process: com.example.other, PID: "
    "4242\n"
    "03-05 10:13:12.345  4300  4300 F DEBUG   : pid: 4301, tid: 4310, name: RenderThread "
    " >>> com.example <<<\n"
    "03-05 10:13:12.345  4300  4300 F DEBUG   : signal 11 (SIGSEGV), code 1\n";

Test(outcome, the_newest_crash_in_a_log_is_found)
{
    char cause[DJ_REASON];
    cr_assert_eq(dj_crash_find(crashes, "com.example", cause, sizeof(cause)), 4301);
    cr_assert_str_eq(cause, "signal 11 (SIGSEGV), code 1");
    cr_assert_eq(dj_crash_find(crashes, "com.example.other", cause, sizeof(cause)), 4242);
    cr_assert_eq(dj_crash_find(crashes, "com.exam", cause, sizeof(cause)), 0);
    cr_assert_eq(dj_crash_find("", "com.example", cause, sizeof(cause)), 0);
}

Test(outcome, layers_outside_gfxinfo_are_found)
{
    static const char list[] =
        "Display 0 name=\"Built-in\"#2\n"
        "com.example/com.example.Main#120\n"
        "Background for SurfaceView[com.example/com.example.Main]#1\n"
        "SurfaceView[com.example/com.example.Main](BLAST)#123\n";
    char layer[100];
    cr_assert(dj_layers_find(list, "com.example", layer, sizeof(layer)));
    cr_assert_str_eq(layer, "SurfaceView[com.example/com.example.Main](BLAST)#123");
    cr_assert(!dj_layers_find(list, "com.exam", layer, sizeof(layer)));
    cr_assert(!dj_layers_find(list, "example", layer, sizeof(layer)));
    cr_assert(!dj_layers_find("com.example/com.example.Main#1\n", "com.example", layer,
                              sizeof(layer)));
}

static void add_layer(struct dj_dump_process *process, const char *title,
                      const int64_t *present_ms, size_t count)
{
    struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
    window->title = strdup(title);
    window->frames = calloc(count, sizeof(*window->frames));
    window->frame_count = count;
    for (size_t i = 0; i < count; i++) {
        dj_frame_set(&window->frames[i], DJ_COLUMN_DISPLAY_PRESENT_TIME,
                     present_ms[i] * DJ_MILLISECOND_NS);
    }
}

Test(outcome, a_fast_layer_is_found_although_its_rows_are_after_the_window)
{
    enum { ROWS = 127 };
    int64_t times[ROWS];
    struct dj_span window = {1000 * DJ_MILLISECOND_NS, 2000 * DJ_MILLISECOND_NS};
    struct dj_dump presents = {0};
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&presents);
    char layer[100];
    for (int i = 0; i < ROWS; i++) {
        times[i] = 2001 + 8 * i;
    }
    add_layer(process, "late", times, 50);
    cr_assert(!dj_layers_find_shown(&presents, &window, layer, sizeof(layer)));
    add_layer(process, "fast", times, ROWS);
    cr_assert(dj_layers_find_shown(&presents, &window, layer, sizeof(layer)));
    cr_assert_str_eq(layer, "fast");
    dj_gfxinfo_dump_finish(&presents);
}

Test(outcome, the_layer_with_most_presents_in_the_window_is_found)
{
    /* Before the window, too close to its start, in it, and after it. */
    static const int64_t mostly_outside[] = {900, 950, 1050, 1500, 2000, 2100},
                         inside[] = {900, 1200, 1300}, outside[] = {1000, 2000};
    struct dj_span window = {1000 * DJ_MILLISECOND_NS, 2000 * DJ_MILLISECOND_NS};
    struct dj_dump presents = {0};
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&presents);
    char layer[100];
    cr_assert(!dj_layers_find_shown(&presents, &window, layer, sizeof(layer)));
    add_layer(process, "outside", outside, COUNT_OF(outside));
    cr_assert(!dj_layers_find_shown(&presents, &window, layer, sizeof(layer)));
    cr_assert_str_eq(layer, "");
    add_layer(process, "mostly outside", mostly_outside, COUNT_OF(mostly_outside));
    cr_assert(dj_layers_find_shown(&presents, &window, layer, sizeof(layer)));
    cr_assert_str_eq(layer, "mostly outside");
    add_layer(process, "inside", inside, COUNT_OF(inside));
    cr_assert(dj_layers_find_shown(&presents, &window, layer, sizeof(layer)));
    cr_assert_str_eq(layer, "inside");
    dj_gfxinfo_dump_finish(&presents);
}
