#include <criterion/criterion.h>

#include "report/view/view.h"
#include "support.h"

Test(longest, frames_come_longest_first_and_of_equals_the_earlier)
{
    static const int64_t times_ns[] = {5, 9, 1, 9, 7, 8, 2, 9};
    static const size_t want[] = {1, 3, 7, 5, 4};
    struct dj_view_frame frames[8] = {0};
    size_t longest[DJ_LONGEST_FRAMES];
    for (size_t i = 0; i < 8; i++) {
        frames[i].frame_time_ns = times_ns[i];
    }
    for (size_t count = 0; count <= 8; count++) {
        struct dj_view view = {.frames = frames, .frame_count = count};
        size_t kept = dj_view_find_longest(&view, longest);
        cr_assert_eq(kept, count < DJ_LONGEST_FRAMES ? count : DJ_LONGEST_FRAMES);
        for (size_t i = 1; i < kept; i++) {
            int64_t before_ns = times_ns[longest[i - 1]];
            cr_assert(before_ns > times_ns[longest[i]] ||
                      (before_ns == times_ns[longest[i]] && longest[i - 1] < longest[i]));
        }
    }
    cr_assert_arr_eq(longest, want, sizeof(want));
}

Test(longest, rows_are_those_of_the_dump)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 20, .freeze = 12, .process = "com.x", .window = "w"});
    dump.processes[0].windows[0].frames[3].value[DJ_COLUMN_FLAGS] = DJ_FLAG_SKIPPED_FRAME;
    struct dj_views views = create_views(&dump);
    size_t longest[DJ_LONGEST_FRAMES];
    cr_assert_eq(dj_view_find_longest(&views.view[0], longest), DJ_LONGEST_FRAMES);
    const struct dj_view_frame *frame = &views.view[0].frames[longest[0]];
    cr_assert_eq(longest[0], 11, "among the usable ones");
    cr_assert_eq(frame->row, 13, "in the dump, from 1");
    cr_assert_eq(dj_view_get_longest_stage(&frame->stages), DJ_STAGE_ISSUE);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(longest, the_wait_is_no_stage_of_the_frame)
{
    struct dj_stages stages = {.known = 1U << DJ_STAGE_WAIT};
    stages.ns[DJ_STAGE_WAIT] = 90;
    cr_assert_eq(dj_view_get_longest_stage(&stages), DJ_STAGE_COUNT);
    stages.known |= 1U << DJ_STAGE_DRAW | 1U << DJ_STAGE_SYNC;
    stages.ns[DJ_STAGE_SYNC] = 5;
    stages.ns[DJ_STAGE_SWAP] = 50; /* Unknown. */
    cr_assert_eq(dj_view_get_longest_stage(&stages), DJ_STAGE_SYNC);
}
