#include <criterion/criterion.h>
#include <string.h>

#include "fake_device.h"

static struct fake_device device;
static struct dj_collection result;

static void setup(void)
{
    fake_device_init(&device);
    result = (struct dj_collection){.outcome = DJ_COLLECT_DONE};
}

static void teardown(void)
{
    dj_measure_collection_finish(&result);
}

static int collect(int64_t duration_ns, int64_t every_ns, struct dj_error *err)
{
    struct dj_collect_options options = {.package = "app",
                                         .duration_ns = duration_ns,
                                         .every_ns = every_ns,
                                         .source = "gfxinfo"};
    struct dj_collect_callbacks callbacks;
    fake_world(&device, &callbacks);
    return dj_measure_collect(&device.base, &options, &callbacks, &result, err);
}

static void collect_well(int64_t duration_ns, int64_t every_ns)
{
    struct dj_error err = {0};
    cr_assert_eq(collect(duration_ns, every_ns, &err), 0, "%s", err.message);
}

static void expect_recovered(int64_t recovered, int64_t expected)
{
    cr_assert_eq(result.recovery.recovered, recovered, "recovered %lld",
                 (long long)result.recovery.recovered);
    cr_assert_eq(result.recovery.expected, expected, "expected %lld",
                 (long long)result.recovery.expected);
}

static void expect_outcome(enum dj_collect_outcome outcome)
{
    cr_assert_eq(result.outcome, outcome, "%d, not %d", (int)result.outcome,
                 (int)outcome);
}

static uint32_t total_of(size_t process)
{
    return result.dump.processes[process].stats.stats.counter[DJ_COUNTER_TOTAL];
}

static void expect_rows_in_order_inside_the_window(void)
{
    for (size_t p = 0; p < result.dump.process_count; p++) {
        for (size_t w = 0; w < result.dump.processes[p].window_count; w++) {
            const struct dj_dump_window *window = &result.dump.processes[p].windows[w];
            for (size_t i = 0; i < window->frame_count; i++) {
                int64_t at = window->frames[i].value[DJ_COLUMN_INTENDED_VSYNC];
                cr_assert(at >= result.window.start_ns && at < result.window.end_ns);
                cr_assert(i == 0 ||
                          at > window->frames[i - 1].value[DJ_COLUMN_INTENDED_VSYNC]);
            }
        }
    }
}

static int64_t over_ns;

static bool is_over(void *user)
{
    return ((struct fake_device *)user)->now_ns >= over_ns;
}

static int64_t due_ns[8]; /* Times at which a reading is requested. 0 ends the list. */
static size_t due_count;

static bool is_due(void *user)
{
    size_t before = due_count;
    while (due_ns[due_count] > 0 &&
           ((struct fake_device *)user)->now_ns >= due_ns[due_count]) {
        due_count++;
    }
    return due_count > before;
}

static void collect_as(const struct dj_collect_options *options)
{
    struct dj_collect_callbacks callbacks;
    struct dj_collect_options of_gfxinfo = *options;
    struct dj_error err = {0};
    of_gfxinfo.source = "gfxinfo";
    fake_world(&device, &callbacks);
    callbacks.is_ended = over_ns > 0 ? is_over : NULL;
    callbacks.is_requested = due_ns[0] > 0 ? is_due : NULL;
    cr_assert_eq(dj_measure_collect(&device.base, &of_gfxinfo, &callbacks, &result, &err),
                 0, "%s", err.message);
}

TestSuite(collect, .init = setup, .fini = teardown, .timeout = 60);

Test(collect, ten_seconds_at_60_hz_lose_nothing)
{
    collect_well(10 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.window.end_ns - result.window.start_ns, 10 * SECOND);
    expect_recovered(600, 600);
    cr_assert_eq(result.dump.process_count, 1);
    cr_assert_eq(result.dump.processes[0].windows[0].frame_count, 600);
    cr_assert_eq(result.dump.processes[0].recovered, 600);
    cr_assert_eq(result.dump.processes[0].expected, 600);
    cr_assert_leq(result.readings, 9, "not more often than needed: %zu", result.readings);
    expect_rows_in_order_inside_the_window();
}

