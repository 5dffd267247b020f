#include "made_log.h"

/* A log of presented frames. */
struct shown {
    struct made_log log;
    int64_t present_ns;
};

/* Adds a frame that becomes visible `step_ns` after the frame before it. */
static struct dj_jank_frame *show(struct shown *shown, int64_t step_ns)
{
    struct dj_jank_frame *frame = add_frame(&shown->log, step_ns);
    shown->present_ns = shown->present_ns == 0 ? 1020 * MS : shown->present_ns + step_ns;
    frame->present_ns = shown->present_ns;
    frame->interval_ns = INTERVAL_NS;
    return frame;
}

Test(present, of_a_steady_log_has_no_errors)
{
    static struct shown shown;
    for (size_t i = 0; i < 100; i++) {
        show(&shown, INTERVAL_NS);
    }
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.presents, 100);
    cr_expect_eq(present.step.count, 99);
    cr_expect_eq(present.step.p50_ns, INTERVAL_NS);
    cr_expect_eq(present.step.max_ns, INTERVAL_NS);
    cr_expect_eq(present.late_total, 0);
    cr_expect_eq(present.repeated, 0);
    cr_expect_eq(present.skipped, 0);
    cr_expect_eq(present.pacing.max_ns, 0);
    cr_expect_eq(present.animation.max_ns, 0);
    cr_expect_null(present.reason);
}

Test(present, late_presents_are_counted_by_refreshes)
{
    static struct shown shown;
    static const int64_t refreshes[] = {1, 1, 2, 1, 3, 4, 5, 9, 1};
    for (size_t i = 0; i < sizeof(refreshes) / sizeof(refreshes[0]); i++) {
        show(&shown, refreshes[i] * INTERVAL_NS);
    }
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.late[0], 1);
    cr_expect_eq(present.late[1], 1);
    cr_expect_eq(present.late[2], 1);
    cr_expect_eq(present.late[3], 2, "5 and 9 refreshes");
    cr_expect_eq(present.late_total, 5);
    cr_expect_eq(present.repeated, 1 + 2 + 3 + 4 + 8);
    cr_expect_eq(present.step.max_ns, 9 * INTERVAL_NS);
}

/* The display shows the frame 2 ms too late, and the next one in time again. */
Test(present, pacing_error_is_the_distance_from_whole_refreshes)
{
    static struct shown shown;
    show(&shown, INTERVAL_NS);
    show(&shown, INTERVAL_NS);
    show(&shown, INTERVAL_NS + 2 * MS);
    show(&shown, INTERVAL_NS - 2 * MS);
    show(&shown, INTERVAL_NS);
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.pacing.count, 4);
    cr_expect_float_eq(present.pacing.mean_ns, MS, 1e-6);
    cr_expect_eq(present.pacing.max_ns, 2 * MS);
    cr_expect_eq(present.late_total, 0);
}

/* The content moves on by one refresh, but the display by two, and the reverse. */
Test(present, animation_error_compares_contents_with_presents)
{
    static struct shown shown;
    int64_t content_ns = 5000 * MS;
    static const int64_t refreshes[] = {1, 1, 2, 1};
    static const int64_t contents[] = {1, 1, 1, 2};
    for (size_t i = 0; i < 4; i++) {
        content_ns += contents[i] * INTERVAL_NS;
        show(&shown, refreshes[i] * INTERVAL_NS)->animation_ns = content_ns;
    }
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.animation.count, 3);
    cr_expect_eq(present.animation.max_ns, INTERVAL_NS);
    cr_expect_float_eq(present.animation.mean_ns, 2.0 * INTERVAL_NS / 3, 1e-3);
}

Test(present, starts_replace_unknown_times_of_contents)
{
    static struct shown shown;
    show(&shown, INTERVAL_NS);
    show(&shown, INTERVAL_NS)->present_ns += 3 * MS;
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.animation.max_ns, 3 * MS);
}

