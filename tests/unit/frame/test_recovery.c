#include <criterion/criterion.h>

#include "frame/recovery.h"

static struct dj_frame frame_at(int64_t intended_ns, int64_t completed_ns, int64_t flags)
{
    struct dj_frame frame = {{0}, 0};
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, flags);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, intended_ns);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, completed_ns);
    return frame;
}

Test(span, the_start_is_inside_and_the_end_is_outside)
{
    const struct dj_span span = {100, 200};
    static const struct {
        int64_t at_ns;
        bool inside;
    } rows[] = {{99, false},  {100, true}, {199, true},
                {200, false}, {-1, false}, {INT64_MAX, false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_frame frame = frame_at(rows[i].at_ns, rows[i].at_ns, 0);
        cr_assert_eq(dj_frame_span_contains(&span, &frame), rows[i].inside, "%lld",
                     (long long)rows[i].at_ns);
    }
}

Test(span, a_frame_without_a_start_belongs_to_no_window)
{
    const struct dj_span all = {INT64_MIN, INT64_MAX};
    struct dj_frame frame = {{0}, 0};
    cr_assert_not(dj_frame_span_contains(&all, &frame));
}

Test(complete, a_complete_frame_does_not_end_before_its_start)
{
    struct dj_frame frame = frame_at(100, 100, 0);
    cr_assert(dj_frame_is_complete(&frame));
    /* The completion belongs to the frame 120 earlier in this slot. */
    frame = frame_at(100, 99, 0);
    cr_assert_not(dj_frame_is_complete(&frame));
    frame = frame_at(100, 0, 0);
    cr_assert_not(dj_frame_is_complete(&frame));
    frame = frame_at(-5, 0, 0);
    cr_assert_not(dj_frame_is_complete(&frame));
    frame = (struct dj_frame){{0}, 0};
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, 1);
    cr_assert_not(dj_frame_is_complete(&frame));
}

static struct dj_stats stats_of(int64_t since_ns, uint32_t total)
{
    struct dj_stats stats = {.since_ns = since_ns};
    stats.counter[DJ_COUNTER_TOTAL] = total;
    stats.frame_histogram[3] = total;
    return stats;
}

static void read_stats(struct dj_stats_accumulator *accumulator, int64_t since_ns,
                       uint32_t total)
{
    struct dj_stats stats = stats_of(since_ns, total);
    dj_frame_accumulator_add(accumulator, &stats);
}

static uint32_t total_of(const struct dj_stats_accumulator *accumulator)
{
    struct dj_stats sum;
    dj_frame_accumulator_sum(accumulator, &sum);
    cr_assert_eq(sum.frame_histogram[3], sum.counter[DJ_COUNTER_TOTAL],
                 "the histogram is added too");
    return sum.counter[DJ_COUNTER_TOTAL];
}

Test(accumulator, the_sum_is_the_difference_of_two_readings)
{
    struct dj_stats_accumulator accumulator = {0};
    read_stats(&accumulator, 1, 1000);
    cr_assert_eq(total_of(&accumulator), 0);
    read_stats(&accumulator, 1, 1300);
    read_stats(&accumulator, 1, 1600);
    cr_assert_eq(total_of(&accumulator), 600);
    cr_assert_eq(accumulator.restarts, 0);
}

Test(accumulator, a_process_started_in_the_window_counts_from_its_first_frame)
{
    struct dj_stats_accumulator accumulator = {0};
    struct dj_stats stats = stats_of(50, 7);
    dj_frame_accumulator_start(&accumulator, &stats, true);
    cr_assert_eq(total_of(&accumulator), 7);
    read_stats(&accumulator, 50, 9);
    cr_assert_eq(total_of(&accumulator), 9);
}

Test(accumulator, a_reset_by_another_program_starts_a_new_period)
{
    struct dj_stats_accumulator accumulator = {0};
    read_stats(&accumulator, 1, 1000);
    read_stats(&accumulator, 1, 1100);
    /* 20 frames since the restart. Those before the restart are lost. */
    read_stats(&accumulator, 99, 20);
    read_stats(&accumulator, 99, 50);
    cr_assert_eq(total_of(&accumulator), 150);
    cr_assert_eq(accumulator.restarts, 1);
}

Test(accumulator, a_reset_is_detected_even_if_the_new_total_is_higher)
{
    struct dj_stats_accumulator accumulator = {0};
    read_stats(&accumulator, 1, 10);
    read_stats(&accumulator, 99, 500);
    cr_assert_eq(total_of(&accumulator), 500);
}

