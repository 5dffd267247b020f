/* Tests the limits of the rule of Android 9–11. gfxinfo/test_vectors.c compares
 * sequences of frames with the output of hwui itself. */
#include <criterion/criterion.h>

#include "frame/tracker.h"
#include "support.h"

static const int64_t INTERVAL_NS = 16666666;
static const int64_t START_NS = INT64_C(1000000000000);

static struct dj_tracker tracker;
static struct dj_verdict verdict;

static void start(void)
{
    dj_frame_tracker_init(&tracker, dj_frame_dialect_default(), INTERVAL_NS);
}

TestSuite(tracker, .init = start);

static bool has(enum dj_counter counter)
{
    return (verdict.counters & DJ_COUNTER_BIT(counter)) != 0;
}

static void judge(struct dj_frame frame)
{
    cr_assert(dj_frame_tracker_judge(&tracker, &frame, &verdict));
}

Test(tracker, a_frame_longer_than_the_interval_is_janky)
{
    judge(frame_of(START_NS, INTERVAL_NS));
    cr_assert_not(has(DJ_COUNTER_JANKY), "a frame of exactly one interval is not janky");
    judge(frame_of(START_NS + INTERVAL_NS, INTERVAL_NS + 1));
    cr_assert(has(DJ_COUNTER_JANKY));
    cr_assert_eq(verdict.frame_time_ns, INTERVAL_NS + 1);
}

/* The deadline of the first frame is one interval after its start, so a janky first
 * frame misses it. A later frame of the same length is janky too, but the deadline has
 * moved. */
Test(tracker, a_late_buffer_misses_the_deadline)
{
    judge(frame_of(START_NS, 2 * INTERVAL_NS));
    cr_assert(has(DJ_COUNTER_DEADLINE_MISSED));
    cr_assert_eq(tracker.swap_deadline_ns, START_NS + 3 * INTERVAL_NS);
    /* The display is one interval late, so the next frame is in time, but its input
     * waits. */
    judge(frame_of(START_NS + INTERVAL_NS, INTERVAL_NS + 100));
    cr_assert(has(DJ_COUNTER_JANKY));
    cr_assert_not(has(DJ_COUNTER_DEADLINE_MISSED));
    cr_assert(has(DJ_COUNTER_HIGH_INPUT_LATENCY));
}

Test(tracker, after_a_pause_no_frame_is_ahead_of_the_deadline)
{
    judge(frame_of(START_NS, 2 * INTERVAL_NS));
    judge(frame_of(START_NS + 100 * INTERVAL_NS, 1000000));
    cr_assert_not(has(DJ_COUNTER_HIGH_INPUT_LATENCY));
    cr_assert_eq(tracker.swap_deadline_ns, START_NS + 101 * INTERVAL_NS);
}

/* Tests one nanosecond below, at and above each limit, in a frame that misses its
 * deadline. */
Test(tracker, thresholds_count_from_their_limit_on)
{
    static const struct {
        enum dj_counter counter;
        /* Set so that the time between `from` and `column` is `limit_ns`. */
        enum dj_column column;
        enum dj_column from;
        int64_t limit_ns;
    } rows[] = {
        {DJ_COUNTER_MISSED_VSYNC, DJ_COLUMN_VSYNC, DJ_COLUMN_INTENDED_VSYNC, 1},
        {DJ_COUNTER_SLOW_UI_THREAD, DJ_COLUMN_SYNC_START, DJ_COLUMN_VSYNC, 8333333},
        {DJ_COUNTER_SLOW_BITMAP_UPLOADS, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
         DJ_COLUMN_SYNC_START, 3333333},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (int64_t off = -1; off <= 1; off++) {
            struct dj_frame frame = frame_of(START_NS, 3 * INTERVAL_NS);
            start();
            frame.value[rows[i].column] =
                frame.value[rows[i].from] + rows[i].limit_ns + off;
            if (rows[i].column == DJ_COLUMN_SYNC_START) {
                frame.value[DJ_COLUMN_SYNC_QUEUED] = frame.value[DJ_COLUMN_SYNC_START];
            }
            judge(frame);
            cr_assert_eq(has(rows[i].counter), off >= 0, "row %zu, %+d ns", i, (int)off);
        }
    }
}

Test(tracker, slow_issue_draw_commands_are_counted)
{
    struct dj_frame frame = frame_of(START_NS, 2 * INTERVAL_NS);
    frame.value[DJ_COLUMN_ISSUE_DRAW_COMMANDS_START] =
        frame.value[DJ_COLUMN_FRAME_COMPLETED] - 12499999;
    judge(frame);
    cr_assert(has(DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS));
    start();
    frame.value[DJ_COLUMN_ISSUE_DRAW_COMMANDS_START]++;
    judge(frame);
    cr_assert_not(has(DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS));
}

Test(tracker, times_of_ten_seconds_pass_no_threshold)
{
    judge(frame_of(START_NS, INT64_C(10000000002)));
    cr_assert(has(DJ_COUNTER_DEADLINE_MISSED));
    cr_assert_not(has(DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS));
}

