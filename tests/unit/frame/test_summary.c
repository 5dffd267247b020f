#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "frame/summary.h"

#define MS INT64_C(1000000)
#define INTERVAL_NS_60 INT64_C(16666666)
static const int64_t INTERVAL_NS = INTERVAL_NS_60;

enum { MOST = 400 };
static struct dj_frame frames[MOST];
static struct dj_row_facts facts[MOST];
static int64_t scratch[DJ_SUMMARY_SCRATCH * MOST];
static struct dj_stamp_bounds plausible; /* Plausible range for the running test. */

/* Returns a frame as the recorder creates it, without timestamps of the UI thread. */
static struct dj_frame frame_at(int64_t start_ns, int64_t total_ns)
{
    struct dj_frame frame = {0};
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, start_ns);
    dj_frame_set(&frame, DJ_COLUMN_VSYNC, start_ns);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, start_ns + total_ns / 2);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_START, start_ns + total_ns / 2);
    dj_frame_set(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, start_ns + total_ns / 2);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS, start_ns + total_ns / 2);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, start_ns + total_ns);
    return frame;
}

static struct dj_summary summarize(size_t count)
{
    struct dj_summary_rules rules = {.dialect = dj_frame_dialect_default(),
                                     .interval_ns = INTERVAL_NS,
                                     .plausible = plausible};
    struct dj_summary summary;
    dj_frame_summarize(frames, count, &rules, facts, scratch, &summary);
    return summary;
}

Test(summary, a_summary_without_rows_is_empty)
{
    struct dj_summary summary = summarize(0);
    cr_assert_eq(summary.rows, 0);
    cr_assert_eq(summary.frame_time.count, 0);
    cr_assert_eq(summary.guide_total.count, 0);
    cr_assert_eq(summary.stage[DJ_STAGE_SWAP].count, 0);
    cr_assert(isnan(dj_frame_summary_rate_hz(&summary)));
}

Test(summary, a_summary_of_known_frames_is_right)
{
    for (size_t i = 0; i < 101; i++) {
        frames[i] = frame_at(MS + (int64_t)i * INTERVAL_NS, ((int64_t)i + 1) * MS / 10);
    }
    struct dj_summary summary = summarize(101);
    cr_assert_eq(summary.rows, 101);
    cr_assert_eq(summary.usable, 101);
    cr_assert_eq(summary.judged, 101);
    cr_assert_eq(summary.janky, 0);
    cr_assert_eq(summary.frame_time.min_ns, MS / 10);
    cr_assert_eq(summary.frame_time.max_ns, 101 * MS / 10);
    cr_assert_float_eq(summary.frame_time.p50_ns, 5100000.0, 1e-3);
    cr_assert_float_eq(summary.frame_time.p90_ns, 9100000.0, 1e-3);
    cr_assert_float_eq(summary.frame_time.p95_ns, 9600000.0, 1e-3);
    cr_assert_float_eq(summary.frame_time.p99_ns, 10000000.0, 1e-3);
    cr_assert_float_eq(summary.frame_time.mean_ns, 5100000.0, 1e-3);
    cr_assert_eq(summary.frame_time.total_ns, 101 * 51 * MS / 10);
    cr_assert_eq(summary.guide_total.total_ns, summary.frame_time.total_ns);
    cr_assert_float_eq(dj_frame_summary_rate_hz(&summary), 60.0, 0.001);
}

/* The time that an early frame waits for the display is part of guide_total, but not of
 * the frame time. */
Test(summary, waits_count_only_in_guide_total)
{
    for (size_t i = 0; i < 10; i++) {
        frames[i] = frame_at(MS + (int64_t)i * INTERVAL_NS, 16 * MS);
        frames[i].value[DJ_COLUMN_SYNC_QUEUED] =
            frames[i].value[DJ_COLUMN_INTENDED_VSYNC] + MS;
    }
    struct dj_summary summary = summarize(10);
    cr_assert_eq(summary.frame_time.max_ns, 9 * MS);
    cr_assert_eq(summary.guide_total.max_ns, 16 * MS);
    cr_assert_eq(summary.stage[DJ_STAGE_WAIT].min_ns, 7 * MS);
    cr_assert_eq(summary.stage[DJ_STAGE_APP].min_ns, MS);
    cr_assert_eq(summary.stage[DJ_STAGE_SWAP].count, 10);
}