Test(accumulator, resets_by_dejank_are_not_counted_as_restarts)
{
    struct dj_stats_accumulator accumulator = {0};
    read_stats(&accumulator, 1, 1000);
    dj_frame_accumulator_reset(&accumulator);
    read_stats(&accumulator, 2, 90);
    dj_frame_accumulator_reset(&accumulator);
    read_stats(&accumulator, 3, 91);
    cr_assert_eq(total_of(&accumulator), 181);
    cr_assert_eq(accumulator.restarts, 0);
}

Test(accumulator, a_reset_that_the_device_ignores_counts_no_frame_twice)
{
    struct dj_stats_accumulator accumulator = {0};
    read_stats(&accumulator, 1, 1000);
    dj_frame_accumulator_reset(&accumulator);
    read_stats(&accumulator, 1, 1090);
    dj_frame_accumulator_reset(&accumulator);
    read_stats(&accumulator, 1, 1180);
    cr_assert_eq(total_of(&accumulator), 180);
}

Test(accumulator, without_a_since_line_resets_are_assumed_to_happen)
{
    struct dj_stats_accumulator accumulator = {0};
    read_stats(&accumulator, 0, 10);
    dj_frame_accumulator_reset(&accumulator);
    read_stats(&accumulator, 0, 90);
    cr_assert_eq(total_of(&accumulator), 90);
    read_stats(&accumulator, 0, 40); /* A reset that dejank did not request. */
    cr_assert_eq(total_of(&accumulator), 130);
    cr_assert_eq(accumulator.restarts, 1);
}

Test(accumulator, a_decreased_total_is_a_restart)
{
    struct dj_stats_accumulator accumulator = {0};
    read_stats(&accumulator, 1, 100);
    read_stats(&accumulator, 1, 151);
    read_stats(&accumulator, 1, 30);
    cr_assert_eq(total_of(&accumulator), 81);
    read_stats(&accumulator, 1, 40);
    cr_assert_eq(total_of(&accumulator), 91);
    cr_assert_eq(accumulator.restarts, 1);
}

Test(accumulator, counters_may_overflow)
{
    struct dj_stats_accumulator accumulator = {0};
    struct dj_stats stats = stats_of(1, UINT32_MAX - 4);
    dj_frame_accumulator_start(&accumulator, &stats, false);
    accumulator.last = stats_of(1, 5);
    cr_assert_eq(total_of(&accumulator), 10);
}

Test(accumulator, an_accumulator_without_readings_is_zero)
{
    struct dj_stats_accumulator accumulator = {0};
    dj_frame_accumulator_reset(&accumulator);
    cr_assert_eq(total_of(&accumulator), 0);
    cr_assert_not(accumulator.resetting);
}

Test(recovery, each_row_is_classified)
{
    const struct dj_span span = {1000, 2000};
    const struct dj_frame frames[] = {
        /* Began before the window: counted, but not in this window. */
        frame_at(990, 1005, 0),
        frame_at(1000, 1010, 0), /* In the window. */
        frame_at(1500, 1510,
                 /* In the window too, because this is a normal frame. */
                 DJ_FLAG_RT_ANIMATION),
        frame_at(1600, 1601, DJ_FLAG_SKIPPED_FRAME), /* Drew nothing. */
        frame_at(1990, 0, 0),    /* Was never complete when it was read. */
        frame_at(2000, 2010, 0), /* After the window. */
    };
    struct dj_recovery recovery = {0};
    dj_frame_recovery_add_rows(&recovery, frames, sizeof(frames) / sizeof(frames[0]),
                               &span);
    cr_assert_eq(recovery.recovered, 2);
    cr_assert_eq(recovery.outside, 2);
    cr_assert_eq(recovery.skipped, 1);
    cr_assert_eq(recovery.incomplete, 1);
    /* Two outside the window, two inside, and two of which no row was read. */
    dj_frame_recovery_set_counted(&recovery, 6);
    cr_assert_eq(recovery.expected, 4);
}

Test(recovery, recovered_is_at_most_expected)
{
    struct dj_recovery recovery = {.recovered = 10};
    dj_frame_recovery_set_counted(&recovery, 9);
    cr_assert_eq(recovery.expected, 10);
    recovery = (struct dj_recovery){.outside = 3};
    dj_frame_recovery_set_counted(&recovery, 1);
    cr_assert_eq(recovery.expected, 0);
}

Test(recovery, recoveries_of_processes_are_added)
{
    struct dj_recovery sum = {1, 2, 3, 4, 5};
    const struct dj_recovery other = {10, 20, 30, 40, 50};
    dj_frame_recovery_merge(&sum, &other);
    cr_assert_eq(sum.recovered, 11);
    cr_assert_eq(sum.expected, 22);
    cr_assert_eq(sum.outside, 33);
    cr_assert_eq(sum.skipped, 44);
    cr_assert_eq(sum.incomplete, 55);
}
