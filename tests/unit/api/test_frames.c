#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dejank/frames.h"
#include "recorder/recorder.h"
#include "segment/directory.h"
#include "segment/snapshot.h"

/* Calls the public functions and reads the segment as dumpsys does. */

enum { PANEL = 3 };

static char directory[64], path[128];
static struct dj_snapshot snapshot;

static void setup(void)
{
    snprintf(directory, sizeof(directory), "/tmp/dejank-test-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof(path), "%s/%d.%llu", directory, (int)getpid(),
             (unsigned long long)dj_segment_process_start_ticks(getpid()));
    setenv("DEJANK_DIR", directory, 1);
    dj_recorder_load_without_hooks();
}

static void teardown(void)
{
    dj_segment_snapshot_finish(&snapshot);
    unlink(path);
    rmdir(directory);
}

TestSuite(api, .init = setup, .fini = teardown, .timeout = 60);

static const struct dj_snapshot_window *read_window(void)
{
    struct dj_error err = {0};
    const struct dj_snapshot_options whole = {0};
    dj_segment_snapshot_finish(&snapshot);
    cr_assert_eq(dj_segment_snapshot_read(path, geteuid(), &whole, &snapshot, &err), 0,
                 "%s", err.message);
    cr_assert_eq(snapshot.window_count, 1);
    return &snapshot.windows[0];
}

Test(api, stages_have_the_stamped_times)
{
    dejank_frame_begin(PANEL);
    for (int stage = 0; stage <= DEJANK_FRAME_DEADLINE; stage++) {
        dejank_frame_stage_at((enum dejank_stage)stage, 1000 + stage);
        dejank_frame_stage_at((enum dejank_stage)stage,
                              9999); /* Ignored: a second stamp. */
    }
    cr_assert(dejank_frame_end().recorded);
    const struct dj_frame *frame = &read_window()->frames[0];
    static const enum dj_column columns[] = {DJ_COLUMN_INTENDED_VSYNC,
                                             DJ_COLUMN_VSYNC,
                                             DJ_COLUMN_OLDEST_INPUT_EVENT,
                                             DJ_COLUMN_NEWEST_INPUT_EVENT,
                                             DJ_COLUMN_HANDLE_INPUT_START,
                                             DJ_COLUMN_ANIMATION_START,
                                             DJ_COLUMN_PERFORM_TRAVERSALS_START,
                                             DJ_COLUMN_DRAW_START,
                                             DJ_COLUMN_SYNC_QUEUED,
                                             DJ_COLUMN_SYNC_START,
                                             DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
                                             DJ_COLUMN_SWAP_BUFFERS,
                                             DJ_COLUMN_FRAME_COMPLETED,
                                             DJ_COLUMN_FRAME_DEADLINE};
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        cr_expect_eq(frame->value[columns[i]], 1000 + (int64_t)i, "stage %zu", i);
    }
}

Test(api, stages_without_a_stamp_are_in_order_or_unknown)
{
    static const enum dejank_stage lone[] = {DEJANK_SYNC_QUEUED, DEJANK_SYNC_START,
                                             DEJANK_RENDER_START, DEJANK_SWAP_BUFFERS};
    static const enum dj_column order[] = {
        DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_SYNC_QUEUED,
        DJ_COLUMN_SYNC_START,     DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
        DJ_COLUMN_SWAP_BUFFERS,   DJ_COLUMN_FRAME_COMPLETED};
    for (size_t i = 0; i < sizeof(lone) / sizeof(lone[0]); i++) {
        dejank_frame_begin(PANEL);
        dejank_frame_stage(lone[i]);
        dejank_frame_end();
    }
    const struct dj_snapshot_window *window = read_window();
    for (size_t i = 0; i < sizeof(lone) / sizeof(lone[0]); i++) {
        const struct dj_frame *frame = &window->frames[i];
        for (size_t k = 1; k < sizeof(order) / sizeof(order[0]); k++) {
            cr_expect_leq(frame->value[order[k - 1]], frame->value[order[k]],
                          "frame %zu, column %zu", i, k);
        }
        cr_expect_not(dj_frame_has(frame, DJ_COLUMN_DRAW_START));
    }
}