Test(summary, stages_that_were_not_recorded_have_no_distribution)
{
    frames[0] = frame_at(MS, 10 * MS);
    struct dj_summary summary = summarize(1);
    cr_assert_eq(summary.stage[DJ_STAGE_LAYOUT].count, 0);
    cr_assert_eq(summary.stage[DJ_STAGE_INPUT].count, 0);
    cr_assert_eq(summary.stage[DJ_STAGE_APP].count, 1);
}

Test(summary, each_excluded_row_has_its_reason)
{
    for (size_t i = 0; i < 8; i++) {
        frames[i] = frame_at((int64_t)(i + 1) * INTERVAL_NS, 8 * MS);
    }
    frames[1].value[DJ_COLUMN_FLAGS] = DJ_FLAG_WINDOW_CHANGED;
    frames[2].value[DJ_COLUMN_FLAGS] = DJ_FLAG_SKIPPED_FRAME | DJ_FLAG_RT_ANIMATION;
    frames[3].value[DJ_COLUMN_FRAME_COMPLETED] =
        frames[3].value[DJ_COLUMN_INTENDED_VSYNC];
    frames[4].known &= ~DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED);
    dj_frame_set(&frames[5], DJ_COLUMN_GPU_COMPLETED,
                 frames[0].value[DJ_COLUMN_SWAP_BUFFERS]);
    frames[6].value[DJ_COLUMN_FLAGS] = DJ_FLAG_RT_ANIMATION;
    /* A value of −1 means "none", and the row is not stale. */
    dj_frame_set(&frames[7], DJ_COLUMN_GPU_COMPLETED, -1);
    struct dj_summary summary = summarize(8);
    static const uint8_t want[] = {
        DJ_ROW_USABLE,     DJ_ROW_WINDOW_CHANGED, DJ_ROW_SKIPPED, DJ_ROW_NOT_COMPLETED,
        DJ_ROW_INCOMPLETE, DJ_ROW_STALE,          DJ_ROW_USABLE,  DJ_ROW_USABLE,
    };
    for (size_t i = 0; i < 8; i++) {
        cr_assert_eq(facts[i].usability, want[i], "row %zu is %s", i,
                     dj_frame_usability_name((enum dj_usability)facts[i].usability));
        cr_assert_eq(summary.excluded[want[i]], want[i] == DJ_ROW_USABLE ? 0 : 1);
    }
    cr_assert_eq(summary.usable, 3);
    cr_assert_eq(summary.exact.counter[DJ_COUNTER_TOTAL], 3);
    cr_assert_eq(summary.replayed.counter[DJ_COUNTER_TOTAL], 5, "hwui counts flag 1 too");
}

/* A row is excluded if any of its timestamps or durations is after the end of the
 * dump. */
Test(summary, a_timestamp_after_the_dump_is_implausible)
{
    const int64_t latest_ns = 100 * INTERVAL_NS;
    plausible = (struct dj_stamp_bounds){1, latest_ns};
    for (size_t column = 0; column < DJ_COLUMN_COUNT; column++) {
        enum dj_frame_column_kind kind = dj_frame_column_kind((enum dj_column)column);
        bool checked = kind != DJ_KIND_FLAGS && kind != DJ_KIND_ID &&
                       column != DJ_COLUMN_WORKLOAD_TARGET;
        if (column == DJ_COLUMN_FLAGS) {
            continue; /* Flags are a bit mask, and this value has another meaning. */
        }
        frames[0] = frame_at(INTERVAL_NS, 8 * MS);
        frames[1] = frame_at(2 * INTERVAL_NS, 8 * MS);
        dj_frame_set(&frames[1], (enum dj_column)column, latest_ns + 1);
        struct dj_summary summary = summarize(2);
        cr_assert_eq(facts[1].usability, checked ? DJ_ROW_IMPLAUSIBLE : DJ_ROW_USABLE,
                     "%s", dj_frame_column_name((enum dj_column)column));
        cr_assert_eq(summary.excluded[DJ_ROW_IMPLAUSIBLE], checked ? 1 : 0);
        cr_assert_eq(facts[0].usability, DJ_ROW_USABLE);
    }
    frames[0] = frame_at(latest_ns - 8 * MS, 8 * MS);
    summarize(1);
    cr_assert_eq(facts[0].usability, DJ_ROW_USABLE, "at the latest plausible timestamp");
    plausible = (struct dj_stamp_bounds){0};
    frames[0] = frame_at(INTERVAL_NS, INT64_MAX / 2);
    cr_assert_eq(summarize(1).usable, 1, "the time of the dump is unknown");
}

