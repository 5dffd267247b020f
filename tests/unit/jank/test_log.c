#include "made_log.h"

/* ---- rows ---- */

static struct dj_frame make_row(int64_t start_ns, int64_t completed_ns)
{
    struct dj_frame row = {0};
    dj_frame_set(&row, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&row, DJ_COLUMN_INTENDED_VSYNC, start_ns);
    dj_frame_set(&row, DJ_COLUMN_VSYNC, start_ns);
    dj_frame_set(&row, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, start_ns + 5 * MS);
    dj_frame_set(&row, DJ_COLUMN_FRAME_COMPLETED, completed_ns);
    return row;
}

static const struct dj_row_facts usable = {.usability = DJ_ROW_USABLE};

static struct dj_jank_frame read_one(const struct dj_frame *row,
                                     const struct dj_summary_rules *rules)
{
    struct dj_jank_frame frame;
    cr_assert_eq(dj_jank_read_rows(row, &usable, 1, rules, &frame), 1);
    return frame;
}

static struct dj_summary_rules make_rules(const char *release, bool assumed)
{
    return (struct dj_summary_rules){.dialect = dj_frame_dialect_find(release),
                                     .interval_ns = INTERVAL_NS,
                                     .interval_assumed = assumed};
}

Test(rows, that_record_only_start_and_end_leave_the_rest_unknown)
{
    struct dj_summary_rules rules = make_rules("11", true);
    struct dj_frame row = {0};
    dj_frame_set(&row, DJ_COLUMN_INTENDED_VSYNC, 1000 * MS);
    dj_frame_set(&row, DJ_COLUMN_FRAME_COMPLETED, 1020 * MS);
    struct dj_jank_frame frame = read_one(&row, &rules);
    cr_expect_eq(frame.start_ns, 1000 * MS);
    cr_expect_eq(frame.completed_ns, 1020 * MS);
    cr_expect_eq(frame.present_ns, DJ_JANK_UNKNOWN);
    cr_expect_eq(frame.animation_ns, DJ_JANK_UNKNOWN);
    cr_expect_eq(frame.interval_ns, DJ_JANK_UNKNOWN, "60 Hz is only assumed");
    cr_expect_eq(frame.deadline_ns, DJ_JANK_UNKNOWN);
    cr_expect_eq(frame.ui_ns, DJ_JANK_UNKNOWN);
    cr_expect_eq(frame.legacy, DJ_JANK_NOT_JUDGED);
    cr_expect_eq(frame.deadline, DJ_JANK_NOT_JUDGED);
}

Test(rows, have_their_own_interval_or_that_of_the_display)
{
    struct dj_summary_rules rules = make_rules("11", false);
    struct dj_frame row = make_row(1000 * MS, 1010 * MS);
    cr_expect_eq(read_one(&row, &rules).interval_ns, INTERVAL_NS);
    dj_frame_set(&row, DJ_COLUMN_FRAME_INTERVAL, 8 * MS);
    cr_expect_eq(read_one(&row, &rules).interval_ns, 8 * MS);
}

/* hwui does not clear the slots of its ring, so old values remain. */
Test(rows, presents_and_deadlines_before_the_start_are_unknown)
{
    struct dj_summary_rules rules = make_rules("13", false);
    struct dj_frame row = make_row(1000 * MS, 1010 * MS);
    dj_frame_set(&row, DJ_COLUMN_DISPLAY_PRESENT_TIME, 900 * MS);
    dj_frame_set(&row, DJ_COLUMN_FRAME_DEADLINE, INT64_MAX);
    cr_expect_eq(read_one(&row, &rules).present_ns, DJ_JANK_UNKNOWN);
    cr_expect_eq(read_one(&row, &rules).deadline_ns, DJ_JANK_UNKNOWN);
    dj_frame_set(&row, DJ_COLUMN_DISPLAY_PRESENT_TIME, 1020 * MS);
    dj_frame_set(&row, DJ_COLUMN_FRAME_DEADLINE, 1016 * MS);
    cr_expect_eq(read_one(&row, &rules).present_ns, 1020 * MS);
    cr_expect_eq(read_one(&row, &rules).deadline_ns, 1016 * MS);
}

Test(rows, are_judged_by_both_rules_of_hwui)
{
    struct dj_summary_rules rules = make_rules("13", false);
    struct dj_frame row = make_row(1000 * MS, 1020 * MS);
    dj_frame_set(&row, DJ_COLUMN_SWAP_BUFFERS_COMPLETED, 1012 * MS);
    dj_frame_set(&row, DJ_COLUMN_GPU_COMPLETED, 1020 * MS);
    dj_frame_set(&row, DJ_COLUMN_FRAME_INTERVAL, INTERVAL_NS);
    dj_frame_set(&row, DJ_COLUMN_FRAME_DEADLINE, 1016 * MS);
    struct dj_jank_frame frame = read_one(&row, &rules);
    cr_expect_eq(frame.legacy, DJ_JANK_IN_TIME, "12 ms until the end of swapping");
    cr_expect_eq(frame.deadline, DJ_JANK_JANKY, "the GPU missed the deadline");
    cr_expect_eq(frame.ui_ns, 5 * MS);
}