Test(collect, a_vendor_column_is_in_every_row)
{
    device.app[0].vendor_column = true;
    collect_well(10 * SECOND, 0);
    const struct dj_dump_window *window = &result.dump.processes[0].windows[0];
    cr_assert_geq(window->frame_count, 590);
    cr_assert_eq(window->vendor_count, 1);
    cr_assert_str_eq(window->vendor[0].name, "Mood");
    cr_assert_eq(window->vendor[0].position, 1);
    for (size_t i = 0; i < window->frame_count; i++) {
        cr_assert(window->vendor_values[i].known);
        cr_assert_eq(window->vendor_values[i].value,
                     2 * window->frames[i].value[DJ_COLUMN_INTENDED_VSYNC]);
    }
}

Test(collect, counters_and_histogram_are_differences)
{
    collect_well(5 * SECOND, 0);
    const struct dj_stats_block *block = &result.dump.processes[0].stats;
    cr_assert(block->present);
    cr_assert_leq(block->stats.counter[DJ_COUNTER_TOTAL], 303);
    cr_assert_geq(block->stats.counter[DJ_COUNTER_TOTAL], 300);
    cr_assert_eq(block->stats.frame_histogram[5], block->stats.counter[DJ_COUNTER_TOTAL]);
    cr_assert_eq(block->stats.since_ns, result.window.start_ns);
    cr_assert_eq(result.dump.processes[0].windows[0].stats.stats.frame_histogram[5],
                 block->stats.frame_histogram[5]);
}

Test(collect, no_frame_is_lost_at_any_rate_the_ring_allows)
{
    static const int64_t intervals_ns[] = {1 * SECOND,  100 * MS, 50 * MS / 3,
                                           25 * MS / 3, 4 * MS,   2 * MS};
    for (size_t i = 0; i < sizeof(intervals_ns) / sizeof(intervals_ns[0]); i++) {
        setup();
        device.app[0].interval_ns = intervals_ns[i];
        device.app[0].frame_ns = intervals_ns[i] / 2;
        collect_well(8 * SECOND, 0);
        cr_assert_eq(result.recovery.recovered, result.recovery.expected,
                     "interval %zu: %lld of %lld", i,
                     (long long)result.recovery.recovered,
                     (long long)result.recovery.expected);
        cr_assert_geq(result.recovery.recovered, 8 * SECOND / intervals_ns[i] - 1);
        dj_measure_collection_finish(&result);
    }
}

Test(collect, an_overrun_ring_is_reported_as_frames_not_recovered)
{
    /* 4000 frames per second, so 120 rows cover 30 ms. */
    device.app[0].interval_ns = MS / 4;
    device.app[0].frame_ns = MS / 8;
    collect_well(2 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_geq(result.recovery.expected, 7990);
    cr_assert_leq(result.recovery.expected, 8010);
    cr_assert_lt(result.recovery.recovered, result.recovery.expected);
    cr_assert_geq(result.recovery.recovered, 120 * (int64_t)(result.readings - 2));
    cr_assert_leq(result.readings, 2 + 2 * SECOND / (50 * MS),
                  "many frames do not cause constant readings");
}

Test(collect, a_large_ring_keeps_a_burst)
{
    device.ring_rows = 4096;
    device.app[0].interval_ns = MS / 2;
    device.app[0].frame_ns = MS / 4;
    collect_well(6 * SECOND, 0);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
    cr_assert_geq(result.recovery.recovered, 11999);
    cr_assert_leq(result.readings, 8, "%zu", result.readings);
}

Test(collect, rows_count_when_they_are_complete)
{
    device.app[0].slow_completion_ns = 60 * MS;
    collect_well(5 * SECOND, 0);
    cr_assert_geq(result.recovery.recovered, 295);
    cr_assert_geq(result.recovery.incomplete, 1);
    for (size_t i = 0; i < result.dump.processes[0].windows[0].frame_count; i++) {
        cr_assert(dj_frame_is_complete(&result.dump.processes[0].windows[0].frames[i]));
    }
}

Test(collect, skipped_rows_are_counted_separately)
{
    device.app[0].skipped_every = 10;
    collect_well(5 * SECOND, 0);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
    cr_assert_geq(result.recovery.skipped, 29);
    cr_assert_leq(result.recovery.skipped, 31);
}

Test(collect, periodic_resets_lose_only_the_reported_frames)
{
    collect_well(6 * SECOND, 3 * SECOND / 2);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.resets, 3);
    cr_assert_eq(device.resets, 3);
    cr_assert_eq(result.blind_ns, 30 * MS);
    cr_assert_eq(result.foreign_resets, 0);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
    cr_assert_geq(result.recovery.recovered, 355);
    cr_assert_leq(result.recovery.recovered, 360);
}

