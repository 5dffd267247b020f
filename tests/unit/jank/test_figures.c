#include "base/count_of.h"
#include "made_log.h"

/* ---- 1 % low ---- */

/* The same data gives three figures that tools call "1 % low". */
Test(lows, of_one_long_frame_differ_by_formula)
{
    for (size_t at = 0; at <= 999; at += 333) {
        static struct made_log made;
        made = (struct made_log){0};
        add_frames(&made, at, 8 * MS);
        add_frame(&made, 200 * MS);
        add_frames(&made, 999 - at, 8 * MS);
        struct dj_jank_figures figures = compute(&made);
        expect_figure(&figures, DJ_JANK_LOW1_INTEGRAL, 5.0);
        /* Ten frames: (200 + 9 × 8) ÷ 10 = 27.2 ms. */
        expect_figure(&figures, DJ_JANK_LOW1_MEAN, 1000 / 27.2);
        expect_figure(&figures, DJ_JANK_LOW1_P1, 125.0);
    }
}

Test(lows, of_equal_frames_are_their_rate)
{
    static struct made_log made;
    add_frames(&made, 60, 20 * MS);
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_LOW1_INTEGRAL, 50);
    expect_figure(&figures, DJ_JANK_LOW1_MEAN, 50);
    expect_figure(&figures, DJ_JANK_LOW1_P1, 50);
}

Test(lows, interpolate_percentiles_as_type_7)
{
    static struct made_log made;
    add_frames(&made, 100, 10 * MS);
    add_frame(&made, 30 * MS);
    struct dj_jank_figures figures = compute(&made);
    /* 101 frames: h = 100 × 0.99 = 99, so the percentile is 10 ms. */
    expect_figure(&figures, DJ_JANK_LOW1_P1, 100);
    /* Two frames: (30 + 10) ÷ 2 = 20 ms. */
    expect_figure(&figures, DJ_JANK_LOW1_MEAN, 50);
    /* 30 ms are more than 1 % of 1030 ms. */
    expect_figure(&figures, DJ_JANK_LOW1_INTEGRAL, 1000 / 30.0);
}

/* ---- PerfDog ---- */

Test(perfdog, counts_janks_big_janks_and_stutter)
{
    static struct made_log made;
    add_frames(&made, 10, 10 * MS);
    add_frame(&made, 100 * MS); /* Jank */
    add_frames(&made, 3, 10 * MS);
    add_frame(&made, 130 * MS); /* BigJank, and so a Jank */
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_PERFDOG_JANK, 2);
    expect_figure(&figures, DJ_JANK_PERFDOG_BIG_JANK, 1);
    expect_figure(&figures, DJ_JANK_PERFDOG_STUTTER, 100.0 * 230 / (130 + 230));
    cr_expect_eq(figures.rule[DJ_JANK_PERFDOG_JANK].frames, 12);
}

/* The limits themselves are no jank: 84 ms, 125 ms, and twice the mean of the frames
 * before. */
Test(perfdog, limits_are_exclusive)
{
    static struct made_log made;
    add_frames(&made, 3, 10 * MS);
    add_frame(&made, 84 * MS);
    add_frames(&made, 3, 10 * MS);
    add_frame(&made, 125 * MS);
    add_frames(&made, 3, 50 * MS);
    add_frame(&made, 100 * MS);
    add_frames(&made, 3, 50 * MS);
    add_frame(&made, 100 * MS + 1);
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_PERFDOG_JANK, 2);
    expect_figure(&figures, DJ_JANK_PERFDOG_BIG_JANK, 0);
}

Test(perfdog, needs_three_frames_before)
{
    static struct made_log made;
    add_frames(&made, 2, 10 * MS);
    add_frame(&made, 500 * MS);
    struct dj_jank_figures figures = compute(&made);
    expect_unknown(&figures, DJ_JANK_PERFDOG_JANK);
    expect_unknown(&figures, DJ_JANK_PERFDOG_BIG_JANK);
    expect_unknown(&figures, DJ_JANK_PERFDOG_STUTTER);
}

