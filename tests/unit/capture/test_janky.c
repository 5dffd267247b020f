/* The times of a capture that are kept: around janky frames. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "capture/janky.h"
#include "gfxinfo/parse.h"

static struct dj_keep keep;
static struct dj_error err;

static void add(int64_t from_ns, int64_t to_ns)
{
    cr_assert_eq(dj_janky_keep_add_frame(&keep, from_ns, to_ns, 10, 20, &err), 0);
}

static void finish(void)
{
    dj_janky_keep_finish(&keep);
}

TestSuite(keep, .fini = finish);

Test(keep, close_frames_are_one_span)
{
    add(100, 130);
    add(150, 170);
    add(500, 510);
    cr_assert_eq(keep.count, 2);
    cr_assert_eq(keep.spans[0].from_ns, 90);
    cr_assert_eq(keep.spans[0].to_ns, 190);
    cr_assert_eq(keep.spans[0].frames, 2);
    cr_assert_eq(keep.frames, 3);
}

Test(keep, a_frame_added_twice_counts_once)
{
    add(100, 130);
    add(100, 130);
    add(85, 95);
    cr_assert_eq(keep.frames, 1);
    cr_assert_eq(keep.count, 1);
}

Test(keep, a_frame_in_between_joins_its_neighbours)
{
    add(100, 110);
    add(300, 310);
    add(200, 210);
    cr_assert_eq(keep.count, 3);
    add(120, 300);
    cr_assert_eq(keep.count, 1);
    cr_assert_eq(keep.spans[0].from_ns, 90);
    cr_assert_eq(keep.spans[0].to_ns, 330);
}

Test(keep, times_that_touch_a_span)
{
    add(100, 110);
    cr_assert(dj_janky_keep_overlaps(&keep, 0, 90));
    cr_assert_not(dj_janky_keep_overlaps(&keep, 0, 89));
    cr_assert(dj_janky_keep_overlaps(&keep, 130, 500));
    cr_assert_not(dj_janky_keep_overlaps(&keep, 131, 500));
    cr_assert(dj_janky_keep_overlaps(&keep, 0, 500));
    cr_assert_eq(dj_janky_keep_count_before(&keep, 131), 1);
    cr_assert_eq(dj_janky_keep_count_before(&keep, 130), 0);
}

Test(keep, extreme_times_are_safe)
{
    cr_assert_eq(dj_janky_keep_add_frame(&keep, INT64_MIN, INT64_MAX, 10, 20, &err), 0);
    cr_assert(dj_janky_keep_overlaps(&keep, 0, INT64_MAX));
}

struct taken {
    size_t count;
    int64_t from_ns[8], to_ns[8];
};

static int take(void *user, int64_t from_ns, int64_t to_ns)
{
    struct taken *taken = user;
    cr_assert_lt(taken->count, 8);
    taken->from_ns[taken->count] = from_ns;
    taken->to_ns[taken->count++] = to_ns;
    return 0;
}

static int take_dump(void *user, struct dj_dump *dump)
{
    return dj_capture_janky_find(dump, take, user, &err);
}

static void put_row(struct dj_text *text, int64_t at_ms, int64_t length_ms)
{
    long long at_ns = at_ms * 1000000, step_ns = length_ms * 100000;
    dj_text_format(text, "0,%lld,%lld,9223372036854775807,0", at_ns, at_ns);
    for (int i = 1; i <= 8; i++) {
        dj_text_format(text, ",%lld", at_ns + i * step_ns);
    }
    dj_text_format(text, ",%lld,0,0,%lld,\n", at_ns + length_ms * 1000000,
                   at_ns + length_ms * 1000000);
}

Test(keep, janky_frames_by_the_releases_rule)
{
    struct dj_text text = {0};
    struct taken taken = {0};
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
    put_row(&text, 1000, 8);
    put_row(&text, 1100, 40);
    put_row(&text, 1200, 9);
    put_row(&text, 1300, 50);
    dj_text_add(&text, "---PROFILEDATA---\n\n");
    struct dj_parser *parser = dj_gfxinfo_parser_create(take_dump, &taken, &report);
    cr_assert_not_null(parser);
    cr_assert_eq(dj_gfxinfo_parser_feed(parser, text.data, text.length), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    dj_gfxinfo_parser_destroy(parser);
    dj_text_finish(&text);
    cr_assert_eq(taken.count, 2, "%zu frames", taken.count);
    cr_assert_eq(taken.from_ns[0], INT64_C(1100000000));
    cr_assert_eq(taken.to_ns[0], INT64_C(1140000000));
    cr_assert_eq(taken.from_ns[1], INT64_C(1300000000));
}
