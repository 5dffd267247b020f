#include "metrics/metric.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

Test(metrics, names_are_found_and_differ)
{
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        enum dj_metric found;
        cr_assert(dj_metrics_find(dj_metrics_name((enum dj_metric)i), &found));
        cr_assert_eq((size_t)found, i, "%s is there twice",
                     dj_metrics_name((enum dj_metric)i));
    }
    enum dj_metric none;
    cr_assert_not(dj_metrics_find("frame_time_p95", &none));
    cr_assert_eq(dj_metrics_direction(DJ_METRIC_FRAME_RATE), DJ_METRIC_MORE);
    cr_assert_eq(dj_metrics_direction(DJ_METRIC_FRAME_TIME_P95), DJ_METRIC_LESS);
}

static void expect_units(const char *name, const char *shown, double factor, size_t count)
{
    const struct dj_metrics_units *units = dj_metrics_units(name);
    size_t known = 0;
    while (units->unit[known].factor > 0) {
        known++;
    }
    cr_expect_str_eq(units->unit[0].name, shown, "%s", name);
    cr_expect_eq(units->unit[0].factor, factor, "%s", name);
    cr_expect_eq(known, count, "%s", name);
    cr_expect_neq(units->expected[0], '\0');
}

Test(metrics, units_follow_from_the_name)
{
    expect_units("frame_time_p95_ns", "ms", 1e6, 4);
    expect_units("hwui_p95_ms", "ms", 1, 2);
    expect_units("janky_pct", "%", 1, 2);
    expect_units("smooth_pct", "%", 1, 2);
    expect_units("frame_rate_hz", "Hz", 1, 2);
    expect_units("low1_p1_fps", "fps", 1, 2);
    expect_units("hitch_ratio_ms_per_s", "ms/s", 1, 2);
    expect_units("frames_delay_s", "s", 1, 3);
    expect_units("rows_janky", "", 1, 1);
    expect_units("", "", 1, 1);
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        const char *name = dj_metrics_name((enum dj_metric)i);
        const struct dj_metrics_units *units = dj_metrics_units(name);
        size_t length = strlen(name) - strlen(units->suffix);
        cr_expect_str_eq(name + length, units->suffix);
        cr_expect_gt(length, 0);
    }
}

Test(metrics, percentages_have_two_counts)
{
    size_t shares = 0;
    for (size_t i = 0; i < DJ_METRIC_FIRST_OF_MAP_2; i++) {
        const struct dj_metric_share *share = dj_metrics_find_share((enum dj_metric)i);
        bool is_share =
            strcmp(dj_metrics_units(dj_metrics_name((enum dj_metric)i))->suffix,
                   "_pct") == 0;
        cr_expect_eq(share != NULL, is_share, "%s", dj_metrics_name((enum dj_metric)i));
        if (share != NULL) {
            cr_expect_eq((size_t)share->share, i);
            cr_expect_eq(dj_metrics_direction(share->count), DJ_METRIC_LESS);
            cr_expect_eq(dj_metrics_direction(share->of), DJ_METRIC_NEUTRAL);
            shares++;
        }
    }
    cr_expect_eq(shares, 3);
    cr_expect_null(dj_metrics_find_share(DJ_METRIC_SLOW_FRAMES_PCT),
                   "its counts are not stored");
    cr_expect_eq(dj_metrics_find_share(DJ_METRIC_JANKY_PCT)->of, DJ_METRIC_FRAMES);
}

Test(metrics, each_stage_has_a_median)
{
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_APP), DJ_METRIC_APP_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_VSYNC_DELAY),
                 DJ_METRIC_VSYNC_DELAY_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_INPUT), DJ_METRIC_INPUT_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_ANIMATION), DJ_METRIC_ANIMATION_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_LAYOUT), DJ_METRIC_LAYOUT_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_DRAW), DJ_METRIC_DRAW_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_WAIT), DJ_METRIC_WAIT_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_SYNC), DJ_METRIC_SYNC_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_ISSUE), DJ_METRIC_ISSUE_P50);
    cr_expect_eq(dj_metrics_stage_median(DJ_STAGE_SWAP), DJ_METRIC_SWAP_P50);
}

Test(metrics, guide_total_replaces_unknown_frame_times)
{
    struct dj_metrics log, dump;
    struct dj_known_metrics known = {0};
    dj_metrics_clear(&log);
    dj_metrics_clear(&dump);
    log.value[DJ_METRIC_GUIDE_TOTAL_P95] = 17e6;
    dump.value[DJ_METRIC_GUIDE_TOTAL_P95] = 18e6;
    dump.value[DJ_METRIC_FRAME_TIME_P95] = 16e6;
    cr_expect_eq(dj_metrics_choose(DJ_METRIC_FRAME_TIME_P95, &known),
                 DJ_METRIC_FRAME_TIME_P95, "nothing is known");
    dj_metrics_known_add(&known, &log);
    cr_expect_eq(dj_metrics_choose(DJ_METRIC_FRAME_TIME_P95, &known),
                 DJ_METRIC_GUIDE_TOTAL_P95);
    cr_expect_eq(dj_metrics_choose(DJ_METRIC_FRAME_TIME_P50, &known),
                 DJ_METRIC_FRAME_TIME_P50, "it has no substitute that is known");
    cr_expect_eq(dj_metrics_choose(DJ_METRIC_FRAME_TIME_MAX, &known),
                 DJ_METRIC_FRAME_TIME_MAX);
    cr_expect_eq(dj_metrics_choose(DJ_METRIC_GUIDE_TOTAL_P95, &known),
                 DJ_METRIC_GUIDE_TOTAL_P95);
    dj_metrics_known_add(&known, &dump);
    cr_expect_eq(dj_metrics_choose(DJ_METRIC_FRAME_TIME_P95, &known),
                 DJ_METRIC_FRAME_TIME_P95);
}