Test(present, frames_without_a_present_between_others_were_skipped)
{
    static struct shown shown;
    show(&shown, INTERVAL_NS);
    show(&shown, INTERVAL_NS)->present_ns = DJ_JANK_UNKNOWN;
    show(&shown, INTERVAL_NS);
    show(&shown, INTERVAL_NS)->present_ns = DJ_JANK_UNKNOWN; /* Still pending. */
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.presents, 2);
    cr_expect_eq(present.skipped, 1);
    cr_expect_eq(present.step.count, 1);
    cr_expect_eq(present.step.max_ns, 2 * INTERVAL_NS);
    cr_expect_eq(present.repeated, 1);
}

Test(present, two_frames_in_one_refresh_skip_one)
{
    static struct shown shown;
    show(&shown, INTERVAL_NS);
    show(&shown, INTERVAL_NS);
    struct dj_jank_frame *frame = show(&shown, INTERVAL_NS);
    frame->present_ns -= INTERVAL_NS;
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.skipped, 1);
    cr_expect_eq(present.step.count, 2);
}

Test(present, pauses_are_no_steps)
{
    static struct shown shown;
    for (size_t i = 0; i < 10; i++) {
        shown.log.now_ns += i == 5 ? 400 * MS : 0;
        shown.present_ns += i == 5 ? 400 * MS : 0;
        show(&shown, INTERVAL_NS);
    }
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.step.count, 8);
    cr_expect_eq(present.step.max_ns, INTERVAL_NS);
    cr_expect_eq(present.late_total, 0);
}

Test(present, unknown_presents_have_a_reason)
{
    static struct made_log made;
    add_frames(&made, 10, 10 * MS);
    struct dj_present_figures present = compute(&made).present;
    cr_expect_eq(present.presents, 0);
    cr_expect_eq(present.step.count, 0);
    cr_expect(isnan(present.pacing.mean_ns));
    cr_expect(isnan(present.animation.mean_ns));
    cr_expect_str_eq(present.reason, "no frame has a present time");
}

Test(present, without_an_interval_steps_are_known_but_refreshes_are_not)
{
    static struct shown shown;
    for (size_t i = 0; i < 10; i++) {
        show(&shown, INTERVAL_NS)->interval_ns = DJ_JANK_UNKNOWN;
    }
    struct dj_present_figures present = compute(&shown.log).present;
    cr_expect_eq(present.step.count, 9);
    cr_expect_not(present.has_refreshes);
    cr_expect(isnan(present.pacing.mean_ns));
    cr_expect_eq(present.animation.count, 9);
}

/* Makes the newest frame one of which only the present is known. */
static void forget_times(struct dj_jank_frame *frame)
{
    frame->start_ns = frame->completed_ns = frame->present_ns;
    frame->present_only = true;
}

Test(present, frames_with_only_a_present_count_in_no_rule)
{
    static struct shown shown;
    for (size_t i = 0; i < 100; i++) {
        forget_times(show(&shown, i == 50 ? 4 * INTERVAL_NS : INTERVAL_NS));
    }
    struct dj_jank_figures figures = compute(&shown.log);
    cr_expect_eq(figures.present.presents, 100);
    cr_expect_eq(figures.present.late[2], 1);
    cr_expect_eq(figures.present.late_total, 1);
    cr_expect_eq(figures.present.skipped, 0);
    cr_expect_eq(figures.present.animation.count, 0);
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        cr_expect(isnan(figures.rule[i].value));
    }
}

Test(present, a_skipped_present_is_counted_also_next_to_a_pause)
{
    static struct shown shown;
    for (size_t i = 0; i < 10; i++) {
        struct dj_jank_frame *frame =
            show(&shown, i == 5 ? 40 * INTERVAL_NS : INTERVAL_NS);
        forget_times(frame);
        if (i == 5 || i == 7) {
            frame->present_ns = DJ_JANK_UNKNOWN;
        }
    }
    struct dj_jank_figures figures = compute(&shown.log);
    cr_expect_eq(figures.present.presents, 8);
    cr_expect_eq(figures.present.skipped, 2);
    cr_expect_eq(figures.present.step.count, 6, "%zu", figures.present.step.count);
    cr_expect_eq(figures.present.step.max_ns, 2 * INTERVAL_NS);
}
