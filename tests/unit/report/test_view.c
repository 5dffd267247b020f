#include <criterion/criterion.h>
#include <stdlib.h>

#include "frame/interval.h"
#include "support.h"

Test(view, judges_frames_and_cuts_them_into_stages)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 90, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    struct dj_views views = create_views(&dump);
    cr_assert_eq(views.count, 1);
    const struct dj_view *view = &views.view[0];
    cr_expect_eq(view->frame_count, 90);
    cr_expect_eq(view->summary.exact.counter[DJ_COUNTER_JANKY], 10);
    cr_expect_eq(view->summary.exact.counter[DJ_COUNTER_JANKY], view->summary.janky);
    cr_expect(view->hwui_of_window);
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_view_frame *frame = &view->frames[i];
        int64_t sum_ns = 0;
        for (size_t stage = 0; stage < DJ_STAGE_COUNT; stage++) {
            sum_ns += stage == DJ_STAGE_WAIT ? 0 : frame->stages.ns[stage];
        }
        cr_expect_eq(frame->janky, i % 9 == 8);
        cr_expect_eq(sum_ns, frame->frame_time_ns,
                     "stages but the wait add up to the frame time");
        cr_expect_eq(frame->guide_total_ns, frame->frame_time_ns + 100000);
        cr_expect_eq(frame->at_ns, (int64_t)i * INTERVAL_NS);
    }
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view, excludes_unfinished_rows)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 20, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    struct dj_frame *frames = dump.processes[0].windows[0].frames;
    frames[19].value[DJ_COLUMN_FLAGS] = DJ_FLAG_SKIPPED_FRAME;
    frames[0].value[DJ_COLUMN_FLAGS] = DJ_FLAG_WINDOW_CHANGED;
    frames[18].value[DJ_COLUMN_FRAME_COMPLETED] = 1;
    struct dj_views views = create_views(&dump);
    cr_expect_eq(views.view[0].frame_count, 17);
    cr_expect_eq(views.view[0].frames[0].frame, &frames[1]);
    cr_expect_eq(views.view[0].frames[0].at_ns, 0);
    cr_expect_eq(views.view[0].frame_count, views.view[0].summary.judged);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view, there_is_one_per_window_and_one_for_a_process_without)
{
    struct made_dump spec = {
        .frames = 3, .freeze = SIZE_MAX, .process = "p", .window = "first"};
    struct dj_dump dump = make_dump(&spec);
    spec.window = "second";
    add_window(&dump.processes[0], &spec);
    struct dj_dump_process *other = dj_gfxinfo_dump_add_process(&dump);
    cr_assert_not_null(other);
    other->pid = 7;
    struct dj_views views = create_views(&dump);
    cr_assert_eq(views.count, 3);
    cr_expect_str_eq(dj_view_get_window_name(&views.view[0]), "first");
    cr_expect_str_eq(dj_view_get_window_name(&views.view[1]), "second");
    cr_expect_null(dj_view_get_window_name(&views.view[2]));
    cr_expect_str_eq(dj_view_get_process_name(&views.view[2]), "pid 7");
    cr_expect(!dj_view_is_empty(&views.view[0]));
    cr_expect(dj_view_is_empty(&views.view[2]));
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view, an_unknown_interval_is_sixty_hertz_and_assumed)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 3, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    dump.processes[0].interval_ns = 0;
    struct dj_views views = create_views(&dump);
    cr_expect_eq(views.view[0].interval_ns, DJ_ASSUMED_INTERVAL_NS);
    cr_expect(views.view[0].interval_assumed);
    dj_report_finish_views(&views);

    for (size_t i = 0; i < 3; i++) {
        dj_frame_set(&dump.processes[0].windows[0].frames[i], DJ_COLUMN_FRAME_INTERVAL,
                     8333333);
    }
    views = create_views(&dump);
    cr_expect_eq(views.view[0].interval_ns, 8333333);
    cr_expect(!views.view[0].interval_assumed);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view, a_dump_without_a_process_adds_none)
{
    struct dj_dump dump = {0};
    struct dj_views views = create_views(&dump);
    cr_expect_eq(views.count, 0);
    dj_report_finish_views(&views);
}

Test(view, several_dumps_follow_each_other)
{
    struct dj_dump first = make_dump(&(struct made_dump){
        .frames = 3, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    struct dj_dump second = make_dump(&(struct made_dump){
        .frames = 5, .freeze = SIZE_MAX, .process = "q", .window = "w"});
    struct dj_dump empty = {0};
    struct dj_views views = {0};
    dj_report_add_views(&views, compute_facts(&first));
    dj_report_add_views(&views, compute_facts(&empty));
    dj_report_add_views(&views, compute_facts(&second));
    cr_assert_eq(views.count, 2);
    cr_expect_eq(views.view[0].frame_count, 3);
    cr_expect_eq(views.view[1].frame_count, 5);
    cr_expect_str_eq(views.view[0].process->name, "p");
    cr_expect_str_eq(views.view[1].process->name, "q");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&first);
    dj_gfxinfo_dump_finish(&second);
}

Test(view, shows_the_computed_facts)
{
    struct dj_dump dump = make_dump(
        &(struct made_dump){.frames = 40, .freeze = 7, .process = "p", .window = "w"});
    const struct dj_parsed *parsed = compute_facts(&dump);
    const struct dj_window_facts *facts = &parsed->processes[0].windows[0];
    struct dj_views views = {0};
    dj_report_add_views(&views, parsed);
    const struct dj_view *view = &views.view[0];
    cr_assert_eq(view->frame_count, 40);
    cr_expect_eq(view->summary.janky, facts->summary.janky);
    cr_expect_eq(view->interval_ns, facts->interval_ns);
    for (size_t i = 0; i < 40; i++) {
        cr_expect_eq(view->frames[i].frame_time_ns, facts->rows[i].frame_time_ns);
        cr_expect_eq(view->frames[i].janky, facts->rows[i].janky);
    }
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view, bucket_edges_are_where_hwui_counts)
{
    uint32_t from_ms[DJ_FRAME_BUCKETS];
    dj_view_get_bucket_edges(from_ms);
    cr_expect_eq(from_ms[0], 0);
    cr_expect_eq(from_ms[1], 6);
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        cr_expect_eq(dj_frame_bucket((int64_t)from_ms[i] * 1000000), i);
        cr_expect(i == 0 || dj_frame_bucket((int64_t)from_ms[i] * 1000000 - 1) == i - 1);
    }
}
