#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame/interval.h"
#include "recorder/claims.h"
#include "recorder/recorder.h"
#include "recorder/thread.h"
#include "segment/directory.h"
#include "segment/environment.h"
#include "segment/snapshot.h"

/* From swaps and declared frames to rows, without any hook: the segment is read as
 * dumpsys reads it. */

static char directory[64];
static struct dj_snapshot snapshot;

static const struct dj_surface drawable = {DJ_PIPELINE_GLX, 0x2a};
static const struct dj_surface widget = {DJ_PIPELINE_GTK, 1};

static void setup(void)
{
    snprintf(directory, sizeof(directory), "/tmp/dejank-test-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    setenv("DEJANK_DIR", directory, 1);
    dj_recorder_load();
}

static void own_path(char *path, size_t size)
{
    snprintf(path, size, "%s/%d.%llu", directory, (int)getpid(),
             (unsigned long long)dj_process_start_ticks(getpid()));
}

static void teardown(void)
{
    char path[128];
    own_path(path, sizeof(path));
    unlink(path);
    rmdir(directory);
}

TestSuite(frames, .init = setup, .fini = teardown, .timeout = 60);

/* The window in a slot, as it stands. */
static const struct dj_snapshot_window *look(size_t slot)
{
    char path[128];
    struct dj_error err = {0};
    const struct dj_snapshot_options whole = {0};
    own_path(path, sizeof(path));
    dj_snapshot_finish(&snapshot);
    cr_assert_eq(dj_snapshot_read(path, geteuid(), &whole, &snapshot, &err), 0, "%s",
                 err.message);
    cr_assert_lt(slot, snapshot.window_count);
    cr_assert_gt(snapshot.windows[slot].frame_count, 0, "no frame was counted");
    return &snapshot.windows[slot];
}

static int64_t value(const struct dj_frame *frame, enum dj_column column)
{
    cr_assert(dj_frame_has(frame, column), "column %d is unknown", (int)column);
    return frame->value[column];
}

static struct dj_recorded swap(struct dj_surface surface)
{
    struct dj_swap swap = {.stack = (uintptr_t)&swap};
    dj_recorder_swap_begins(&swap);
    return dj_recorder_swap_ends(&swap, surface, true);
}

/* A swap of which `waited_ns` were the wait for the display; its end is not before. */
static void swap_waiting(struct dj_swap *swap, int64_t waited_ns)
{
    *swap = (struct dj_swap){.stack = (uintptr_t)swap};
    dj_recorder_swap_begins(swap);
    dj_recorder_swap_waited(waited_ns);
    while (dj_clock_ns() <= swap->entry_ns + waited_ns) {
    }
    dj_recorder_swap_ends(swap, drawable, true);
}

Test(frames, a_swap_is_a_frame)
{
    int64_t before_ns = dj_clock_ns();
    struct dj_recorded first = swap(drawable);
    struct dj_recorded second = swap(drawable);
    int64_t after_ns = dj_clock_ns();
    cr_assert(first.valid && second.valid);
    cr_assert_eq(first.index, 0);
    cr_assert_eq(second.index, 1);
    const struct dj_snapshot_window *window = look(0);
    cr_assert_str_eq(window->title, "GLX drawable 0x2a");
    cr_assert_eq(snapshot.pipelines, 1U << DJ_PIPELINE_GLX);
    cr_assert_eq(window->frame_count, 2);
    const struct dj_frame *frame = &window->frames[1];
    cr_assert_eq(value(&window->frames[0], DJ_COLUMN_FLAGS), DJ_FLAG_WINDOW_CHANGED);
    cr_assert_eq(value(frame, DJ_COLUMN_FLAGS), 0);
    int64_t start_ns = value(frame, DJ_COLUMN_INTENDED_VSYNC);
    cr_assert_eq(start_ns, value(&window->frames[0], DJ_COLUMN_FRAME_COMPLETED),
                 "without a wait it starts where the last swap returned");
    cr_assert_eq(value(frame, DJ_COLUMN_VSYNC), start_ns);
    cr_assert_geq(value(frame, DJ_COLUMN_SYNC_QUEUED), start_ns);
    cr_assert_eq(value(frame, DJ_COLUMN_SYNC_START), value(frame, DJ_COLUMN_SYNC_QUEUED));
    cr_assert_geq(value(frame, DJ_COLUMN_FRAME_COMPLETED),
                  value(frame, DJ_COLUMN_SWAP_BUFFERS));
    cr_assert_geq(start_ns, before_ns);
    cr_assert_leq(value(frame, DJ_COLUMN_FRAME_COMPLETED), after_ns);
    cr_assert_not(dj_frame_has(frame, DJ_COLUMN_FRAME_INTERVAL), "it is assumed");
    cr_assert_not(dj_frame_has(frame, DJ_COLUMN_GPU_COMPLETED));
}

Test(frames, a_swap_within_a_swap_is_none)
{
    struct dj_swap outer = {.stack = (uintptr_t)&outer};
    dj_recorder_swap_begins(&outer);
    cr_assert_not(swap(drawable).valid);
    cr_assert(dj_recorder_swap_ends(&outer, drawable, true).valid);
    cr_assert_eq(look(0)->frame_count, 1);
}

Test(frames, what_a_failed_swap_was_for_counts_to_the_next)
{
    struct dj_swap failed = {.stack = (uintptr_t)&failed};
    swap(drawable);
    dj_recorder_stage(DJ_COLUMN_ANIMATION_START, 777);
    dj_recorder_swap_begins(&failed);
    cr_assert_not(dj_recorder_swap_ends(&failed, drawable, false).valid);
    swap(drawable);
    const struct dj_snapshot_window *window = look(0);
    cr_assert_eq(window->frame_count, 2);
    cr_assert_eq(value(&window->frames[1], DJ_COLUMN_ANIMATION_START), 777);
    cr_assert_eq(value(&window->frames[1], DJ_COLUMN_INTENDED_VSYNC),
                 value(&window->frames[0], DJ_COLUMN_FRAME_COMPLETED));
}

/* As hwui's duration() wants it: behind the wait everything that follows. */
Test(frames, the_wait_for_the_display_stands_before_sync_start)
{
    struct dj_swap swap;
    swap_waiting(&swap, 5000000);
    const struct dj_frame *frame = &look(0)->frames[0];
    cr_assert_eq(value(frame, DJ_COLUMN_SYNC_START),
                 value(frame, DJ_COLUMN_SYNC_QUEUED) + 5000000);
    cr_assert_eq(value(frame, DJ_COLUMN_SWAP_BUFFERS),
                 value(frame, DJ_COLUMN_SYNC_START));
}

Test(frames, of_a_longer_stall_one_interval_was_the_display)
{
    struct dj_swap swap;
    swap_waiting(&swap, 50000000);
    const struct dj_frame *frame = &look(0)->frames[0];
    cr_assert_eq(value(frame, DJ_COLUMN_SYNC_START),
                 value(frame, DJ_COLUMN_SYNC_QUEUED) + DJ_ASSUMED_INTERVAL_NS);
}

/* A toolkit's own SyncStart stands before the swap, and the wait behind it. */
Test(frames, where_a_toolkit_synchronised_the_wait_is_at_the_end)
{
    struct dj_swap swap;
    dj_recorder_opens(widget);
    int64_t sync_ns = dj_clock_ns();
    dj_recorder_stage(DJ_COLUMN_SYNC_START, sync_ns);
    swap_waiting(&swap, 2000000);
    int64_t returned_ns = dj_thread.frame.returned_ns;
    dj_recorder_closes(true);
    const struct dj_frame *frame = &look(0)->frames[0];
    cr_assert_eq(value(frame, DJ_COLUMN_SYNC_START), sync_ns);
    cr_assert_eq(value(frame, DJ_COLUMN_SYNC_QUEUED), sync_ns, "no later than that");
    cr_assert_eq(value(frame, DJ_COLUMN_SWAP_BUFFERS), swap.entry_ns);
    cr_assert_eq(value(frame, DJ_COLUMN_FRAME_COMPLETED), returned_ns - 2000000);
}

Test(frames, of_two_stamps_the_first_stays)
{
    dj_recorder_stage(DJ_COLUMN_DRAW_START, 5);
    dj_recorder_stage(DJ_COLUMN_DRAW_START, 6);
    dj_recorder_stage(DJ_COLUMN_INTENDED_VSYNC, 4);
    swap(drawable);
    const struct dj_frame *frame = &look(0)->frames[0];
    cr_assert_eq(value(frame, DJ_COLUMN_DRAW_START), 5);
    cr_assert_eq(value(frame, DJ_COLUMN_INTENDED_VSYNC), 4);
    cr_assert_eq(value(frame, DJ_COLUMN_VSYNC), 4);
    swap(drawable);
    cr_assert_not(dj_frame_has(&look(0)->frames[1], DJ_COLUMN_DRAW_START),
                  "they are one frame's");
}

Test(frames, a_declared_frame_holds_its_swaps)
{
    dj_recorder_stage(DJ_COLUMN_HANDLE_INPUT_START, 3); /* before it was opened */
    dj_recorder_opens(widget);
    dj_recorder_stage(DJ_COLUMN_DRAW_START, 8);
    cr_assert_not(swap(drawable).valid);
    int64_t entry_ns = dj_thread.frame.entry_ns;
    cr_assert_not(swap(drawable).valid);
    int64_t returned_ns = dj_thread.frame.returned_ns;
    struct dj_recorded recorded = dj_recorder_closes(true);
    cr_assert(recorded.valid);
    cr_assert_eq(recorded.surface.pipeline, DJ_PIPELINE_GTK);
    const struct dj_snapshot_window *window = look(0);
    cr_assert_eq(snapshot.window_count, 1, "the drawable has no window of its own");
    cr_assert_eq(snapshot.pipelines, 1U << DJ_PIPELINE_GTK);
    cr_assert_eq(window->frame_count, 1);
    const struct dj_frame *frame = &window->frames[0];
    cr_assert_eq(value(frame, DJ_COLUMN_HANDLE_INPUT_START), 3);
    cr_assert_eq(value(frame, DJ_COLUMN_DRAW_START), 8);
    cr_assert_eq(value(frame, DJ_COLUMN_SYNC_QUEUED), entry_ns, "its first swap");
    cr_assert_eq(value(frame, DJ_COLUMN_FRAME_COMPLETED), returned_ns, "its last swap");
}

Test(frames, a_declared_frame_without_a_swap_completes_where_it_closes)
{
    dj_recorder_opens(widget);
    int64_t before_ns = dj_clock_ns();
    cr_assert(dj_recorder_closes(true).valid);
    const struct dj_frame *frame = &look(0)->frames[0];
    cr_assert_geq(value(frame, DJ_COLUMN_FRAME_COMPLETED), before_ns);
    cr_assert_eq(value(frame, DJ_COLUMN_SYNC_QUEUED),
                 value(frame, DJ_COLUMN_FRAME_COMPLETED));
    cr_assert_leq(value(frame, DJ_COLUMN_INTENDED_VSYNC), before_ns);
}

Test(frames, of_a_frame_in_which_nothing_was_drawn_nothing_is_left)
{
    swap(drawable);
    dj_recorder_opens(widget);
    dj_recorder_stage(DJ_COLUMN_DRAW_START, 8);
    cr_assert_not(dj_recorder_closes(false).valid);
    swap(drawable);
    const struct dj_snapshot_window *window = look(0);
    cr_assert_eq(snapshot.window_count, 1);
    cr_assert_eq(window->frame_count, 2);
    cr_assert_not(dj_frame_has(&window->frames[1], DJ_COLUMN_DRAW_START));
}

/* A toolkit that does not tell of its drawing, but swapped. */
Test(frames, a_frame_that_swapped_was_drawn)
{
    dj_recorder_opens(widget);
    swap(drawable);
    cr_assert(dj_recorder_closes(false).valid);
}

Test(frames, a_frame_left_open_is_given_up)
{
    dj_recorder_opens(widget);
    dj_recorder_stage(DJ_COLUMN_DRAW_START, 8);
    swap(drawable);
    dj_recorder_opens(widget);
    cr_assert(dj_recorder_closes(true).valid);
    const struct dj_snapshot_window *window = look(0);
    cr_assert_eq(window->frame_count, 1);
    cr_assert_not(dj_frame_has(&window->frames[0], DJ_COLUMN_DRAW_START));
}

Test(frames, closing_what_was_not_opened_is_nothing)
{
    cr_assert_not(dj_recorder_closes(true).valid);
    swap(drawable);
    cr_assert_not(dj_recorder_closes(true).valid);
    cr_assert_eq(look(0)->frame_count, 1);
}

Test(frames, surfaces_of_two_pipelines_with_one_number_are_two_windows)
{
    for (uint64_t i = 0; i < DJ_PIPELINE_COUNT; i++) {
        cr_assert(swap((struct dj_surface){(enum dj_pipeline)i, 7}).valid);
    }
    look(0);
    cr_assert_eq(snapshot.window_count, DJ_PIPELINE_COUNT);
    cr_assert_eq(snapshot.pipelines, (1U << DJ_PIPELINE_COUNT) - 1);
}

Test(frames, a_declared_frame_starts_where_its_loop_woke)
{
    int64_t begin_ns = dj_clock_ns() - 10000000;
    dj_recorder_slept(begin_ns, (uintptr_t)&begin_ns);
    int64_t woke_ns = dj_thread.waits.woke_ns;
    dj_recorder_opens(widget);
    dj_recorder_closes(true);
    cr_assert_eq(value(&look(0)->frames[0], DJ_COLUMN_INTENDED_VSYNC), woke_ns);
}

static void *other_thread(void *unused)
{
    (void)unused;
    dj_recorder_stage(DJ_COLUMN_DRAW_START, 99);
    dj_recorder_opens(widget);
    swap(drawable);
    return NULL; /* with its frame open */
}

Test(frames, a_thread_has_its_own_frame)
{
    pthread_t thread;
    swap(drawable);
    cr_assert_eq(pthread_create(&thread, NULL, other_thread, NULL), 0);
    pthread_join(thread, NULL);
    swap(drawable);
    const struct dj_snapshot_window *window = look(0);
    cr_assert_eq(window->frame_count, 2);
    cr_assert_not(dj_frame_has(&window->frames[1], DJ_COLUMN_DRAW_START));
}

Test(frames, what_becomes_known_later_is_added)
{
    struct dj_recorded frame = swap(drawable);
    int64_t gpu_ns = dj_clock_ns() + 1000000;
    cr_assert(dj_recorder_amend(&frame, DJ_COLUMN_GPU_COMPLETED, gpu_ns));
    cr_assert_not(dj_recorder_amend(&frame, DJ_COLUMN_GPU_COMPLETED, gpu_ns));
    cr_assert_eq(value(&look(0)->frames[0], DJ_COLUMN_GPU_COMPLETED), gpu_ns);
    for (int i = 0; i < DJ_SEGMENT_KEEP; i++) {
        swap(drawable);
    }
    cr_assert_not(dj_recorder_amend(&frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, 1),
                  "the ring has gone past it");
    const struct dj_recorded none = {.surface = drawable};
    cr_assert_not(dj_recorder_amend(&none, DJ_COLUMN_DISPLAY_PRESENT_TIME, 1));
}

Test(frames, of_a_surface_without_a_frame_nothing_can_be_told)
{
    for (int round = 0; round < 2; round++) {
        cr_assert_not(dj_recorder_set_title(widget, "title"));
        cr_assert_not(dj_recorder_set_interval(widget, 1000000));
        cr_assert_not(dj_recorder_set_visibility(widget, DJ_GONE));
        cr_assert_not(dj_recorder_set_views(widget, 3));
        swap(drawable);
    }
}

Test(frames, what_is_told_of_a_surface_is_its_windows)
{
    swap(drawable);
    dj_recorder_opens(widget);
    dj_recorder_closes(true);
    cr_assert(dj_recorder_set_title(widget, "Größe — 設定"));
    cr_assert(dj_recorder_set_interval(widget, 8333333));
    cr_assert(dj_recorder_set_visibility(widget, DJ_INVISIBLE));
    cr_assert(dj_recorder_set_views(widget, 300));
    dj_recorder_opens(widget);
    dj_recorder_closes(true);
    const struct dj_snapshot_window *window = look(1);
    cr_assert_str_eq(window->title, "Größe — 設定");
    cr_assert_eq(window->interval_ns, 8333333);
    cr_assert_not(window->interval_assumed);
    cr_assert_eq(window->visibility, DJ_INVISIBLE);
    cr_assert_eq(window->views, 300);
    cr_assert_not(dj_frame_has(&window->frames[0], DJ_COLUMN_FRAME_INTERVAL));
    cr_assert_eq(value(&window->frames[1], DJ_COLUMN_FRAME_INTERVAL), 8333333);
    cr_assert_str_eq(look(0)->title, "GLX drawable 0x2a");
    cr_assert(look(0)->interval_assumed);
}

Test(frames, what_the_person_said_of_the_display_counts_more)
{
    setenv(DJ_ENV_INTERVAL_NS, "20000000", 1);
    dj_recorder_load();
    swap(drawable);
    cr_assert_not(dj_recorder_set_interval(drawable, 8333333));
    swap(drawable);
    cr_assert_eq(look(0)->interval_ns, 20000000);
    cr_assert_eq(value(&look(0)->frames[1], DJ_COLUMN_FRAME_INTERVAL), 20000000);
}

Test(frames, errno_is_the_apps)
{
    errno = EXDEV;
    swap(drawable); /* makes the segment */
    swap(drawable);
    dj_recorder_opens(widget);
    dj_recorder_closes(true);
    dj_recorder_claims(0);
    dj_recorder_hands_over();
    cr_assert_eq(errno, EXDEV);
}

Test(frames, without_a_place_nothing_is_recorded_and_nothing_happens)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/file", directory);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fclose(file);
    setenv("DEJANK_DIR", path, 1);
    errno = EXDEV;
    cr_assert_not(swap(drawable).valid);
    cr_assert_eq(errno, EXDEV);
    dj_recorder_opens(widget);
    cr_assert_not(dj_recorder_closes(true).valid);
    cr_assert_not(dj_recorder_set_title(drawable, "title"));
    unlink(path);
}

/* In the child the parent's frame goes on, but not its segment. */
Test(frames, a_child_has_a_segment_of_its_own)
{
    int status;
    swap(drawable);
    pid_t child = fork();
    if (child == 0) {
        char path[128];
        struct dj_recorded frame = swap(drawable);
        own_path(path, sizeof(path));
        bool own = frame.valid && frame.index == 0 && access(path, F_OK) == 0;
        unlink(path);
        _exit(own ? 0 : 1);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    cr_assert_eq(swap(drawable).index, 1);
    cr_assert_eq(look(0)->frame_count, 2);
}