Test(collect, periodic_resets_count_frames_lost_by_the_ring)
{
    /* 200 frames per second, so 300 per period. The ring has only 120 rows. */
    device.app[0].interval_ns = 5 * MS;
    device.app[0].frame_ns = 2 * MS;
    collect_well(6 * SECOND, 3 * SECOND / 2);
    cr_assert_geq(result.recovery.expected, 1190);
    cr_assert_leq(result.recovery.recovered, 4 * 120);
    cr_assert_geq(result.recovery.recovered, 4 * 120 - 4);
}

Test(collect, counts_are_right_if_the_device_ignores_resets)
{
    device.ignores_reset = true;
    collect_well(6 * SECOND, SECOND);
    cr_assert_leq(total_of(0), 362);
    cr_assert_geq(total_of(0), 359);
}

Test(collect, a_reset_that_keeps_all_counters_loses_nothing)
{
    device.reset_keeps_rows = true;
    collect_well(6 * SECOND, SECOND);
    cr_assert_eq(result.blind_ns, 0);
    expect_recovered(360, 360);
}

Test(collect, a_foreign_reset_is_noticed)
{
    device.app[0].reset_ns = device.now_ns + 3 * SECOND;
    collect_well(6 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.foreign_resets, 1);
    cr_assert_lt(total_of(0), 360);
    cr_assert_gt(total_of(0), 250);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
}

Test(collect, a_missing_app_is_not_running)
{
    device.app_count = 0;
    collect_well(10 * SECOND, SECOND);
    expect_outcome(DJ_COLLECT_NOT_RUNNING);
    cr_assert_eq(device.readings, 1, "it does not wait for the window's end");
    cr_assert_eq(device.resets, 0);
    cr_assert_str_empty(result.hint);
}

Test(collect, an_app_that_ended_before_is_not_running)
{
    device.app[0].dies_ns = device.now_ns - SECOND;
    device.app[0].leaves_a_segment = true;
    collect_well(10 * SECOND, SECOND);
    expect_outcome(DJ_COLLECT_NOT_RUNNING);
    cr_assert(strstr(result.hint, "42") != NULL, "%s", result.hint);
    cr_assert_eq(device.resets, 0,
                 "a reset would discard the frames of the dead process");
}

Test(collect, a_dead_process_is_ignored_next_to_a_running_one)
{
    device.app_count = 2;
    device.app[1] = device.app[0];
    device.app[1].pid = 41;
    device.app[1].dies_ns = device.now_ns - SECOND;
    device.app[1].leaves_a_segment = true;
    collect_well(3 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.dump.process_count, 1);
    cr_assert_eq(result.dump.processes[0].pid, 42);
}

Test(collect, earlier_programs_of_a_process_are_ignored)
{
    device.app_count = 2;
    device.app[1] = device.app[0];
    device.app[1].interval_ns = 5 * MS;
    device.app[1].dies_ns = device.now_ns - SECOND;
    device.app[1].leaves_a_segment = true;
    collect_well(3 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.dump.process_count, 1);
    cr_assert_not(result.dump.processes[0].ended);
    cr_assert_eq(result.foreign_resets, 0);
    expect_recovered(180, 180);
}

Test(collect, rendering_nothing_is_a_separate_outcome)
{
    device.app[0].interval_ns = 0;
    collect_well(3 * SECOND, 0);
    expect_outcome(DJ_COLLECT_NO_FRAMES);
    cr_assert_eq(result.recovery.expected, 0);
    cr_assert_eq(total_of(0), 0);
}

Test(collect, frames_before_the_window_do_not_count)
{
    device.app[0].until_ns = device.now_ns - SECOND;
    collect_well(3 * SECOND, 0);
    expect_outcome(DJ_COLLECT_NO_FRAMES);
    cr_assert_eq(result.dump.processes[0].windows[0].frame_count, 0);
}

Test(collect, an_app_without_a_renderer_has_no_frames)
{
    device.app[0].interval_ns = 0;
    device.app[0].no_stats = true;
    collect_well(2 * SECOND, 0);
    expect_outcome(DJ_COLLECT_NO_FRAMES);
    cr_assert_not(result.dump.processes[0].stats.present);
}

