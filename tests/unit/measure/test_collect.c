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
    dj_collection_finish(&result);
}

static int collect(int64_t duration_ns, int64_t every_ns, struct dj_error *err)
{
    struct dj_collect_options options = {
        .package = "app", .duration_ns = duration_ns, .every_ns = every_ns};
    struct dj_collect_world world;
    fake_world(&device, &world);
    return dj_collect(&device.base, &options, &world, &result, err);
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

static int64_t due_ns[8]; /* when somebody asks for a reading; 0: no more */
static size_t due_told;

static bool is_due(void *user)
{
    size_t before = due_told;
    while (due_ns[due_told] > 0 &&
           ((struct fake_device *)user)->now_ns >= due_ns[due_told]) {
        due_told++;
    }
    return due_told > before;
}

static void collect_as(const struct dj_collect_options *options)
{
    struct dj_collect_world world;
    struct dj_error err = {0};
    fake_world(&device, &world);
    world.over = over_ns > 0 ? is_over : NULL;
    world.due = due_ns[0] > 0 ? is_due : NULL;
    cr_assert_eq(dj_collect(&device.base, options, &world, &result, &err), 0, "%s",
                 err.message);
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
    cr_assert_leq(result.readings, 9, "no oftener than needed: %zu", result.readings);
    expect_rows_in_order_inside_the_window();
}

Test(collect, a_vendors_column_comes_with_every_row)
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

Test(collect, counters_are_differences_histogram_included)
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

Test(collect, at_any_rate_that_can_be_followed)
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
        dj_collection_finish(&result);
    }
}

Test(collect, an_overrun_ring_is_told_as_frames_not_recovered)
{
    device.app[0].interval_ns = MS / 4; /* 4 000 a second: 120 rows are 30 ms */
    device.app[0].frame_ns = MS / 8;
    collect_well(2 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_geq(result.recovery.expected, 7990);
    cr_assert_leq(result.recovery.expected, 8010);
    cr_assert_lt(result.recovery.recovered, result.recovery.expected);
    cr_assert_geq(result.recovery.recovered, 120 * (int64_t)(result.readings - 2));
    cr_assert_leq(result.readings, 2 + 2 * SECOND / (50 * MS),
                  "a flood does not make it read without pause");
}

Test(collect, a_large_ring_keeps_a_flood)
{
    device.ring_rows = 4096;
    device.app[0].interval_ns = MS / 2;
    device.app[0].frame_ns = MS / 4;
    collect_well(6 * SECOND, 0);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
    cr_assert_geq(result.recovery.recovered, 11999);
    cr_assert_leq(result.readings, 8, "%zu", result.readings);
}

Test(collect, rows_that_come_complete_only_later_count_once_complete)
{
    device.app[0].slow_completion_ns = 60 * MS;
    collect_well(5 * SECOND, 0);
    cr_assert_geq(result.recovery.recovered, 295);
    cr_assert_geq(result.recovery.incomplete, 1);
    for (size_t i = 0; i < result.dump.processes[0].windows[0].frame_count; i++) {
        cr_assert(dj_frame_complete(&result.dump.processes[0].windows[0].frames[i]));
    }
}

Test(collect, skipped_rows_are_counted_apart)
{
    device.app[0].skipped_every = 10;
    collect_well(5 * SECOND, 0);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
    cr_assert_geq(result.recovery.skipped, 29);
    cr_assert_leq(result.recovery.skipped, 31);
}

Test(collect, the_guides_cadence_resets_and_loses_only_what_it_says)
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

Test(collect, the_guides_cadence_counts_what_the_ring_lost)
{
    device.app[0].interval_ns =
        5 * MS; /* 200 a second: 300 per period, 120 rows of them */
    device.app[0].frame_ns = 2 * MS;
    collect_well(6 * SECOND, 3 * SECOND / 2);
    cr_assert_geq(result.recovery.expected, 1190);
    cr_assert_leq(result.recovery.recovered, 4 * 120);
    cr_assert_geq(result.recovery.recovered, 4 * 120 - 4);
}

Test(collect, a_device_that_does_not_reset_is_counted_right_all_the_same)
{
    device.ignores_reset = true;
    collect_well(6 * SECOND, SECOND);
    cr_assert_leq(total_of(0), 362);
    cr_assert_geq(total_of(0), 359);
}

Test(collect, a_reset_that_keeps_everything_costs_nothing)
{
    device.reset_keeps = true;
    collect_well(6 * SECOND, SECOND);
    cr_assert_eq(result.blind_ns, 0);
    expect_recovered(360, 360);
}

Test(collect, somebody_elses_reset_is_noticed)
{
    device.app[0].reset_ns = device.now_ns + 3 * SECOND;
    collect_well(6 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.foreign_resets, 1);
    cr_assert_lt(total_of(0), 360);
    cr_assert_gt(total_of(0), 250);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
}

Test(collect, an_app_that_is_not_there)
{
    device.app_count = 0;
    collect_well(10 * SECOND, SECOND);
    expect_outcome(DJ_COLLECT_NOT_RUNNING);
    cr_assert_eq(device.readings, 1, "it does not wait for the window's end");
    cr_assert_eq(device.resets, 0);
    cr_assert_str_empty(result.hint);
}

Test(collect, an_app_that_was_dead_before_is_not_running)
{
    device.app[0].dies_ns = device.now_ns - SECOND;
    device.app[0].leaves_a_segment = true;
    collect_well(10 * SECOND, SECOND);
    expect_outcome(DJ_COLLECT_NOT_RUNNING);
    cr_assert(strstr(result.hint, "42") != NULL, "%s", result.hint);
    cr_assert_eq(device.resets, 0, "a reset would take what the dead left");
}

Test(collect, a_dead_process_beside_a_living_one_stays_out)
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

Test(collect, what_a_process_was_before_it_became_another_program_stays_out)
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

Test(collect, rendering_nothing_is_a_result_of_its_own)
{
    device.app[0].interval_ns = 0;
    collect_well(3 * SECOND, 0);
    expect_outcome(DJ_COLLECT_NO_FRAMES);
    cr_assert_eq(result.recovery.expected, 0);
    cr_assert_eq(total_of(0), 0);
}

Test(collect, frames_of_before_are_no_frames)
{
    device.app[0].until_ns = device.now_ns - SECOND;
    collect_well(3 * SECOND, 0);
    expect_outcome(DJ_COLLECT_NO_FRAMES);
    cr_assert_eq(result.dump.processes[0].windows[0].frame_count, 0);
}

Test(collect, an_app_without_a_renderer_is_no_frames)
{
    device.app[0].interval_ns = 0;
    device.app[0].no_stats = true;
    collect_well(2 * SECOND, 0);
    expect_outcome(DJ_COLLECT_NO_FRAMES);
    cr_assert_not(result.dump.processes[0].stats.present);
}

Test(collect, an_app_that_dies_and_leaves_nothing)
{
    device.app[0].dies_ns = device.now_ns + 5 * SECOND;
    collect_well(10 * SECOND, 0);
    expect_outcome(DJ_COLLECT_ENDED);
    cr_assert(result.dump.processes[0].ended);
    cr_assert_eq(device.events, 1);
    cr_assert_geq(result.recovery.recovered, 200, "what was read until then is kept");
    cr_assert_leq(result.recovery.recovered, 300);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
}

Test(collect, an_app_that_dies_and_leaves_its_segment_loses_nothing)
{
    device.app[0].dies_ns = device.now_ns + 5 * SECOND;
    device.app[0].leaves_a_segment = true;
    collect_well(10 * SECOND, 0);
    expect_outcome(DJ_COLLECT_ENDED);
    /* the frame it died in never completed */
    expect_recovered(299, 299);
    cr_assert(result.dump.processes[0].ended);
}

Test(collect, a_restart_is_a_process_of_its_own)
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
                 "all of the new one's frames are ours");
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

