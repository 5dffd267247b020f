#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/view/document.h"
#include "support.h"

static struct dj_document document;

static void finish(void)
{
    dj_document_finish(&document);
}

TestSuite(view_charts, .fini = finish);

static struct dj_dump create_dump(size_t frames, size_t freeze)
{
    return make_dump(&(struct made_dump){
        .frames = frames, .freeze = freeze, .process = "p", .window = "w"});
}

/* The only chart of the document. */
static const struct dj_chart *get_chart(void)
{
    cr_assert_eq(document.block_count, 1);
    cr_assert_eq(document.blocks[0].kind, DJ_BLOCK_CHART);
    return document.blocks[0].chart;
}

static double sum_y(const struct dj_chart_series *series)
{
    double sum = 0;
    for (size_t i = 0; i < series->point_count; i++) {
        sum += series->points[i].y;
    }
    return sum;
}

static const struct dj_chart_point *get_last_point(const struct dj_chart *chart)
{
    const struct dj_chart_series *series = &chart->series[chart->series_count - 1];
    return &series->points[series->point_count - 1];
}

Test(view_charts, the_deadline_is_between_two_bars)
{
    struct dj_dump dump = create_dump(90, SIZE_MAX);
    struct dj_views views = create_views(&dump);
    dj_view_add_exact_histogram(&document, &views.view[0], false);
    const struct dj_chart *chart = get_chart();
    cr_assert_eq(chart->series_count, 2);
    cr_expect_eq(sum_y(&chart->series[0]), 80, "within the deadline");
    cr_expect_eq(sum_y(&chart->series[1]), 10, "over the deadline");
    cr_expect_float_eq(chart->series[1].points[0].x, INTERVAL_NS / 1e6, 1e-9);
    cr_expect_float_eq(chart->thresholds[0].at, INTERVAL_NS / 1e6, 1e-9);
    cr_expect_str_eq(chart->thresholds[0].label, "deadline 16.67 ms");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_charts, frames_over_the_line_that_are_not_janky_are_explained)
{
    struct dj_dump dump = create_dump(90, SIZE_MAX);
    struct dj_views views = create_views(&dump);
    dj_view_add_exact_histogram(&document, &views.view[0], false);
    cr_expect_eq(document.block_count, 1);
    dj_document_finish(&document);
    for (size_t i = 0, changed = 0; i < 90 && changed < 2; i++) {
        changed += views.view[0].frames[i].janky;
        views.view[0].frames[i].janky = false;
    }
    dj_view_add_exact_histogram(&document, &views.view[0], false);
    cr_assert_eq(document.block_count, 2);
    cr_expect_str_eq(
        document.blocks[1].text,
        "The line of the deadline is at one frame interval. 2 of the 10 frames "
        "that took longer are not janky by the rule of Android 11, for "
        "example because the deadline of such a frame was later.");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

/* A frame of exactly one interval is in time, for hwui as for the chart. */
Test(view_charts, a_bar_contains_its_upper_edge)
{
    struct dj_dump dump = create_dump(1, SIZE_MAX);
    struct dj_views views = create_views(&dump);
    views.view[0].frames[0].frame_time_ns = INTERVAL_NS;
    dj_view_add_exact_histogram(&document, &views.view[0], false);
    cr_expect_eq(sum_y(&get_chart()->series[0]), 1);
    cr_expect_eq(get_chart()->series[0].points[0].x_end, INTERVAL_NS / 1e6);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

/* On a linear axis a frame of 400 ms would hide all others. */
Test(view_charts, long_frames_share_the_last_bar_of_a_picture)
{
    struct dj_dump dump = create_dump(90, 40);
    struct dj_views views = create_views(&dump);
    dj_view_add_exact_histogram(&document, &views.view[0], true);
    const struct dj_chart_point *last = get_last_point(get_chart());
    cr_expect_float_eq(last->x, 4 * INTERVAL_NS / 1e6, 1e-9);
    cr_expect_float_eq(last->x_end, 4.5 * INTERVAL_NS / 1e6, 1e-9);
    cr_expect_eq(last->y, 1);
    cr_expect_str_eq(get_chart()->title,
                     "Frame times (ms, frames; the last bar contains all frames over "
                     "66.67 ms)");
    dj_document_finish(&document);
    dj_view_add_exact_histogram(&document, &views.view[0], false);
    cr_expect_str_eq(get_chart()->title, "Frame times (ms, frames)");
    cr_expect_gt(get_last_point(get_chart())->x, 200);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_charts, the_buckets_of_hwui_contain_every_counted_frame)
{
    struct dj_dump dump = create_dump(90, 40);
    dump.processes[0].windows[0].frame_count = 0;
    struct dj_views views = create_views(&dump);
    for (int is_picture = 0; is_picture < 2; is_picture++) {
        double count = 0;
        dj_view_add_hwui_histogram(&document, &views.view[0], is_picture == 1);
        for (size_t i = 0; i < get_chart()->series_count; i++) {
            count += sum_y(&get_chart()->series[i]);
        }
        cr_expect_eq(count, 90);
        cr_expect(is_picture == 0 || get_last_point(get_chart())->x_end < 80);
        dj_document_finish(&document);
    }
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_charts, what_a_view_lacks_is_not_drawn)
{
    struct dj_dump dump = create_dump(0, SIZE_MAX);
    struct dj_views views = create_views(&dump);
    dj_view_add_exact_histogram(&document, &views.view[0], false);
    dj_view_add_hwui_histogram(&document, &views.view[0], false);
    dj_view_add_stage_chart(&document, &views.view[0], false);
    dj_view_add_profile_chart(&document, &views.view[0], false);
    dj_view_add_worst_chart(&document, &views.view[0]);
    cr_expect_eq(document.block_count, 0);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

/* The stages of a frame add up to its time, which excludes the wait. */
Test(view_charts, stacks_are_the_frame_times)
{
    struct dj_dump dump = create_dump(20, SIZE_MAX);
    struct dj_views views = create_views(&dump);
    dj_view_add_stage_chart(&document, &views.view[0], false);
    const struct dj_chart *chart = get_chart();
    for (size_t i = 0; i < 20; i++) {
        double ms = (double)views.view[0].frames[i].frame_time_ns / 1e6;
        cr_expect_float_eq(dj_chart_find_base(chart, chart->series_count, (double)i + 1),
                           ms, 1e-6, "frame %zu", i);
    }
    for (size_t i = 0; i < chart->series_count; i++) {
        cr_expect_neq(chart->series[i].letter, '\0', "readable without colour");
        cr_expect_str_neq(chart->series[i].name, "Wait");
    }
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_charts, many_frames_share_columns_and_the_longest_is_shown)
{
    struct dj_dump dump = create_dump(5000, 2500);
    struct dj_views views = create_views(&dump);
    dj_view_add_stage_chart(&document, &views.view[0], false);
    const struct dj_chart *chart = get_chart();
    double highest = 0;
    cr_expect_leq(chart->series[0].point_count, 480);
    for (size_t i = 0; i < chart->series[0].point_count; i++) {
        highest = fmax(highest, dj_chart_find_base(chart, chart->series_count,
                                                   chart->series[0].points[i].x));
    }
    cr_expect_float_eq(highest, dj_units_ms(views.view[0].summary.frame_time.max_ns),
                       1e-6);
    cr_expect(isnan(chart->y.last));
    dj_document_finish(&document);
    dj_view_add_stage_chart(&document, &views.view[0], true);
    cr_expect_lt(get_chart()->y.last, 100, "a picture cuts the longest frames");
    cr_expect_geq(get_chart()->y.last, 3 * INTERVAL_NS / 1e6);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

static void add_profile(struct dj_dump_window *window, float prepare_ms)
{
    window->has_profile = true;
    window->profile = calloc(1, sizeof(*window->profile));
    cr_assert_not_null(window->profile);
    window->profile_count = 1;
    window->profile[0] = (struct dj_profile_row){1, prepare_ms, 3, 4};
}

Test(view_charts, the_simple_dump_has_three_or_four_parts)
{
    static const float prepare_ms[] = {-1, 2};
    for (size_t i = 0; i < 2; i++) {
        struct dj_dump dump = create_dump(0, SIZE_MAX);
        add_profile(&dump.processes[0].windows[0], prepare_ms[i]);
        struct dj_views views = create_views(&dump);
        dj_view_add_profile_chart(&document, &views.view[0], false);
        cr_expect_eq(get_chart()->series_count, 3 + i);
        cr_expect_float_eq(dj_chart_find_base(get_chart(), 3 + i, 1), i == 0 ? 8 : 10,
                           1e-6);
        dj_document_finish(&document);
        dj_report_finish_views(&views);
        dj_gfxinfo_dump_finish(&dump);
    }
}

/* Those that the findings name come first, each once. */
Test(view_charts, the_worst_frames_are_those_of_the_findings)
{
    struct dj_dump dump = create_dump(60, 33);
    struct dj_views views = create_views(&dump);
    enum dj_finding_id order[DJ_FINDING_COUNT];
    cr_assert_gt(dj_frame_findings_sort(views.view[0].findings, order), 0);
    size_t row = views.view[0].findings->of[order[0]].worst_row + 1;
    dj_view_add_worst_chart(&document, &views.view[0]);
    const struct dj_chart *chart = get_chart();
    char start[32];
    snprintf(start, sizeof(start), "row %zu: ", row);
    cr_expect_eq(strncmp(chart->ticks[0].label, start, strlen(start)), 0, "%s",
                 chart->ticks[0].label);
    cr_expect_leq(chart->tick_count, 8);
    size_t longest = 0;
    for (size_t i = 0; i < chart->tick_count; i++) {
        longest += strncmp(chart->ticks[i].label, "row 34: ", 8) == 0;
        for (size_t k = 0; k < i; k++) {
            cr_expect_str_neq(chart->ticks[i].label, chart->ticks[k].label);
        }
    }
    cr_expect_eq(longest, 1, "the frame of 400 ms");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

/* The spans of a row follow each other without a gap, and end with the frame. */
Test(view_charts, spans_are_the_stages_in_their_order)
{
    struct dj_dump dump = create_dump(1, SIZE_MAX);
    struct dj_views views = create_views(&dump);
    dj_view_add_worst_chart(&document, &views.view[0]);
    const struct dj_chart *chart = get_chart();
    double end = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        if (chart->series[i].point_count > 0) {
            cr_expect_float_eq(chart->series[i].points[0].x, end, 1e-9);
            end = chart->series[i].points[0].x_end;
        }
    }
    cr_expect_float_eq(end, (double)views.view[0].frames[0].frame_time_ns / 1e6, 1e-6);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}