/* Values that hwui prints for missing timestamps. */
Test(summary, special_values_for_none_are_plausible)
{
    static const struct {
        enum dj_column column;
        int64_t value;
    } sentinels[] = {
        {DJ_COLUMN_OLDEST_INPUT_EVENT, INT64_MAX},
        {DJ_COLUMN_OLDEST_INPUT_EVENT, 0},
        {DJ_COLUMN_NEWEST_INPUT_EVENT, INT64_MAX},
        {DJ_COLUMN_NEWEST_INPUT_EVENT, 0},
        {DJ_COLUMN_FRAME_DEADLINE, INT64_MAX},
        {DJ_COLUMN_FRAME_DEADLINE, INT64_MIN},
        {DJ_COLUMN_WORKLOAD_TARGET, INT64_MAX},
        {DJ_COLUMN_FRAME_TIMELINE_VSYNC_ID, -1},
        {DJ_COLUMN_ANIMATION_TIME, -1},
        {DJ_COLUMN_FRAME_START_TIME, 0},
        {DJ_COLUMN_GPU_COMPLETED, -1},
        {DJ_COLUMN_GPU_COMPLETED, 0},
        {DJ_COLUMN_DISPLAY_PRESENT_TIME, -2},
        {DJ_COLUMN_DISPLAY_PRESENT_TIME, 0},
        {DJ_COLUMN_INPUT_EVENT_ID, INT64_MAX},
        {DJ_COLUMN_DRAW_START, 0},
        {DJ_COLUMN_ANIMATION_START, 0},
        {DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 0},
    };
    plausible = (struct dj_stamp_bounds){INTERVAL_NS, 100 * INTERVAL_NS};
    for (size_t i = 0; i < sizeof(sentinels) / sizeof(sentinels[0]); i++) {
        frames[0] = frame_at(2 * INTERVAL_NS, 8 * MS);
        dj_frame_set(&frames[0], sentinels[i].column, sentinels[i].value);
        summarize(1);
        cr_assert_eq(facts[0].usability, DJ_ROW_USABLE, "%s = %lld",
                     dj_frame_column_name(sentinels[i].column),
                     (long long)sentinels[i].value);
    }
}

Test(summary, a_stage_long_before_the_dump_is_implausible)
{
    plausible = (struct dj_stamp_bounds){1000 * MS, 100000 * MS};
    frames[0] = frame_at(2000 * MS, 8 * MS);
    frames[0].value[DJ_COLUMN_SYNC_START] = 5;
    frames[1] = frame_at(2020 * MS, 8 * MS);
    frames[1].value[DJ_COLUMN_INTENDED_VSYNC] = 0;
    frames[2] = frame_at(2040 * MS, 8 * MS);
    /* Belongs to an earlier frame. */
    frames[2].value[DJ_COLUMN_FRAME_COMPLETED] = 900 * MS;
    frames[3] = frame_at(2060 * MS, 8 * MS);
    dj_frame_set(&frames[3], DJ_COLUMN_GPU_COMPLETED, 900 * MS);
    summarize(4);
    cr_assert_eq(facts[0].usability, DJ_ROW_IMPLAUSIBLE);
    cr_assert_eq(facts[1].usability, DJ_ROW_IMPLAUSIBLE);
    cr_assert_eq(facts[2].usability, DJ_ROW_NOT_COMPLETED);
    cr_assert_eq(facts[3].usability, DJ_ROW_STALE);
}

Test(summary, the_last_of_two_rows_of_a_frame_counts)
{
    /* Two readings were joined. The second one repeats the rows of the first one, and
     * one of these rows is complete only in the second reading. */
    frames[0] = frame_at(1 * INTERVAL_NS, 8 * MS);
    frames[1] = frame_at(2 * INTERVAL_NS, 8 * MS);
    frames[1].value[DJ_COLUMN_FRAME_COMPLETED] = 0;
    frames[2] = frame_at(1 * INTERVAL_NS, 8 * MS);
    frames[3] = frame_at(2 * INTERVAL_NS, 20 * MS);
    frames[4] = frame_at(3 * INTERVAL_NS, 8 * MS);
    struct dj_summary summary = summarize(5);
    cr_assert_eq(facts[0].usability, DJ_ROW_DUPLICATE);
    cr_assert_eq(facts[1].usability, DJ_ROW_DUPLICATE);
    cr_assert_eq(summary.usable, 3);
    cr_assert_eq(summary.excluded[DJ_ROW_DUPLICATE], 2);
    cr_assert_eq(summary.janky, 1);
    cr_assert_eq(summary.frame_time.max_ns, 20 * MS);
}