/* ---- durations ---- */

Test(durations, firebase_limits_are_exclusive)
{
    static struct made_log made;
    add_frame(&made, 16 * MS);
    add_frame(&made, 16 * MS + 1);
    add_frame(&made, 700 * MS);
    add_frame(&made, 700 * MS + 1);
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_FIREBASE_SLOW, 75);
    expect_figure(&figures, DJ_JANK_FIREBASE_FROZEN, 25);
    cr_expect_eq(figures.rule[DJ_JANK_FIREBASE_SLOW].events, 3);
}

Test(durations, vitals_limits_are_inclusive)
{
    static struct made_log made;
    add_frame(&made, 34 * MS - 1);
    add_frame(&made, 34 * MS);
    add_frame(&made, 50 * MS - 1);
    add_frame(&made, 50 * MS);
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_VITALS_20, 25);
    expect_figure(&figures, DJ_JANK_VITALS_30, 75);
}

Test(durations, beyond_the_interval_are_delays)
{
    static struct made_log made;
    add_frame(&made, 10 * MS)->interval_ns = INTERVAL_NS;
    add_frame(&made, INTERVAL_NS)->interval_ns = INTERVAL_NS;
    add_frame(&made, INTERVAL_NS + 5 * MS)->interval_ns = INTERVAL_NS;
    add_frame(&made, 12 * MS)->interval_ns = 8 * MS;
    add_frame(&made, 900 * MS); /* Its interval is unknown. */
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_FREEZE_TIME, 9);
    expect_figure(&figures, DJ_JANK_FRAMES_DELAY, 0.009);
    cr_expect_eq(figures.rule[DJ_JANK_FREEZE_TIME].events, 2);
    cr_expect_eq(figures.rule[DJ_JANK_FREEZE_TIME].frames, 4);
}

Test(durations, beyond_the_deadline_are_hitches)
{
    static struct made_log made;
    for (size_t i = 0; i < 9; i++) {
        add_frame(&made, 10 * MS)->interval_ns = INTERVAL_NS;
    }
    struct dj_jank_frame *frame = add_frame(&made, 60 * MS);
    frame->interval_ns = INTERVAL_NS;
    frame->deadline_ns = frame->start_ns + 20 * MS;
    struct dj_jank_figures figures = compute(&made);
    /* 40 ms late in 150 ms. */
    expect_figure(&figures, DJ_JANK_HITCH_RATIO, 1000 * 40 / 150.0);
    cr_expect_eq(figures.rule[DJ_JANK_HITCH_RATIO].events, 1);
}

Test(durations, jankstats_uses_the_time_on_the_ui_thread)
{
    static struct made_log made;
    struct dj_jank_frame *frame = add_frame(&made, 100 * MS);
    frame->interval_ns = 10 * MS;
    frame->ui_ns = 20 * MS;
    frame = add_frame(&made, 100 * MS);
    frame->interval_ns = 10 * MS;
    frame->ui_ns = 20 * MS + 1;
    frame = add_frame(&made, 100 * MS);
    frame->interval_ns = 10 * MS;
    frame->deadline_ns = frame->start_ns + 15 * MS;
    frame->ui_ns = 30 * MS;
    add_frame(&made, 100 * MS)->interval_ns = 10 * MS;
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_JANKSTATS, 100 / 3.0);
    cr_expect_eq(figures.rule[DJ_JANK_JANKSTATS].frames, 3);
}

Test(durations, hwui_answers_are_shares_of_judged_frames)
{
    static struct made_log made;
    add_frame(&made, 10 * MS)->legacy = DJ_JANK_IN_TIME;
    struct dj_jank_frame *frame = add_frame(&made, 10 * MS);
    frame->legacy = DJ_JANK_JANKY;
    frame->deadline = DJ_JANK_JANKY;
    add_frame(&made, 10 * MS);
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_HWUI_LEGACY, 50);
    expect_figure(&figures, DJ_JANK_HWUI_DEADLINE, 100);
}