Test(collect, two_processes_keep_their_frames_apart)
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

Test(collect, a_device_that_goes_away_leaves_what_was_collected)
{
    device.gone_ns = device.now_ns + 5 * SECOND;
    collect_well(10 * SECOND, 0);
    expect_outcome(DJ_COLLECT_GONE);
    cr_assert_eq(result.error.code, DJ_E_GONE);
    cr_assert_geq(result.recovery.recovered, 200);
    cr_assert_lt(result.window.end_ns, result.window.start_ns + 10 * SECOND);
    cr_assert_not_null(result.dump.processes[0].cut_short, "the dump is marked");
    cr_assert(strstr(result.dump.processes[0].cut_short, "not found") != NULL);
    cr_assert_null(result.dump.processes[0].disabled, "the recording may go on");
    expect_rows_in_order_inside_the_window();
}

Test(collect, a_device_that_is_gone_at_once_is_an_error)
{
    struct dj_error err = {0};
    device.gone_ns = device.now_ns;
    cr_assert_eq(collect(10 * SECOND, 0, &err), DJ_E_GONE);
    cr_assert_str_eq(err.message, "adb: device 'fake' not found");
}

Test(collect, a_reading_that_fails_once_is_passed_over)
{
    device.mute_from_ns = device.now_ns + 1900 * MS;
    device.mute_until_ns = device.now_ns + 2200 * MS;
    collect_well(6 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_geq(result.failed_readings, 1);
    cr_assert_geq(result.recovery.expected, 359);
}

Test(collect, a_last_reading_that_fails_is_tried_again)
{
    device.mute_from_ns = device.now_ns + 5900 * MS;
    device.mute_until_ns = device.now_ns + 6200 * MS;
    collect_well(6 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.recovery.recovered, 360);
    cr_assert_eq(result.error.code, 0);
}

Test(collect, a_device_that_answers_no_more_is_gone)
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
    cr_assert_geq(result.recovery.recovered, 100, "what was read until then is kept");
    expect_rows_in_order_inside_the_window();
}

Test(collect, an_interrupt_while_the_device_hangs_gives_the_reading_up)
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