Test(summary, a_truncated_row_hides_no_complete_one)
{
    frames[0] = frame_at(1 * INTERVAL_NS, 8 * MS);
    frames[1] = frame_at(1 * INTERVAL_NS, 8 * MS);
    frames[1].known &= ~DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED);
    struct dj_summary summary = summarize(2);
    cr_assert_eq(facts[0].usability, DJ_ROW_USABLE);
    cr_assert_eq(facts[1].usability, DJ_ROW_INCOMPLETE);
    cr_assert_eq(summary.usable, 1);
}

Test(summary, an_old_present_time_excludes_nothing)
{
    frames[0] = frame_at(10 * INTERVAL_NS, 8 * MS);
    dj_frame_set(&frames[0], DJ_COLUMN_DISPLAY_PRESENT_TIME, INTERVAL_NS);
    frames[1] = frame_at(11 * INTERVAL_NS, 8 * MS);
    dj_frame_set(&frames[1], DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED, INTERVAL_NS);
    struct dj_summary summary = summarize(2);
    cr_assert_eq(facts[0].usability, DJ_ROW_USABLE);
    cr_assert_eq(facts[1].usability, DJ_ROW_STALE);
    cr_assert_eq(summary.usable, 1);
}

Test(summary, jank_is_judged_by_the_rule_of_the_release)
{
    for (size_t i = 0; i < 70; i++) {
        frames[i] =
            frame_at((int64_t)(i + 1) * 2 * INTERVAL_NS, i % 7 == 6 ? 30 * MS : 8 * MS);
    }
    struct dj_summary summary = summarize(70);
    cr_assert_eq(summary.janky, 10);
    cr_assert_eq(summary.deadline_missed, 10);
    cr_assert_eq(summary.replayed.counter[DJ_COUNTER_JANKY], 10);
}

/* A row with flag 1 is judged and moves the deadline, but the exact statistics exclude
 * it. */
Test(summary, row_facts_agree_with_the_statistics)
{
    for (size_t i = 0; i < 4; i++) {
        frames[i] = frame_at((int64_t)(i + 1) * 4 * INTERVAL_NS, 30 * MS);
    }
    frames[1].value[DJ_COLUMN_FLAGS] = DJ_FLAG_WINDOW_CHANGED;
    frames[2].value[DJ_COLUMN_FLAGS] = DJ_FLAG_SKIPPED_FRAME;
    frames[3] = frame_at(16 * INTERVAL_NS, 5 * MS);
    struct dj_summary summary = summarize(4);
    static const struct dj_row_facts want[] = {
        {30 * MS, true, true, DJ_ROW_USABLE},
        {30 * MS, true, true, DJ_ROW_WINDOW_CHANGED},
        {-1, false, false, DJ_ROW_SKIPPED},
        {5 * MS, true, false, DJ_ROW_USABLE},
    };
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(facts[i].frame_time_ns, want[i].frame_time_ns, "row %zu", i);
        cr_assert_eq(facts[i].judged, want[i].judged, "row %zu", i);
        cr_assert_eq(facts[i].janky, want[i].janky, "row %zu", i);
        cr_assert_eq(facts[i].usability, want[i].usability, "row %zu", i);
    }
    cr_assert_eq(summary.exact.counter[DJ_COUNTER_JANKY], 1);
    cr_assert_eq(summary.replayed.counter[DJ_COUNTER_JANKY], 2);
}

Test(summary, pauses_do_not_lower_the_rate)
{
    size_t count = 0;
    for (int64_t burst = 0; burst < 3; burst++) {
        for (int64_t i = 0; i < 30; i++) {
            frames[count++] = frame_at(1 + burst * 5000 * MS + i * INTERVAL_NS, 8 * MS);
        }
    }
    struct dj_summary summary = summarize(count);
    cr_assert_eq(summary.making_frames, 87);
    cr_assert_float_eq(dj_frame_summary_rate_hz(&summary), 60.0, 0.001);
    /* A frame that lasts one second is not a pause, because no other frame could be
     * drawn. */
    frames[0] = frame_at(1, 1000 * MS);
    frames[1] = frame_at(1001 * MS, 8 * MS);
    summary = summarize(2);
    cr_assert_float_eq(dj_frame_summary_rate_hz(&summary), 1.0, 0.01);
}