Test(tracker, exempt_frames_are_counted_but_not_janky)
{
    struct dj_frame frame = frame_of(START_NS, 3 * INTERVAL_NS);
    frame.value[DJ_COLUMN_FLAGS] = DJ_FLAG_SURFACE_CANVAS;
    judge(frame);
    cr_assert_eq(verdict.counters, DJ_COUNTER_BIT(DJ_COUNTER_TOTAL));
    cr_assert_eq(verdict.frame_bucket, (int)dj_frame_bucket(3 * INTERVAL_NS));
    cr_assert_eq(tracker.swap_deadline_ns, 0);
}

Test(tracker, a_frame_without_start_or_end_does_not_count)
{
    static const enum dj_column needed[] = {DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_VSYNC,
                                            DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
                                            DJ_COLUMN_FRAME_COMPLETED};
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        struct dj_frame frame = frame_of(START_NS, INTERVAL_NS);
        struct dj_tracker before = tracker;
        frame.known &= ~DJ_COLUMN_BIT(needed[i]);
        cr_assert_not(dj_frame_tracker_judge(&tracker, &frame, &verdict), "%s",
                      dj_frame_column_name(needed[i]));
        cr_assert_eq(tracker.swap_deadline_ns, before.swap_deadline_ns);
    }
    struct dj_frame backwards = frame_of(START_NS, -1);
    cr_assert_not(dj_frame_tracker_judge(&tracker, &backwards, &verdict));
}

Test(tracker, gpu_time_counts_if_plausible)
{
    struct dj_frame frame = frame_of(START_NS, 5000000);
    judge(frame);
    cr_assert_eq(verdict.gpu_bucket, DJ_NO_BUCKET);
    dj_frame_set(&frame, DJ_COLUMN_GPU_COMPLETED,
                 frame.value[DJ_COLUMN_SWAP_BUFFERS] + 1500000);
    judge(frame);
    cr_assert_eq(verdict.gpu_bucket, 1);
    static const int64_t none[] = {0, -1, 5, INT64_MIN};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        dj_frame_set(&frame, DJ_COLUMN_GPU_COMPLETED, none[i]);
        judge(frame);
        cr_assert_eq(verdict.gpu_bucket, DJ_NO_BUCKET, "GpuCompleted %lld",
                     (long long)none[i]);
    }
}

Test(tracker, forgiveness_follows_from_the_displays_offsets)
{
    cr_assert_eq(dj_frame_compute_forgiveness_ns(6000000, 2000000), 8000000);
    cr_assert_eq(dj_frame_compute_forgiveness_ns(1000000, 1000000), 4000000);
    cr_assert_eq(dj_frame_compute_forgiveness_ns(6000001, 2000000), 0);
    cr_assert_eq(dj_frame_compute_forgiveness_ns(1000000, 2000000), 0);
}

Test(tracker, a_slow_dequeue_is_forgiven_as_far_as_expected)
{
    struct dj_frame frame = frame_of(START_NS, INTERVAL_NS + 3000000);
    tracker.forgiveness_ns = 8000000;
    dj_frame_set(&frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 500000);
    judge(frame);
    cr_assert_eq(verdict.frame_time_ns, INTERVAL_NS + 3000000,
                 "half a millisecond is not slow");
    dj_frame_set(&frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 3000000);
    judge(frame);
    cr_assert_eq(verdict.frame_time_ns, INTERVAL_NS);
    dj_frame_set(&frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 30000000);
    judge(frame);
    cr_assert_eq(verdict.frame_time_ns, INTERVAL_NS + 3000000 - (8000000 - 2));
}

Test(tracker, sentinels_do_not_overflow)
{
    static const int64_t odd[] = {INT64_MIN, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    for (size_t a = 0; a < 6; a++) {
        for (size_t b = 0; b < 6; b++) {
            struct dj_frame frame = frame_of(START_NS, INTERVAL_NS);
            frame.value[DJ_COLUMN_INTENDED_VSYNC] = odd[a];
            frame.value[DJ_COLUMN_FRAME_COMPLETED] = odd[b];
            frame.value[DJ_COLUMN_VSYNC] = odd[b];
            if (dj_frame_tracker_judge(&tracker, &frame, &verdict)) {
                cr_assert_gt(verdict.frame_time_ns, 0);
            }
        }
    }
}

Test(tracker, a_frame_with_only_a_present_counts_in_the_total_and_nowhere_else)
{
    struct dj_frame frame = {0};
    dj_frame_tracker_init(&tracker, dj_frame_dialect_find("13"), 16666666);
    dj_frame_set(&frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, 1000);
    cr_expect_not(dj_frame_tracker_judge(&tracker, &frame, &verdict));
    cr_expect(dj_frame_tracker_count(&tracker, &frame, &verdict));
    cr_expect_eq(verdict.counters, DJ_COUNTER_BIT(DJ_COUNTER_TOTAL));
    cr_expect_eq(verdict.frame_bucket, DJ_NO_BUCKET);
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, DJ_FLAG_SKIPPED_FRAME);
    cr_expect(dj_frame_tracker_count(&tracker, &frame, &verdict));
    cr_expect_eq(verdict.counters, 0);
}