Test(rows, of_android_11_have_no_deadline)
{
    struct dj_summary_rules rules = make_rules("11", false);
    struct dj_frame row = make_row(1000 * MS, 1020 * MS);
    cr_expect_eq(read_one(&row, &rules).legacy, DJ_JANK_JANKY);
    cr_expect_eq(read_one(&row, &rules).deadline, DJ_JANK_NOT_JUDGED);
    rules.interval_assumed = true;
    cr_expect_eq(read_one(&row, &rules).legacy, DJ_JANK_NOT_JUDGED);
}

Test(rows, that_hwui_did_not_count_are_left_out)
{
    const struct dj_frame rows[] = {make_row(1000 * MS, 1010 * MS),
                                    make_row(1016 * MS, 1026 * MS),
                                    make_row(1033 * MS, 1043 * MS)};
    const struct dj_row_facts facts[] = {{.usability = DJ_ROW_USABLE},
                                         {.usability = DJ_ROW_SKIPPED},
                                         {.usability = DJ_ROW_WINDOW_CHANGED}};
    struct dj_summary_rules rules = make_rules("11", false);
    struct dj_jank_frame frames[3];
    cr_assert_eq(dj_jank_read_rows(rows, facts, 3, &rules, frames), 2);
    cr_expect_not(frames[0].excluded);
    cr_expect(frames[1].excluded);
    cr_expect_eq(frames[1].start_ns, 1033 * MS);
}

/* ---- frame-to-frame times ---- */

static int64_t gap_after(const struct dj_jank_frame *a, const struct dj_jank_frame *b)
{
    const struct dj_jank_frame frames[] = {*a, *b};
    const struct dj_jank_log log = {frames, 2, INTERVAL_NS};
    return dj_jank_gap_ns(&log, 1);
}

Test(gaps, are_between_completions_if_a_present_is_unknown)
{
    struct dj_jank_frame a = made_frame(1000 * MS, 1010 * MS);
    struct dj_jank_frame b = made_frame(1016 * MS, 1040 * MS);
    cr_expect_eq(gap_after(&a, &b), 30 * MS);
    a.present_ns = 1020 * MS;
    cr_expect_eq(gap_after(&a, &b), 30 * MS);
    b.present_ns = 1053 * MS;
    cr_expect_eq(gap_after(&a, &b), 33 * MS);
    b.present_ns = 1019 * MS;
    cr_expect_eq(gap_after(&a, &b), 30 * MS, "the present before it was later");
}

Test(gaps, of_frames_without_a_predecessor_are_their_durations)
{
    struct dj_jank_frame a = made_frame(1000 * MS, 1010 * MS);
    struct dj_jank_frame b = made_frame(1010 * MS + 6 * INTERVAL_NS, 1200 * MS);
    const struct dj_jank_log log = {&a, 1, INTERVAL_NS};
    cr_expect_eq(dj_jank_gap_ns(&log, 0), 10 * MS);
    cr_expect_eq(gap_after(&a, &b), b.completed_ns - b.start_ns, "a pause");
    b.start_ns -= 1;
    cr_expect_eq(gap_after(&a, &b), 190 * MS);
    b.start_ns = a.start_ns;
    cr_expect_eq(gap_after(&a, &b), 200 * MS, "the frame did not start later");
}

Test(gaps, are_never_negative)
{
    struct dj_jank_frame a = made_frame(1000 * MS, 1050 * MS);
    struct dj_jank_frame b = made_frame(1016 * MS, 1020 * MS);
    cr_expect_eq(gap_after(&a, &b), 0);
}

Test(refreshes, are_rounded_half_up)
{
    cr_expect_eq(dj_jank_count_intervals(0, 10), 0);
    cr_expect_eq(dj_jank_count_intervals(4, 10), 0);
    cr_expect_eq(dj_jank_count_intervals(5, 10), 1);
    cr_expect_eq(dj_jank_count_intervals(14, 10), 1);
    cr_expect_eq(dj_jank_count_intervals(15, 10), 2);
    cr_expect_eq(dj_jank_count_intervals(1, 3), 0);
    cr_expect_eq(dj_jank_count_intervals(2, 3), 1);
}

Test(refreshes, use_presents_or_else_starts)
{
    struct dj_jank_frame frames[] = {made_frame(1000 * MS, 1010 * MS),
                                     made_frame(1052 * MS, 1060 * MS)};
    const struct dj_jank_log log = {frames, 2, INTERVAL_NS};
    cr_expect_eq(dj_jank_refreshes(&log, 0), -1);
    cr_expect_eq(dj_jank_refreshes(&log, 1), -1, "the interval is unknown");
    frames[0].interval_ns = INTERVAL_NS;
    cr_expect_eq(dj_jank_refreshes(&log, 1), 3);
    frames[1].interval_ns = 2 * INTERVAL_NS;
    cr_expect_eq(dj_jank_refreshes(&log, 1), 2, "the longer interval counts");
    frames[0].present_ns = 1020 * MS;
    frames[1].present_ns = 1053 * MS;
    cr_expect_eq(dj_jank_refreshes(&log, 1), 1);
}