/* Steps in fractions of an interval, and the number of dropped intervals of each. */
Test(summary, dropped_intervals_are_rounded_to_the_nearest_integer)
{
    static const struct {
        int64_t step_ns;
        size_t dropped;
    } steps[] = {
        {INTERVAL_NS_60 / 2, 0},         {INTERVAL_NS_60, 0},
        {INTERVAL_NS_60 * 3 / 2 - 1, 0}, {INTERVAL_NS_60 * 3 / 2, 1},
        {INTERVAL_NS_60 * 2, 1},         {INTERVAL_NS_60 * 5 / 2 - 1, 1},
        {INTERVAL_NS_60 * 5 / 2, 2},     {INTERVAL_NS_60 * 6, 5},
        {INTERVAL_NS_60 * 7, 0}, /* A pause: no frame was requested. */
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        frames[0] = frame_at(MS, 8 * MS);
        frames[1] = frame_at(MS + steps[i].step_ns, 8 * MS);
        struct dj_summary summary = summarize(2);
        cr_assert_eq(summary.dropped_intervals, steps[i].dropped, "step %zu", i);
        cr_assert_eq(summary.making_frames, i == 8 ? 0 : 1);
    }
}

Test(summary, all_intervals_of_a_slow_frame_are_dropped)
{
    frames[0] = frame_at(MS, 1000 * MS);
    frames[1] = frame_at(MS + 60 * INTERVAL_NS, 8 * MS);
    frames[2] = frame_at(MS + 61 * INTERVAL_NS, 8 * MS);
    struct dj_summary summary = summarize(3);
    cr_assert_eq(summary.dropped_intervals, 59);
    cr_assert_eq(summary.making_frames, 2);
}

/* The display changes from 60 to 120 Hz and back. The step at each change drops no
 * interval. */
Test(summary, dropped_intervals_follow_the_frames_own_interval)
{
    static const int64_t interval_ns[] = {16666666, 16666666, 8333333, 8333333, 16666666};
    int64_t start_ns = MS;
    for (size_t i = 0; i < 5; i++) {
        frames[i] = frame_at(start_ns, 4 * MS);
        dj_frame_set(&frames[i], DJ_COLUMN_FRAME_INTERVAL, interval_ns[i]);
        start_ns += interval_ns[i];
    }
    cr_assert_eq(summarize(5).dropped_intervals, 0);
    for (size_t i = 3; i < 5; i++) {
        frames[i].value[DJ_COLUMN_INTENDED_VSYNC] += 8333333;
        frames[i].value[DJ_COLUMN_FRAME_COMPLETED] += 8333333;
    }
    cr_assert_eq(summarize(5).dropped_intervals, 1);
    frames[2].value[DJ_COLUMN_FRAME_INTERVAL] = -1;
    frames[3].value[DJ_COLUMN_FRAME_INTERVAL] = 0;
    cr_assert_eq(summarize(5).dropped_intervals, 0,
                 "the window's 60 Hz is used for an invalid interval");
}

Test(summary, the_guide_uses_only_rows_without_flags)
{
    static const int64_t flags[] = {
        0, DJ_FLAG_RT_ANIMATION, DJ_FLAG_SURFACE_CANVAS, DJ_FLAG_WINDOW_CHANGED, 0, 0};
    for (size_t i = 0; i < 6; i++) {
        frames[i] = frame_at((int64_t)(i + 1) * 3 * INTERVAL_NS, 20 * MS);
        frames[i].value[DJ_COLUMN_FLAGS] = flags[i];
    }
    frames[4] = frame_at(15 * INTERVAL_NS, INTERVAL_NS);
    frames[5].known &= ~DJ_COLUMN_BIT(DJ_COLUMN_FLAGS);
    struct dj_summary summary = summarize(6);
    cr_assert_eq(summary.usable, 5);
    cr_assert_eq(summary.guide_total.count, 5);
    cr_assert_eq(summary.guide.count, 2, "unknown flags are not 0");
    cr_assert_eq(summary.guide_over, 1, "exactly one interval is not longer than it");
    cr_assert_eq(summary.guide.max_ns, 20 * MS);
    cr_assert_eq(summary.guide.min_ns, INTERVAL_NS);
    cr_assert_eq(summary.replayed.counter[DJ_COUNTER_TOTAL], 6, "hwui counts all rows");
}