/* ---- Chromium ---- */

Test(chromium, counts_refreshes_without_a_new_frame)
{
    static struct made_log made;
    for (size_t i = 0; i < 10; i++) {
        add_frame(&made, INTERVAL_NS)->interval_ns = INTERVAL_NS;
    }
    add_frame(&made, 3 * INTERVAL_NS)->interval_ns = INTERVAL_NS;
    add_frame(&made, INTERVAL_NS)->interval_ns = INTERVAL_NS;
    struct dj_jank_figures figures = compute(&made);
    /* 11 frames follow another, and two refreshes had none. */
    expect_figure(&figures, DJ_JANK_CHROMIUM_DROPPED, 100 * 2 / 13.0);
}

/* ---- what is unknown ---- */

Test(unknown, no_frame_has_no_figure)
{
    static struct made_log made;
    struct dj_jank_figures figures = compute(&made);
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        expect_unknown(&figures, (enum dj_jank_rule_id)i);
        cr_expect_str_eq(figures.rule[i].reason, "there is no usable frame");
    }
}

Test(unknown, one_frame_follows_none)
{
    static struct made_log made;
    add_frame(&made, 20 * MS)->interval_ns = INTERVAL_NS;
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_FIREBASE_SLOW, 100);
    expect_figure(&figures, DJ_JANK_LOW1_P1, 50);
    expect_figure(&figures, DJ_JANK_LOW1_MEAN, 50);
    expect_figure(&figures, DJ_JANK_LOW1_INTEGRAL, 50);
    expect_figure(&figures, DJ_JANK_FREEZE_TIME, (20e6 - INTERVAL_NS) / 1e6);
    expect_unknown(&figures, DJ_JANK_PERFDOG_JANK);
    expect_unknown(&figures, DJ_JANK_CHROMIUM_DROPPED);
}

/* A rule that needs the refresh rate never answers "smooth" without it. */
Test(unknown, interval_leaves_its_rules_unknown)
{
    static struct made_log made;
    add_frames(&made, 100, 10 * MS);
    struct dj_jank_figures figures = compute(&made);
    expect_unknown(&figures, DJ_JANK_HWUI_LEGACY);
    expect_unknown(&figures, DJ_JANK_HWUI_DEADLINE);
    expect_unknown(&figures, DJ_JANK_JANKSTATS);
    expect_unknown(&figures, DJ_JANK_HITCH_RATIO);
    expect_unknown(&figures, DJ_JANK_FREEZE_TIME);
    expect_unknown(&figures, DJ_JANK_FRAMES_DELAY);
    expect_unknown(&figures, DJ_JANK_CHROMIUM_DROPPED);
    expect_figure(&figures, DJ_JANK_FIREBASE_SLOW, 0);
    expect_figure(&figures, DJ_JANK_PERFDOG_JANK, 0);
    expect_figure(&figures, DJ_JANK_VITALS_30, 0);
}

/* ---- pauses ---- */

/* 500 ms without a frame are no long frame. */
Test(pauses, belong_to_no_frame)
{
    static struct made_log made;
    for (size_t i = 0; i < 20; i++) {
        made.now_ns += i == 10 ? 500 * MS : 0;
        add_frame(&made, INTERVAL_NS)->interval_ns = INTERVAL_NS;
    }
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_PERFDOG_JANK, 0);
    expect_figure(&figures, DJ_JANK_PERFDOG_STUTTER, 0);
    expect_figure(&figures, DJ_JANK_VITALS_20, 0);
    expect_figure(&figures, DJ_JANK_HITCH_RATIO, 0);
    expect_figure(&figures, DJ_JANK_CHROMIUM_DROPPED, 0);
    expect_figure(&figures, DJ_JANK_LOW1_INTEGRAL, 1e9 / INTERVAL_NS);
}

/* ---- several logs ---- */

