/* Tests of the refresh rates that vsyncs show. */
#include <criterion/criterion.h>
#include <string.h>

#include "triage/frames/refresh.h"

enum { MOST = 4096 };

static struct dj_trace_count counts[MOST];
static struct dj_trace_frame frames[MOST];
static struct dj_trace trace;
static struct dj_triage_refresh refresh;
static int64_t now_ns;

static void set_up(void)
{
    trace = (struct dj_trace){.counts = counts, .frames = frames};
    now_ns = 1000000000;
}

static void finish(void)
{
    dj_triage_refresh_finish(&refresh);
}

TestSuite(refresh, .init = set_up, .fini = finish);

/* Adds `count` changes of the counter, one period apart, each up to jitter_ns early or
 * late. */
static void add_vsyncs(const char *name, int count, int64_t period_ns, int64_t jitter_ns)
{
    static const int8_t offsets[] = {0, 3, -5, 1, 7, -2, -7, 4, -1, 6, -3};
    for (int i = 0; i < count; i++) {
        size_t at = trace.count_count++;
        int64_t off_ns = jitter_ns * offsets[(size_t)i % sizeof(offsets)] / 7;
        counts[at] = (struct dj_trace_count){
            .name = name, .at_ns = now_ns + off_ns, .value = (int64_t)(at % 2)};
        now_ns += period_ns;
    }
}

static void expect_rates(size_t count, const double *hz)
{
    dj_triage_refresh_find(&trace, &refresh);
    cr_assert_eq(refresh.count, count, "%zu", refresh.count);
    for (size_t i = 0; i < count; i++) {
        double found = 1e9 / (double)refresh.rates[i].period_ns;
        cr_expect(found > hz[i] * 0.99 && found < hz[i] * 1.01, "%f, expected %f", found,
                  hz[i]);
    }
}

static void expect_rate(double hz)
{
    expect_rates(1, &hz);
}

Test(refresh, a_counter_shows_the_rate)
{
    add_vsyncs("VSYNC-app", 200, 11130000, 200000);
    expect_rate(89.85);
    cr_expect_str_eq(refresh.source, "VSYNC-app");
    cr_expect_eq(dj_triage_refresh_get_period(&refresh, 0), refresh.rates[0].period_ns);
}

Test(refresh, jitter_of_a_busy_machine_averages_out)
{
    add_vsyncs("VSYNC-app", 100, 8333333, 1500000);
    expect_rate(120);
}

Test(refresh, pauses_are_ignored)
{
    for (int i = 0; i < 12; i++) {
        add_vsyncs("VSYNC-app", 5, 11111111, 100000);
        now_ns += 700000000;
    }
    expect_rate(90);
}

Test(refresh, repeated_values_are_no_vsync)
{
    for (int i = 0; i < 40; i++) {
        add_vsyncs("VSYNC-app", 1, 4000000, 0);
        counts[trace.count_count - 1].value = i % 2;
        counts[trace.count_count] = counts[trace.count_count - 1];
        counts[trace.count_count++].at_ns = now_ns;
        now_ns += 4000000;
    }
    expect_rate(125);
}

Test(refresh, missing_vsyncs_do_not_change_the_rate)
{
    for (int i = 0; i < 20; i++) {
        add_vsyncs("VSYNC-app", 3, 8333333, 100000);
        add_vsyncs("VSYNC-app", 12, 16666667, 100000); /* Frames that took two periods. */
    }
    expect_rate(120);
}

Test(refresh, frames_of_two_periods_do_not_change_the_rate)
{
    for (int i = 0; i < 50; i++) {
        add_vsyncs("VSYNC-app", 1, 8333333, 0);
        add_vsyncs("VSYNC-app", 1, 16666667, 0);
    }
    expect_rate(120);
}

Test(refresh, an_app_at_thirty_frames_shows_no_rate)
{
    add_vsyncs("VSYNC-app", 100, 33333333, 100000);
    expect_rates(0, NULL);
    cr_expect_eq(dj_triage_refresh_get_period(&refresh, 5), 0);
}

Test(refresh, few_vsyncs_show_no_rate)
{
    add_vsyncs("VSYNC-app", 8, 11111111, 0);
    expect_rates(0, NULL);
}

Test(refresh, rate_changes_are_found)
{
    add_vsyncs("VSYNC-app", 60, 16666667, 200000);
    int64_t change_ns = now_ns;
    add_vsyncs("VSYNC-app", 60, 11111111, 200000);
    add_vsyncs("VSYNC-app", 60, 8333333, 200000);
    expect_rates(3, (const double[]){60, 90, 120});
    cr_expect_lt(llabs(refresh.rates[1].from_ns - change_ns), 34000000);
    cr_expect_eq(dj_triage_refresh_get_period(&refresh, change_ns - 200000000),
                 refresh.rates[0].period_ns);
    cr_expect_eq(dj_triage_refresh_get_period(&refresh, change_ns + 200000000),
                 refresh.rates[1].period_ns);
    cr_expect_eq(dj_triage_refresh_get_period(&refresh, INT64_MAX),
                 refresh.rates[2].period_ns);
}

Test(refresh, half_the_rate_counts_if_it_lasts)
{
    add_vsyncs("VSYNC-app", 100, 8333333, 100000);
    add_vsyncs("VSYNC-app", 100, 16666667, 100000);
    add_vsyncs("VSYNC-app", 100, 8333333, 100000);
    expect_rates(3, (const double[]){120, 60, 120});
}

Test(refresh, an_apps_vsyncs_have_precedence)
{
    add_vsyncs("VSYNC-sf", 50, 16666667, 0);
    add_vsyncs("VSYNC-app", 50, 11111111, 0);
    expect_rate(90);
    cr_expect_str_eq(refresh.source, "VSYNC-app");
}

Test(refresh, the_first_display_counts_and_a_switch_does_not)
{
    for (int i = 0; i < 50; i++) {
        add_vsyncs("HW_VSYNC_ON_0", 1, 2000000, 0);
        add_vsyncs("HW_VSYNC_4619827677550801152", 1, 3000000, 0);
        add_vsyncs("HW_VSYNC_1", 1, 3333333, 0);
        counts[trace.count_count - 2].value = i % 2;
        counts[trace.count_count - 1].value = i % 2;
    }
    expect_rate(120);
    cr_expect_str_eq(refresh.source, "HW_VSYNC_4619827677550801152");
}

static void add_frames(bool display, int count, int64_t period_ns)
{
    for (int i = 0; i < count; i++) {
        size_t at = trace.frame_count++;
        frames[at] = (struct dj_trace_frame){
            .layer = "", .display = display, .expected_start_ns = now_ns};
        frames[at].expected_end_ns = now_ns + 3 * period_ns;
        now_ns += i % 7 == 6 ? 3 * period_ns : period_ns;
    }
}

Test(refresh, expected_starts_of_display_frames_show_the_rate)
{
    add_frames(true, 60, 8333333);
    expect_rate(120);
    cr_expect_str_eq(refresh.source, "FrameTimeline");
}

Test(refresh, expected_starts_of_app_frames_show_the_rate)
{
    add_frames(false, 60, 11111111);
    expect_rate(90);
}

Test(refresh, a_trace_without_vsyncs_shows_no_rate)
{
    expect_rates(0, NULL);
}