Test(summary, without_flags_the_guide_uses_all_rows)
{
    for (size_t i = 0; i < 10; i++) {
        frames[i] = frame_at((int64_t)(i + 1) * INTERVAL_NS, (int64_t)(i + 1) * MS);
    }
    struct dj_summary summary = summarize(10);
    cr_assert_eq(memcmp(&summary.guide, &summary.guide_total, sizeof(summary.guide)), 0);
    cr_assert_eq(summary.guide_over, 0);
}

Test(summary, hostile_timestamps_do_not_overflow)
{
    static const int64_t stamps[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    size_t count = 0;
    for (size_t a = 0; a < 5; a++) {
        for (size_t b = 0; b < 5; b++) {
            frames[count] = frame_at(0, MS);
            frames[count].value[DJ_COLUMN_INTENDED_VSYNC] = stamps[a];
            frames[count++].value[DJ_COLUMN_FRAME_COMPLETED] = stamps[b];
        }
    }
    struct dj_summary summary = summarize(count);
    size_t excluded = 0;
    for (size_t i = 0; i < DJ_USABILITY_COUNT; i++) {
        excluded += summary.excluded[i];
    }
    cr_assert_eq(summary.usable + excluded, 25);
}

/* Compares with a simple sum over the stages of the rows. */
static void expect_stage(const struct dj_summary *summary, size_t count,
                         enum dj_stage stage)
{
    int64_t total_ns = 0;
    int64_t most_ns = 0;
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        struct dj_stages stages;
        dj_frame_compute_stages(&frames[i], &stages);
        if (facts[i].usability == DJ_ROW_USABLE && (stages.known & (1U << stage)) != 0) {
            rows++;
            total_ns += stages.ns[stage];
            most_ns = stages.ns[stage] > most_ns ? stages.ns[stage] : most_ns;
        }
    }
    cr_expect_eq(summary->stage[stage].count, rows, "%s", dj_frame_stage_name(stage));
    cr_expect_eq(summary->stage[stage].total_ns, total_ns, "%s",
                 dj_frame_stage_name(stage));
    cr_expect_eq(summary->stage[stage].max_ns, most_ns, "%s", dj_frame_stage_name(stage));
}

Test(summary, rows_of_one_window_may_know_different_stages)
{
    static const enum dj_column phases[] = {
        DJ_COLUMN_HANDLE_INPUT_START, DJ_COLUMN_ANIMATION_START,
        DJ_COLUMN_PERFORM_TRAVERSALS_START, DJ_COLUMN_DRAW_START};
    for (size_t i = 0; i < MOST; i++) {
        int64_t start_ns = (int64_t)(i + 1) * INTERVAL_NS;
        frames[i] = frame_at(start_ns, 10 * MS + (int64_t)(i * 7919 % 1000) * 1000);
        for (size_t k = 0; k < 4; k++) {
            if ((i >> k) % 2 == 1) {
                dj_frame_set(&frames[i], phases[k], start_ns + (int64_t)(k + 1) * MS);
            }
        }
        if (i % 10 == 9) {
            frames[i].known &= ~DJ_COLUMN_BIT(DJ_COLUMN_SYNC_QUEUED);
        }
        if (i % 50 == 49) {
            frames[i].value[DJ_COLUMN_FLAGS] = DJ_FLAG_SKIPPED_FRAME;
        }
    }
    struct dj_summary summary = summarize(MOST);
    cr_assert_eq(summary.usable, MOST - MOST / 50);
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        expect_stage(&summary, MOST, (enum dj_stage)i);
    }
    cr_expect_gt(summary.stage[DJ_STAGE_APP].count, 0);
    cr_expect_gt(summary.stage[DJ_STAGE_LAYOUT].count, 0);
}

Test(summary, totals_are_limited_and_means_are_not)
{
    for (size_t i = 0; i < 4; i++) {
        frames[i] = frame_at((int64_t)i + 1, INT64_MAX / 2);
    }
    struct dj_summary summary = summarize(4);
    cr_assert_eq(summary.guide_total.total_ns, INT64_MAX);
    cr_assert_float_eq(summary.guide_total.mean_ns, (double)(INT64_MAX / 2), 2048);
}