Test(logs, are_one_distribution_but_no_frame_follows_one_of_another_log)
{
    static struct made_log first, second;
    struct dj_jank_totals totals = {0};
    struct dj_jank_figures figures;
    add_frames(&first, 3, 10 * MS);
    add_frame(&second, 200 * MS);
    add_frames(&second, 3, 10 * MS);
    struct dj_jank_log logs[] = {get_log(&first), get_log(&second)};
    cr_assert(dj_jank_add(&totals, &logs[0]));
    cr_assert(dj_jank_add(&totals, &logs[1]));
    cr_expect_eq(totals.frames, 7);
    dj_jank_compute(&totals, &figures);
    dj_jank_finish(&totals);
    expect_figure(&figures, DJ_JANK_PERFDOG_JANK, 0);
    expect_figure(&figures, DJ_JANK_LOW1_INTEGRAL, 5);
}

Test(logs, frames_that_do_not_count_have_successors)
{
    static struct made_log made;
    add_frames(&made, 3, 10 * MS);
    add_frame(&made, 300 * MS)->excluded = true;
    add_frames(&made, 3, 10 * MS);
    struct dj_jank_figures figures = compute(&made);
    expect_figure(&figures, DJ_JANK_LOW1_INTEGRAL, 100);
    expect_figure(&figures, DJ_JANK_FIREBASE_SLOW, 0);
}

/* ---- presents alone ---- */

static const int64_t REFRESH_NS = 10000000;

Test(presents_alone, steps_are_not_measured_across_an_unknown_time)
{
    /* A step of two refreshes, then an unknown time, then a pause of ten refreshes. */
    const int64_t presents[] = {10, 11, 13, 0, 20, 21, 31, 32};
    int64_t times[COUNT_OF(presents)];
    struct dj_jank_totals totals = {0};
    struct dj_jank_figures figures;
    for (size_t i = 0; i < COUNT_OF(presents); i++) {
        times[i] = presents[i] > 0 ? presents[i] * REFRESH_NS : DJ_JANK_UNKNOWN;
    }
    cr_assert(dj_jank_add_presents(
        &totals, &(struct dj_jank_presents){.present_ns = times,
                                            .count = COUNT_OF(times),
                                            .interval_ns = REFRESH_NS}));
    dj_jank_compute(&totals, &figures);
    dj_jank_finish(&totals);
    cr_assert_eq(figures.present.presents, 7);
    cr_assert_eq(figures.present.step.count, 4);
    cr_assert_eq(figures.present.step.max_ns, 2 * REFRESH_NS);
    cr_assert_eq(figures.present.late[0], 1);
    cr_assert_eq(figures.present.animation.count, 0);
    cr_assert_eq(figures.rule[DJ_JANK_FIREBASE_SLOW].frames, 0, "no frame times");
}

/* The content of the third frame is unknown, so the two steps next to it have no error.
 */
Test(presents_alone, known_contents_give_animation_errors)
{
    const int64_t times[] = {100, 110, 120, 130, 150};
    const int64_t contents[] = {0, 10, DJ_JANK_UNKNOWN, 30, 43};
    struct dj_jank_totals totals = {0};
    struct dj_jank_figures figures;
    cr_assert(dj_jank_add_presents(
        &totals, &(struct dj_jank_presents){times, contents, COUNT_OF(times), 10}));
    dj_jank_compute(&totals, &figures);
    dj_jank_finish(&totals);
    cr_assert_eq(figures.present.step.count, 4);
    cr_assert_eq(figures.present.animation.count, 2);
    cr_assert_float_eq(figures.present.animation.max_ns, 7, 1e-9);
    cr_assert_float_eq(figures.present.animation.mean_ns, 3.5, 1e-9);
}

Test(figures, every_rule_has_a_usual_reason)
{
    cr_expect_str_eq(dj_jank_get_usual_reason(DJ_JANK_HWUI_DEADLINE),
                     "no frame has a FrameDeadline");
    cr_expect_str_eq(dj_jank_get_usual_reason(DJ_JANK_LOW1_P1),
                     "no time passed between frames");
}