Test(collect, an_interrupt_after_the_window_gives_its_last_reading_up)
{
    device.hangs_from_ns = device.now_ns + 5900 * MS;
    device.stop_ns = device.now_ns + 9 * SECOND;
    collect_well(6 * SECOND, 0);
    expect_given_up(device.stop_ns);
}

Test(collect, an_interrupt_before_anything_was_read_is_an_error)
{
    struct dj_error err = {0};
    device.hangs_from_ns = device.now_ns;
    device.stop_ns = device.now_ns + 2 * SECOND;
    cr_assert_eq(collect(10 * SECOND, 0, &err), DJ_E_INTERRUPTED);
    cr_assert_leq(device.now_ns, device.stop_ns + FAKE_PATIENCE_NS + 200 * MS);
}

Test(collect, without_a_clock_the_first_reading_is_the_start)
{
    device.no_clock = true;
    collect_well(5 * SECOND, 0);
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_geq(result.recovery.recovered, 300);
    cr_assert_leq(result.recovery.recovered, 303);
    cr_assert_eq(result.recovery.recovered, result.recovery.expected);
}

Test(collect, the_cost_of_readings_is_told)
{
    collect_well(5 * SECOND, 0);
    cr_assert_eq(result.readings, device.readings);
    cr_assert_eq(result.cost_ns, 10 * MS * (int64_t)device.readings);
    cr_assert_eq(result.cost_max_ns, 10 * MS);
    cr_assert_geq(result.overlapped, 1);
    cr_assert_leq(result.overlapped, 2 * result.readings);
}

/* "Uptime: 9223372036853" is a number, and all that follows from it must be one. */
Test(collect, a_clock_at_the_end_of_time_does_not_overflow)
{
    device.clock_ahead_ns = INT64_MAX - device.now_ns - SECOND;
    collect_well(3 * SECOND, 0);
    cr_assert_geq(result.window.start_ns, INT64_MAX - 2 * SECOND);
    cr_assert_eq(result.window.end_ns, INT64_MAX);
    cr_assert_eq(result.overlapped, 0, "the frames lie long before");
}

Test(collect, only_the_first_reading_asks_for_no_more_than_the_newest_rows)
{
    collect_well(5 * SECOND, 0);
    cr_assert_geq(device.readings, 3);
    cr_assert_eq(device.asked_since_ns[0], -1);
    cr_assert_gt(device.asked_since_ns[1], result.window.start_ns);
    cr_assert_lt(device.asked_since_ns[1], result.window.end_ns);
}

Test(collect, of_a_device_without_a_clock_none_asks)
{
    device.no_clock = true;
    collect_well(5 * SECOND, 0);
    cr_assert_eq(device.asked_since_ns[1], -1);
}

Test(collect, aggregates_alone_take_two_readings)
{
    collect_as(&(struct dj_collect_options){
        .package = "app", .duration_ns = 60 * SECOND, .aggregate_only = true});
    expect_outcome(DJ_COLLECT_DONE);
    cr_assert_eq(result.readings, 2);
    cr_assert_geq(total_of(0), 3600);
    cr_assert_leq(total_of(0), 3601);
    cr_assert_eq(result.dump.processes[0].windows[0].frame_count, 0);
}

Test(collect, counters_are_read_where_something_ended_before_the_app_does)
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

Test(collect, what_ends_all_the_time_is_not_read_all_the_time)
{
    for (int i = 0; i < 6; i++) {
        due_ns[i] = device.now_ns + SECOND + i * 20 * MS;
    }
    collect_as(&(struct dj_collect_options){
        .package = "app", .duration_ns = 5 * SECOND, .aggregate_only = true});
    cr_assert_eq(due_told, 6);
    cr_assert_leq(result.readings, 4, "%zu", result.readings);
    cr_assert_geq(result.readings, 3);
}

Test(collect, a_window_may_be_over_before_its_time)
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

Test(collect, an_app_that_is_awaited_may_start_in_the_window)
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

Test(collect, an_awaited_app_that_never_comes_is_told)
{
    device.app[0].born_ns = device.now_ns + 100 * SECOND;
    collect_as(&(struct dj_collect_options){
        .package = "app", .duration_ns = 4 * SECOND, .awaited = true});
    expect_outcome(DJ_COLLECT_NOT_RUNNING);
}

Test(collect, an_app_that_hangs_answers_no_more)
{
    struct dj_error err = {0};
    device.app_hangs_from_ns = device.now_ns + 3 * SECOND;
    cr_assert_eq(collect(5 * SECOND, 0, &err), 0, "%s", err.message);
    expect_outcome(DJ_COLLECT_GONE);
    cr_assert_eq(result.error.code, DJ_E_NO_DATA);
    cr_assert_gt(result.failed_readings, 0);
    cr_assert_gt(result.recovery.recovered, 0, "what was read before is kept");
}

/* Or what is unknown would look like a row that was cut short. */
Test(collect, what_was_not_recorded_stays_named)
{
    device.app[0].not_recorded = DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START);
    collect_well(5 * SECOND, 0);
    cr_assert_eq(result.dump.processes[0].not_recorded,
                 DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START));
}
