/* Tests the spans around janky frames that a capture keeps. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "capture/janky.h"
#include "gfxinfo/parse.h"

static struct dj_keep keep;
static struct dj_error err;

static void add_frame(int64_t from_ns, int64_t to_ns)
{
    cr_assert_eq(dj_janky_keep_add_frame(&keep, from_ns, to_ns, 10, 20, &err), 0);
}

static void tear_down(void)
{
    dj_janky_keep_finish(&keep);
}

TestSuite(keep, .fini = tear_down);

Test(keep, close_frames_are_one_span)
{
    add_frame(100, 130);
    add_frame(150, 170);
    add_frame(500, 510);
    cr_assert_eq(keep.count, 2);
    cr_assert_eq(keep.spans[0].from_ns, 90);
    cr_assert_eq(keep.spans[0].to_ns, 190);
    cr_assert_eq(keep.spans[0].frames, 2);
    cr_assert_eq(keep.frames, 3);
}

Test(keep, a_frame_added_twice_counts_once)
{
    add_frame(100, 130);
    add_frame(100, 130);
    add_frame(85, 95);
    cr_assert_eq(keep.frames, 1);
    cr_assert_eq(keep.count, 1);
}

Test(keep, a_frame_between_two_spans_joins_them)
{
    add_frame(100, 110);
    add_frame(300, 310);
    add_frame(200, 210);
    cr_assert_eq(keep.count, 3);
    add_frame(120, 300);
    cr_assert_eq(keep.count, 1);
    cr_assert_eq(keep.spans[0].from_ns, 90);
    cr_assert_eq(keep.spans[0].to_ns, 330);
}

Test(keep, overlaps_includes_both_ends_of_a_span)
{
    add_frame(100, 110);
    cr_assert(dj_janky_keep_overlaps(&keep, 0, 90));
    cr_assert_not(dj_janky_keep_overlaps(&keep, 0, 89));
    cr_assert(dj_janky_keep_overlaps(&keep, 130, 500));
    cr_assert_not(dj_janky_keep_overlaps(&keep, 131, 500));
    cr_assert(dj_janky_keep_overlaps(&keep, 0, 500));
    cr_assert_eq(dj_janky_keep_count_before(&keep, 131), 1);
    cr_assert_eq(dj_janky_keep_count_before(&keep, 130), 0);
}

Test(keep, extreme_times_do_not_overflow)
{
    cr_assert_eq(dj_janky_keep_add_frame(&keep, INT64_MIN, INT64_MAX, 10, 20, &err), 0);
    cr_assert(dj_janky_keep_overlaps(&keep, 0, INT64_MAX));
}

struct found_frames {
    size_t count;
    int64_t from_ns[8], to_ns[8];
};

static int store_frame(void *user, int64_t from_ns, int64_t to_ns)
{
    struct found_frames *found_frames = user;
    cr_assert_lt(found_frames->count, 8);
    found_frames->from_ns[found_frames->count] = from_ns;
    found_frames->to_ns[found_frames->count++] = to_ns;
    return 0;
}

static int find_janky(void *user, struct dj_dump *dump)
{
    return dj_capture_janky_find(dump, store_frame, user, &err);
}

static void write_row(struct dj_text *text, int64_t at_ms, int64_t length_ms)
{
    long long at_ns = at_ms * 1000000, step_ns = length_ms * 100000;
    dj_text_format(text, "0,%lld,%lld,9223372036854775807,0", at_ns, at_ns);
    for (int i = 1; i <= 8; i++) {
        dj_text_format(text, ",%lld", at_ns + i * step_ns);
    }
    dj_text_format(text, ",%lld,0,0,%lld,\n", at_ns + length_ms * 1000000,
                   at_ns + length_ms * 1000000);
}

Test(keep, frames_are_judged_by_the_rule_of_the_release)
{
    struct dj_text text = {0};
    struct found_frames found_frames = {0};
    struct dj_parse_report report = {0};
    dj_text_add(&text,
                "Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 1\n\n"
                "** Graphics info for pid 42 [com.example.app] **\n\n"
                "Profile data in ms:\n\n\tcom.example.app/Main (visibility=0)\n"
                "---PROFILEDATA---\nFlags,IntendedVsync,Vsync,OldestInputEvent,"
                "NewestInputEvent,HandleInputStart,AnimationStart,"
                "PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"
                "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"
                "DequeueBufferDuration,QueueBufferDuration,GpuCompleted,\n");
    write_row(&text, 1000, 8);
    write_row(&text, 1100, 40);
    write_row(&text, 1200, 9);
    write_row(&text, 1300, 50);
    dj_text_add(&text, "---PROFILEDATA---\n\n");
    struct dj_parser *parser =
        dj_gfxinfo_parser_create(find_janky, &found_frames, &report);
    cr_assert_not_null(parser);
    cr_assert_eq(dj_gfxinfo_parser_feed(parser, text.data, text.length), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    dj_gfxinfo_parser_destroy(parser);
    dj_text_finish(&text);
    cr_assert_eq(found_frames.count, 2, "%zu frames", found_frames.count);
    cr_assert_eq(found_frames.from_ns[0], INT64_C(1100000000));
    cr_assert_eq(found_frames.to_ns[0], INT64_C(1140000000));
    cr_assert_eq(found_frames.from_ns[1], INT64_C(1300000000));
}