Test(api, without_hooks_a_frame_starts_at_its_begin)
{
    dejank_frame_begin(PANEL);
    dejank_frame_end();
    usleep(2000); /* No hook sees this wait. */
    int64_t begun_ns = dejank_now_ns();
    dejank_frame_begin(PANEL);
    dejank_frame_end();
    cr_assert_geq(read_window()->frames[1].value[DJ_COLUMN_INTENDED_VSYNC], begun_ns);
}

Test(api, properties_can_be_set_before_the_first_frame)
{
    cr_assert(dejank_surface_set_title(PANEL, "front"));
    cr_assert(dejank_surface_set_interval(PANEL, 20000000));
    cr_assert(dejank_surface_set_visible(PANEL, false));
    cr_assert_not(dejank_surface_set_interval(PANEL, 0));
    dejank_frame_begin(PANEL);
    dejank_frame_end();
    dejank_frame_begin(PANEL);
    dejank_frame_end();
    const struct dj_snapshot_window *window = read_window();
    cr_assert_str_eq(window->title, "front");
    cr_assert_eq(window->visibility, DJ_INVISIBLE);
    cr_assert_eq(window->frames[0].value[DJ_COLUMN_FRAME_INTERVAL], 20000000);
    cr_assert_eq(window->frames[0].value[DJ_COLUMN_FLAGS], DJ_FLAG_WINDOW_CHANGED);
    cr_assert_eq(window->frames[1].value[DJ_COLUMN_FLAGS], 0);
}

Test(api, a_discarded_frame_does_not_affect_the_next)
{
    dejank_frame_begin(PANEL);
    dejank_frame_stage_at(DEJANK_DRAW_START, 77);
    dejank_frame_discard();
    cr_assert_not(dejank_frame_end().recorded, "none is begun");
    dejank_frame_begin(PANEL);
    dejank_frame_end();
    const struct dj_snapshot_window *window = read_window();
    cr_assert_eq(window->frame_count, 1);
    cr_assert_not(dj_frame_has(&window->frames[0], DJ_COLUMN_DRAW_START));
}

Test(api, only_two_stages_can_be_amended)
{
    dejank_frame_begin(PANEL);
    struct dejank_frame frame = dejank_frame_end();
    struct dejank_frame none = {.surface = PANEL};
    cr_assert_not(dejank_frame_amend(frame, DEJANK_DRAW_START, 5));
    cr_assert_not(dejank_frame_amend(frame, DEJANK_GPU_COMPLETED, -1));
    cr_assert_not(dejank_frame_amend(none, DEJANK_GPU_COMPLETED, 5));
    cr_assert(dejank_frame_amend(frame, DEJANK_DISPLAY_PRESENT_TIME, dejank_now_ns()));
    cr_assert_not(dejank_frame_amend(frame, DEJANK_DISPLAY_PRESENT_TIME, 6));
    cr_assert(dj_frame_has(&read_window()->frames[0], DJ_COLUMN_DISPLAY_PRESENT_TIME));
}

Test(api, unknown_stage_numbers_are_ignored)
{
    dejank_frame_begin(PANEL);
    dejank_frame_stage((enum dejank_stage)DEJANK_STAGE_COUNT);
    dejank_frame_stage((enum dejank_stage) - 1);
    dejank_frame_stage_at((enum dejank_stage)1000, 5);
    dejank_frame_stage_at(DEJANK_DRAW_START, -5);
    cr_assert(dejank_frame_end().recorded);
    cr_assert_not(dj_frame_has(&read_window()->frames[0], DJ_COLUMN_DRAW_START));
}

Test(api, errno_is_kept)
{
    errno = EXDEV;
    dejank_surface_set_title(PANEL, "x"); /* This call creates the segment. */
    dejank_frame_begin(PANEL);
    dejank_frame_stage(DEJANK_DRAW_START);
    dejank_frame_end();
    cr_assert_eq(errno, EXDEV);
}