Test(collect, an_app_that_dies_without_a_segment_keeps_earlier_rows)
{
    device.app[0].dies_ns = device.now_ns + 5 * SECOND;
    collect_well(10 * SECOND, 0);
    expect_outcome(DJ_COLLECT_ENDED);
    cr_assert(result.dump.processes[0].ended);
    cr_assert_eq(device.events, 1);
    cr_assert_geq(result.recovery.recovered, 200, "earlier rows are kept");
    cr_assert_leq(result.recovery.recovered, 300);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
}

Test(collect, an_app_that_dies_with_a_segment_loses_nothing)
{
    device.app[0].dies_ns = device.now_ns + 5 * SECOND;
    device.app[0].leaves_a_segment = true;
    collect_well(10 * SECOND, 0);
    expect_outcome(DJ_COLLECT_ENDED);
    /* The last frame never completed, because the app died in it. */
    expect_recovered(299, 299);
    cr_assert(result.dump.processes[0].ended);
}

Test(collect, a_restart_is_a_separate_process)
{
    device.app[0].dies_ns = device.now_ns + 3 * SECOND;
    device.app[0].leaves_a_segment = true;
    device.app_count = 2;
    device.app[1] = device.app[0];
    device.app[1].pid = 43;
    device.app[1].dies_ns = 0;
    device.app[1].born_ns = device.now_ns + 4 * SECOND;
    device.app[1].from_ns = device.now_ns + 5 * SECOND;
    collect_well(10 * SECOND, 0);
    expect_outcome(DJ_COLLECT_ENDED);
    cr_assert_eq(result.restarts, 1);
    cr_assert_eq(result.dump.process_count, 2);
    cr_assert(result.dump.processes[0].ended);
    cr_assert_not(result.dump.processes[1].ended);
    cr_assert_eq(result.dump.processes[0].recovered, 179,
                 "the frame it died in never completed");
    cr_assert_eq(result.dump.processes[1].recovered, 301);
    cr_assert_eq(result.dump.processes[1].expected, 301,
                 "all frames of the new process count");
    cr_assert(strstr(device.last_event, "again") != NULL);
}

Test(collect, a_second_process_is_no_restart)
{
    device.app_count = 2;
    device.app[1] = device.app[0];
    device.app[1].pid = 43;
    device.app[1].born_ns = device.now_ns + SECOND;
    device.app[1].from_ns = device.now_ns + 2 * SECOND;
    collect_well(5 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.restarts, 0);
    cr_assert_eq(result.dump.process_count, 2);
    expect_recovered(300 + 181, 300 + 181);
}

Test(collect, frames_of_two_processes_stay_separate)
{
    device.app_count = 2;
    device.app[1] = device.app[0];
    device.app[1].pid = 43;
    device.app[1].interval_ns = 100 * MS;
    collect_well(5 * SECOND, 0);
    cr_assert_eq(result.dump.processes[0].recovered, 300);
    cr_assert_eq(result.dump.processes[1].recovered, 50);
    expect_rows_in_order_inside_the_window();
}

Test(collect, data_is_kept_when_the_device_disconnects)
{
    device.gone_ns = device.now_ns + 5 * SECOND;
    collect_well(10 * SECOND, 0);
    expect_outcome(DJ_COLLECT_GONE);
    cr_assert_eq(result.error.code, DJ_E_GONE);
    cr_assert_geq(result.recovery.recovered, 200);
    cr_assert_lt(result.window.end_ns, result.window.start_ns + 10 * SECOND);
    cr_assert_not_null(result.dump.processes[0].cut_short, "the dump is marked");
    cr_assert(strstr(result.dump.processes[0].cut_short, "not found") != NULL);
    cr_assert_null(result.dump.processes[0].disabled, "the recording may continue");
    expect_rows_in_order_inside_the_window();
}

Test(collect, a_device_missing_from_the_start_is_an_error)
{
    struct dj_error err = {0};
    device.gone_ns = device.now_ns;
    cr_assert_eq(collect(10 * SECOND, 0, &err), DJ_E_GONE);
    cr_assert_str_eq(err.message, "adb: device 'fake' not found");
}

