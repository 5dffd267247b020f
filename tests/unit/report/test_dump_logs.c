#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "import/parsed_dump.h"
#include "report/document/render.h"
#include "report/dumps.h"
#include "report/view/notes.h"
#include "support.h"

static void add_entry(struct dj_dump *dump, const char *package, uint32_t frames,
                      uint32_t janky)
{
    struct dj_graphicsstats *entry = dj_gfxinfo_dump_add_graphicsstats(dump);
    cr_assert_not_null(entry);
    entry->package = package != NULL ? copy_string(package) : NULL;
    entry->version = 35;
    entry->start_ms = INT64_C(1743864382378);
    entry->end_ms = INT64_C(1743877537475);
    entry->stats.present = true;
    entry->stats.lines = UINT32_MAX;
    entry->stats.stats.counter[DJ_COUNTER_TOTAL] = frames;
    entry->stats.stats.counter[DJ_COUNTER_JANKY] = janky;
    entry->stats.printed_janky_pct = frames > 0 ? 100.0 * janky / frames : (double)NAN;
    entry->stats.stats.frame_histogram[dj_frame_bucket(20000000)] = frames;
}

static void add_davey(struct dj_dump *dump, int64_t pid, int64_t start_ns)
{
    struct dj_davey *davey = dj_gfxinfo_dump_add_davey(dump);
    cr_assert_not_null(davey);
    davey->pid = pid;
    davey->duration_ms = 800;
    dj_frame_set(&davey->frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&davey->frame, DJ_COLUMN_INTENDED_VSYNC, start_ns);
    dj_frame_set(&davey->frame, DJ_COLUMN_VSYNC, start_ns);
    dj_frame_set(&davey->frame, DJ_COLUMN_SYNC_QUEUED, start_ns + 1000000);
    dj_frame_set(&davey->frame, DJ_COLUMN_SYNC_START, start_ns + 2000000);
    dj_frame_set(&davey->frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, start_ns + 3000000);
    dj_frame_set(&davey->frame, DJ_COLUMN_SWAP_BUFFERS, start_ns + 4000000);
    dj_frame_set(&davey->frame, DJ_COLUMN_FRAME_COMPLETED, start_ns + 800000000);
}

static void expect_verdict(const struct dj_view *view, const char *expected)
{
    struct dj_text text = {0};
    dj_notes_write_verdict(view, &text);
    cr_expect_str_eq(dj_text_get(&text), expected);
    dj_text_finish(&text);
}

Test(others, an_entry_of_graphicsstats_is_a_view)
{
    struct dj_dump dump = {0};
    add_entry(&dump, "com.example", 200, 50);
    add_entry(&dump, NULL, 7, 0);
    struct dj_views views = create_views(&dump);
    cr_assert_eq(views.count, 2);
    const struct dj_view *view = &views.view[0];
    cr_expect_eq(view->origin, DJ_ORIGIN_GRAPHICSSTATS);
    cr_expect_str_eq(dj_view_get_process_name(view), "com.example");
    cr_expect_str_eq(dj_view_get_window_name(view),
                     "graphicsstats of version 35, from 2025-04-05 14:46 UTC to "
                     "2025-04-05 18:25 UTC");
    cr_expect_eq(dj_view_count_hwui_frames(view), 200);
    expect_verdict(view, "JANKY: 50 of 200 frames janky (25.00 %)");
    cr_expect_str_eq(dj_view_get_process_name(&views.view[1]), "no package");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(others, an_entry_without_frames_is_empty)
{
    struct dj_dump dump = {0};
    add_entry(&dump, "com.example", 0, 0);
    struct dj_views views = create_views(&dump);
    cr_assert_eq(views.count, 1);
    cr_expect(dj_view_is_empty(&views.view[0]));
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(others, unknown_days_and_versions_are_left_out)
{
    struct dj_dump dump = {0};
    add_entry(&dump, "com.example", 3, 1);
    dump.graphicsstats[0].version = -1;
    dump.graphicsstats[0].start_ms = dump.graphicsstats[0].end_ms = -1;
    struct dj_views views = create_views(&dump);
    cr_expect_str_eq(dj_view_get_window_name(&views.view[0]), "graphicsstats");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(others, long_frames_of_a_log_are_a_view_per_process)
{
    struct dj_dump dump = {0};
    add_davey(&dump, 10, INT64_C(1000000000000));
    add_davey(&dump, 20, INT64_C(1001000000000));
    add_davey(&dump, 10, INT64_C(1002000000000));
    struct dj_views views = create_views(&dump);
    cr_assert_eq(views.count, 2);
    cr_expect_str_eq(dj_view_get_process_name(&views.view[0]), "pid 10");
    cr_expect_eq(views.view[0].origin, DJ_ORIGIN_DAVEYS);
    cr_assert_eq(views.view[0].frame_count, 2);
    cr_expect_eq(views.view[0].frames[1].at_ns, INT64_C(2000000000));
    cr_expect_eq(views.view[1].frame_count, 1);
    expect_verdict(&views.view[0], "NOT JUDGED: the log names 2 frames of 0.7 s or more");
    expect_verdict(&views.view[1], "NOT JUDGED: the log names 1 frame of 0.7 s or more");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

/* "100 % janky" would be true of these frames and false of the app. */
Test(others, a_log_has_no_share_of_janky_frames)
{
    struct dj_dump dump = {0};
    struct dj_text text = {0};
    add_davey(&dump, 10, INT64_C(1000000000000));
    struct dj_views views = create_views(&dump);
    struct dj_document document = {0};
    dj_report_build_views(&document, &views);
    dj_document_write_markdown(&text, &document);
    dj_document_finish(&document);
    cr_expect(strstr(text.data, "the share of janky frames is unknown") != NULL);
    cr_expect(strstr(text.data,
                     "**NOT JUDGED: the log names 1 frame of 0.7 s or more**") != NULL);
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(others, come_after_the_processes)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 3, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    add_entry(&dump, "com.example", 3, 1);
    add_davey(&dump, 10, INT64_C(1000000000000));
    struct dj_views views = create_views(&dump);
    cr_assert_eq(views.count, 3);
    cr_expect_eq(views.view[0].origin, DJ_ORIGIN_GFXINFO);
    cr_expect_eq(views.view[1].origin, DJ_ORIGIN_GRAPHICSSTATS);
    cr_expect_eq(views.view[2].origin, DJ_ORIGIN_DAVEYS);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}