Test(summary, replayed_counts_include_exact_ones)
{
    for (size_t i = 0; i < 40; i++) {
        frames[i] = frame_at((int64_t)(i + 1) * 2 * INTERVAL_NS, (int64_t)(i + 1) * MS);
        frames[i].value[DJ_COLUMN_FLAGS] = i % 4 == 3 ? DJ_FLAG_WINDOW_CHANGED : 0;
    }
    struct dj_summary summary = summarize(40);
    cr_assert_eq(summary.replayed.counter[DJ_COUNTER_TOTAL], 40);
    cr_assert_eq(summary.exact.counter[DJ_COUNTER_TOTAL], 30);
    uint32_t in_buckets = 0;
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        cr_assert_leq(summary.exact.frame_histogram[i],
                      summary.replayed.frame_histogram[i]);
        in_buckets += summary.replayed.frame_histogram[i];
    }
    cr_assert_eq(in_buckets, 40);
    cr_assert_eq(summary.replayed.counter[DJ_COUNTER_JANKY],
                 summary.exact.counter[DJ_COUNTER_JANKY] + 6, "of 20, 24 … 40 ms");
}

Test(summary, a_step_of_an_interval_and_a_half_drops_one)
{
    static const int64_t lengths[] = {1,        16666666, 24999998, 24999999,
                                      25000000, 41666664, 41666665};
    static const size_t dropped[] = {0, 0, 0, 1, 1, 1, 2};
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        frames[0] = frame_at(MS, 1);
        frames[1] = frame_at(MS + lengths[i], 1);
        struct dj_summary summary = summarize(2);
        cr_expect_eq(summary.dropped_intervals, dropped[i], "%lld ns",
                     (long long)lengths[i]);
    }
}

static struct dj_frame present_at(int64_t at_ns, int64_t flags)
{
    struct dj_frame frame = {0};
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, flags);
    dj_frame_set(&frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, at_ns);
    return frame;
}

Test(summary, rows_with_only_a_present_have_a_rate_and_no_frame_time)
{
    for (int i = 0; i < 40; i++) {
        bool skipped = i % 10 == 9;
        frames[i] =
            present_at(1000 * MS + i * INTERVAL_NS, skipped ? DJ_FLAG_SKIPPED_FRAME : 0);
    }
    struct dj_summary summary = summarize(40);
    cr_expect_eq(summary.usable, 0);
    cr_expect_eq(summary.excluded[DJ_ROW_PRESENT_ONLY], 36);
    cr_expect_eq(summary.excluded[DJ_ROW_SKIPPED], 4);
    cr_expect_eq(summary.frame_time.count, 0);
    cr_expect_eq(summary.replayed.counter[DJ_COUNTER_TOTAL], 36);
    cr_expect_eq(summary.replayed.counter[DJ_COUNTER_JANKY], 0);
    cr_expect_eq(summary.making_frames, 35);
    cr_expect_eq(summary.dropped_intervals, 3);
}

Test(summary, a_pause_between_presents_is_in_no_step)
{
    frames[0] = present_at(1000 * MS, 0);
    frames[1] = present_at(1017 * MS, 0);
    frames[2] = present_at(2000 * MS, 0);
    frames[3] = present_at(2017 * MS, 0);
    struct dj_summary summary = summarize(4);
    cr_expect_eq(summary.making_frames, 2);
    cr_expect_eq(summary.making_ns, 34 * MS);
}

Test(summary, a_present_outside_the_plausible_range_is_implausible)
{
    plausible = (struct dj_stamp_bounds){500 * MS, 1500 * MS};
    frames[0] = present_at(400 * MS, 0);
    frames[1] = present_at(1000 * MS, 0);
    frames[2] = present_at(1600 * MS, 0);
    struct dj_summary summary = summarize(3);
    plausible = (struct dj_stamp_bounds){0};
    cr_expect_eq(summary.excluded[DJ_ROW_IMPLAUSIBLE], 2);
    cr_expect_eq(summary.excluded[DJ_ROW_PRESENT_ONLY], 1);
}

Test(summary, one_present_in_two_readings_is_a_duplicate)
{
    frames[0] = present_at(1000 * MS, 0);
    frames[1] = present_at(1017 * MS, 0);
    frames[2] = present_at(1000 * MS, 0);
    struct dj_summary summary = summarize(3);
    cr_expect_eq(summary.excluded[DJ_ROW_DUPLICATE], 1);
    cr_expect_eq(summary.excluded[DJ_ROW_PRESENT_ONLY], 2);
}