Test(collect, one_failed_reading_is_ignored)
{
    device.mute_from_ns = device.now_ns + 1900 * MS;
    device.mute_until_ns = device.now_ns + 2200 * MS;
    collect_well(6 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_geq(result.failed_readings, 1);
    cr_assert_geq(result.recovery.expected, 359);
}

Test(collect, a_failed_last_reading_is_repeated)
{
    device.mute_from_ns = device.now_ns + 5900 * MS;
    device.mute_until_ns = device.now_ns + 6200 * MS;
    collect_well(6 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.recovery.recovered, 360);
    cr_assert_eq(result.error.code, 0);
}

Test(collect, a_device_that_stops_answering_is_gone)
{
    device.mute_from_ns = device.now_ns + 3 * SECOND;
    device.mute_until_ns = INT64_MAX;
    collect_well(6 * SECOND, 0);
    expect_outcome(DJ_COLLECT_GONE);
    cr_assert_eq(result.error.code, DJ_E_TIMEOUT);
    cr_assert_geq(result.recovery.recovered, 60);
}

Test(collect, an_interrupt_ends_the_window_and_keeps_it)
{
    device.stop_ns = device.now_ns + 4 * SECOND;
    collect_well(60 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert(result.interrupted);
    cr_assert_geq(result.recovery.recovered, 238);
    cr_assert_leq(result.recovery.recovered, 250);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
    cr_assert_lt(result.window.end_ns - result.window.start_ns, 5 * SECOND);
}

static void expect_given_up(int64_t stopped_ns)
{
    expect_outcome(DJ_COLLECT_GONE);
    cr_assert_eq(result.error.code, DJ_E_INTERRUPTED);
    cr_assert(result.interrupted);
    cr_assert_leq(device.now_ns, stopped_ns + FAKE_PATIENCE_NS + 200 * MS);
    cr_assert_geq(result.recovery.recovered, 100, "earlier rows are kept");
    expect_rows_in_order_inside_the_window();
}

Test(collect, an_interrupt_cancels_a_reading_of_a_hanging_device)
{
    device.hangs_from_ns = device.now_ns + 3 * SECOND;
    device.stop_ns = device.now_ns + 8 * SECOND;
    collect_well(60 * SECOND, 0);
    expect_given_up(device.stop_ns);
}

Test(collect, an_interrupt_before_the_device_hangs_waits_a_second_for_the_last_reading)
{
    device.hangs_from_ns = device.now_ns + 4 * SECOND;
    device.stop_ns = device.hangs_from_ns;
    collect_well(60 * SECOND, 0);
    expect_given_up(device.stop_ns);
}

Test(collect, an_interrupt_after_the_window_cancels_its_last_reading)
{
    device.hangs_from_ns = device.now_ns + 5900 * MS;
    device.stop_ns = device.now_ns + 9 * SECOND;
    collect_well(6 * SECOND, 0);
    expect_given_up(device.stop_ns);
}

Test(collect, an_interrupt_before_the_first_reading_is_an_error)
{
    struct dj_error err = {0};
    device.hangs_from_ns = device.now_ns;
    device.stop_ns = device.now_ns + 2 * SECOND;
    cr_assert_eq(collect(10 * SECOND, 0, &err), DJ_E_INTERRUPTED);
    cr_assert_leq(device.now_ns, device.stop_ns + FAKE_PATIENCE_NS + 200 * MS);
}

Test(collect, without_a_clock_the_window_starts_at_the_first_reading)
{
    device.no_clock = true;
    collect_well(5 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_geq(result.recovery.recovered, 300);
    cr_assert_leq(result.recovery.recovered, 303);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
}

Test(collect, the_cost_of_readings_is_reported)
{
    collect_well(5 * SECOND, 0);
    cr_assert_eq(result.readings, device.readings);
    cr_assert_eq(result.cost_ns, 10 * MS * (int64_t)device.readings);
    cr_assert_eq(result.cost_max_ns, 10 * MS);
    cr_assert_geq(result.overlapped, 1);
    cr_assert_leq(result.overlapped, 2 * result.readings);
}

/* "Uptime: 9223372036853" is a valid number, so all computed times must be valid, too. */
Test(collect, the_largest_clock_value_does_not_overflow)
{
    device.clock_ahead_ns = INT64_MAX - device.now_ns - SECOND;
    collect_well(3 * SECOND, 0);
    cr_assert_geq(result.window.start_ns, INT64_MAX - 2 * SECOND);
    cr_assert_eq(result.window.end_ns, INT64_MAX);
    cr_assert_eq(result.overlapped, 0, "the frames lie long before");
}

Test(collect, only_the_first_reading_requests_just_the_newest_rows)
{
    collect_well(5 * SECOND, 0);
    cr_assert_geq(device.readings, 3);
    cr_assert_eq(device.requested_since_ns[0], -1);
    cr_assert_gt(device.requested_since_ns[1], result.window.start_ns);
    cr_assert_lt(device.requested_since_ns[1], result.window.end_ns);
}

Test(collect, no_reading_requests_newest_rows_without_a_clock)
{
    device.no_clock = true;
    collect_well(5 * SECOND, 0);
    cr_assert_eq(device.requested_since_ns[1], -1);
}

Test(collect, aggregates_need_two_readings)
{
    collect_as(&(struct dj_collect_options){
        .package = "app", .duration_ns = 60 * SECOND, .aggregate_only = true});
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.readings, 2);
    cr_assert_geq(total_of(0), 3600);
    cr_assert_leq(total_of(0), 3601);
    cr_assert_eq(result.dump.processes[0].windows[0].frame_count, 0);
}

Test(collect, a_requested_reading_happens_before_the_app_ends)
{
    device.app[0].dies_ns = device.now_ns + 10 * SECOND;
    due_ns[0] = device.now_ns + 9 * SECOND;
    collect_as(&(struct dj_collect_options){
        .package = "app", .duration_ns = 60 * SECOND, .aggregate_only = true});
    expect_outcome(DJ_COLLECT_ENDED);
    cr_assert_eq(result.readings, 3);
    cr_assert_geq(total_of(0), 540);
    cr_assert_leq(total_of(0), 555);
    cr_assert_geq(result.alive_ns, due_ns[0]);
}

Test(collect, frequent_requests_do_not_cause_constant_readings)
{
    for (int i = 0; i < 6; i++) {
        due_ns[i] = device.now_ns + SECOND + i * 20 * MS;
    }
    collect_as(&(struct dj_collect_options){
        .package = "app", .duration_ns = 5 * SECOND, .aggregate_only = true});
    cr_assert_eq(due_count, 6);
    cr_assert_leq(result.readings, 4, "%zu", result.readings);
    cr_assert_geq(result.readings, 3);
}

Test(collect, the_caller_can_end_a_window_early)
{
    over_ns = device.now_ns + 3 * SECOND;
    collect_as(
        &(struct dj_collect_options){.package = "app", .duration_ns = 3600 * SECOND});
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert(!result.interrupted);
    cr_assert_leq(result.window.end_ns, over_ns + SECOND);
    expect_recovered(result.recovery.expected, result.recovery.expected);
    cr_assert_geq(result.recovery.recovered, 178);
}

Test(collect, an_awaited_app_may_start_in_the_window)
{
    int64_t born_ns = device.now_ns + 2 * SECOND;
    device.app[0].born_ns = device.app[0].from_ns = born_ns;
    collect_as(&(struct dj_collect_options){
        .package = "app", .duration_ns = 4 * SECOND, .awaited = true});
    expect_outcome(DJ_COLLECT_DONE);
    expect_recovered(result.recovery.expected, result.recovery.expected);
    cr_assert_geq(result.recovery.recovered, 118, "%lld",
                  (long long)result.recovery.recovered);
}

Test(collect, an_awaited_app_that_never_starts_is_reported)
{
    device.app[0].born_ns = device.now_ns + 100 * SECOND;
    collect_as(&(struct dj_collect_options){
        .package = "app", .duration_ns = 4 * SECOND, .awaited = true});
    expect_outcome(DJ_COLLECT_NOT_RUNNING);
}

Test(collect, an_app_that_hangs_does_not_answer)
{
    struct dj_error err = {0};
    device.app_hangs_from_ns = device.now_ns + 3 * SECOND;
    cr_assert_eq(collect(5 * SECOND, 0, &err), 0, "%s", err.message);
    expect_outcome(DJ_COLLECT_GONE);
    cr_assert_eq(result.error.code, DJ_E_NO_DATA);
    cr_assert_gt(result.failed_readings, 0);
    cr_assert_gt(result.recovery.recovered, 0, "earlier rows are kept");
}

/* If the note were lost, an unknown value would look like a truncated row. */
Test(collect, columns_not_recorded_stay_named)
{
    device.app[0].not_recorded = DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START);
    collect_well(5 * SECOND, 0);
    cr_assert_eq(result.dump.processes[0].not_recorded,
                 DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START));
}
