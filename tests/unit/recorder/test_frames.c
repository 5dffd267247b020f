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

/* Records swaps and declared frames without hooks, and reads the segment as dumpsys
 * does. */

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

static void get_segment_path(char *path, size_t size)
{
    snprintf(path, size, "%s/%d.%llu", directory, (int)getpid(),
             (unsigned long long)dj_segment_process_start_ticks(getpid()));
}

static void teardown(void)
{
    char path[128];
    get_segment_path(path, sizeof(path));
    unlink(path);
    rmdir(directory);
}

TestSuite(frames, .init = setup, .fini = teardown, .timeout = 60);

/* Reads the segment and returns its window at index `slot`. */
static const struct dj_snapshot_window *read_window(size_t slot)
{
    char path[128];
    struct dj_error err = {0};
    const struct dj_snapshot_options whole = {0};
    get_segment_path(path, sizeof(path));
    dj_segment_snapshot_finish(&snapshot);
    cr_assert_eq(dj_segment_snapshot_read(path, geteuid(), &whole, &snapshot, &err), 0,
                 "%s", err.message);
    cr_assert_lt(slot, snapshot.window_count);
    cr_assert_gt(snapshot.windows[slot].frame_count, 0, "no frame was counted");
    return &snapshot.windows[slot];
}

static int64_t get_value(const struct dj_frame *frame, enum dj_column column)
{
    cr_assert(dj_frame_has(frame, column), "column %d is unknown", (int)column);
    return frame->value[column];
}

static struct dj_recorded_frame make_swap(struct dj_surface surface)
{
    struct dj_swap swap = {.stack = (uintptr_t)&swap};
    dj_recorder_begin_swap(&swap);
    return dj_recorder_end_swap(&swap, surface, true);
}

/* Makes a swap that takes longer than waited_ns and waits for the display during
 * waited_ns. */
static void make_waiting_swap(struct dj_swap *swap, int64_t waited_ns)
{
    *swap = (struct dj_swap){.stack = (uintptr_t)swap};
    dj_recorder_begin_swap(swap);
    dj_recorder_add_swap_wait(waited_ns);
    while (dj_recorder_clock_ns() <= swap->entry_ns + waited_ns) {
    }
    dj_recorder_end_swap(swap, drawable, true);
}

Test(frames, a_swap_is_a_frame)
{
    int64_t before_ns = dj_recorder_clock_ns();
    struct dj_recorded_frame first = make_swap(drawable);
    struct dj_recorded_frame second = make_swap(drawable);
    int64_t after_ns = dj_recorder_clock_ns();
    cr_assert(first.valid && second.valid);
    cr_assert_eq(first.index, 0);
    cr_assert_eq(second.index, 1);
    const struct dj_snapshot_window *window = read_window(0);
    cr_assert_str_eq(window->title, "GLX drawable 0x2a");
    cr_assert_eq(snapshot.pipelines, 1U << DJ_PIPELINE_GLX);
    cr_assert_eq(window->frame_count, 2);
    const struct dj_frame *frame = &window->frames[1];
    cr_assert_eq(get_value(&window->frames[0], DJ_COLUMN_FLAGS), DJ_FLAG_WINDOW_CHANGED);
    cr_assert_eq(get_value(frame, DJ_COLUMN_FLAGS), 0);
    int64_t start_ns = get_value(frame, DJ_COLUMN_INTENDED_VSYNC);
    cr_assert_eq(start_ns, get_value(&window->frames[0], DJ_COLUMN_FRAME_COMPLETED),
                 "without a wait it starts where the last swap returned");
    cr_assert_eq(get_value(frame, DJ_COLUMN_VSYNC), start_ns);
    cr_assert_geq(get_value(frame, DJ_COLUMN_SYNC_QUEUED), start_ns);
    cr_assert_eq(get_value(frame, DJ_COLUMN_SYNC_START),
                 get_value(frame, DJ_COLUMN_SYNC_QUEUED));
    cr_assert_geq(get_value(frame, DJ_COLUMN_FRAME_COMPLETED),
                  get_value(frame, DJ_COLUMN_SWAP_BUFFERS));
    cr_assert_geq(start_ns, before_ns);
    cr_assert_leq(get_value(frame, DJ_COLUMN_FRAME_COMPLETED), after_ns);
    cr_assert_not(dj_frame_has(frame, DJ_COLUMN_FRAME_INTERVAL), "it is assumed");
    cr_assert_not(dj_frame_has(frame, DJ_COLUMN_GPU_COMPLETED));
}

Test(frames, a_nested_swap_is_no_frame)
{
    struct dj_swap outer = {.stack = (uintptr_t)&outer};
    dj_recorder_begin_swap(&outer);
    cr_assert_not(make_swap(drawable).valid);
    cr_assert(dj_recorder_end_swap(&outer, drawable, true).valid);
    cr_assert_eq(read_window(0)->frame_count, 1);
}

Test(frames, work_before_a_failed_swap_counts_for_the_next_frame)
{
    struct dj_swap failed = {.stack = (uintptr_t)&failed};
    make_swap(drawable);
    dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_START, 777);
    dj_recorder_begin_swap(&failed);
    cr_assert_not(dj_recorder_end_swap(&failed, drawable, false).valid);
    make_swap(drawable);
    const struct dj_snapshot_window *window = read_window(0);
    cr_assert_eq(window->frame_count, 2);
    cr_assert_eq(get_value(&window->frames[1], DJ_COLUMN_ANIMATION_START), 777);
    cr_assert_eq(get_value(&window->frames[1], DJ_COLUMN_INTENDED_VSYNC),
                 get_value(&window->frames[0], DJ_COLUMN_FRAME_COMPLETED));
}

/* hwui's duration() excludes only a wait before SyncStart. */
Test(frames, the_wait_for_the_display_is_before_sync_start)
{
    struct dj_swap swap;
    make_waiting_swap(&swap, 5000000);
    const struct dj_frame *frame = &read_window(0)->frames[0];
    cr_assert_eq(get_value(frame, DJ_COLUMN_SYNC_START),
                 get_value(frame, DJ_COLUMN_SYNC_QUEUED) + 5000000);
    cr_assert_eq(get_value(frame, DJ_COLUMN_SWAP_BUFFERS),
                 get_value(frame, DJ_COLUMN_SYNC_START));
}

Test(frames, a_wait_for_the_display_is_at_most_one_interval)
{
    struct dj_swap swap;
    make_waiting_swap(&swap, 50000000);
    const struct dj_frame *frame = &read_window(0)->frames[0];
    cr_assert_eq(get_value(frame, DJ_COLUMN_SYNC_START),
                 get_value(frame, DJ_COLUMN_SYNC_QUEUED) + DJ_ASSUMED_INTERVAL_NS);
}

/* The stamped SyncStart is before the swap, so the wait comes after it. */
Test(frames, the_wait_is_after_the_frame_if_sync_start_is_stamped)
{
    struct dj_swap swap;
    dj_recorder_open_frame(widget);
    int64_t sync_ns = dj_recorder_clock_ns();
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_START, sync_ns);
    make_waiting_swap(&swap, 2000000);
    int64_t returned_ns = dj_recorder_thread.frame.returned_ns;
    dj_recorder_close_frame(true);
    const struct dj_frame *frame = &read_window(0)->frames[0];
    cr_assert_eq(get_value(frame, DJ_COLUMN_SYNC_START), sync_ns);
    cr_assert_eq(get_value(frame, DJ_COLUMN_SYNC_QUEUED), sync_ns, "no later than that");
    cr_assert_eq(get_value(frame, DJ_COLUMN_SWAP_BUFFERS), swap.entry_ns);
    cr_assert_eq(get_value(frame, DJ_COLUMN_FRAME_COMPLETED), returned_ns - 2000000);
}

Test(frames, the_first_of_two_stamps_is_kept)
{
    dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, 5);
    dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, 6);
    dj_recorder_stamp_stage(DJ_COLUMN_INTENDED_VSYNC, 4);
    make_swap(drawable);
    const struct dj_frame *frame = &read_window(0)->frames[0];
    cr_assert_eq(get_value(frame, DJ_COLUMN_DRAW_START), 5);
    cr_assert_eq(get_value(frame, DJ_COLUMN_INTENDED_VSYNC), 4);
    cr_assert_eq(get_value(frame, DJ_COLUMN_VSYNC), 4);
    make_swap(drawable);
    cr_assert_not(dj_frame_has(&read_window(0)->frames[1], DJ_COLUMN_DRAW_START),
                  "the stamps belong to the first frame only");
}

Test(frames, a_declared_frame_contains_its_swaps)
{
    /* This stage is stamped before the frame is opened. */
    dj_recorder_stamp_stage(DJ_COLUMN_HANDLE_INPUT_START, 3);
    dj_recorder_open_frame(widget);
    dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, 8);
    cr_assert_not(make_swap(drawable).valid);
    int64_t entry_ns = dj_recorder_thread.frame.entry_ns;
    cr_assert_not(make_swap(drawable).valid);
    int64_t returned_ns = dj_recorder_thread.frame.returned_ns;
    struct dj_recorded_frame recorded = dj_recorder_close_frame(true);
    cr_assert(recorded.valid);
    cr_assert_eq(recorded.surface.pipeline, DJ_PIPELINE_GTK);
    const struct dj_snapshot_window *window = read_window(0);
    cr_assert_eq(snapshot.window_count, 1, "the drawable has no window of its own");
    cr_assert_eq(snapshot.pipelines, 1U << DJ_PIPELINE_GTK);
    cr_assert_eq(window->frame_count, 1);
    const struct dj_frame *frame = &window->frames[0];
    cr_assert_eq(get_value(frame, DJ_COLUMN_HANDLE_INPUT_START), 3);
    cr_assert_eq(get_value(frame, DJ_COLUMN_DRAW_START), 8);
    cr_assert_eq(get_value(frame, DJ_COLUMN_SYNC_QUEUED), entry_ns, "its first swap");
    cr_assert_eq(get_value(frame, DJ_COLUMN_FRAME_COMPLETED), returned_ns,
                 "its last swap");
}

Test(frames, a_declared_frame_without_a_swap_completes_when_it_closes)
{
    dj_recorder_open_frame(widget);
    int64_t before_ns = dj_recorder_clock_ns();
    cr_assert(dj_recorder_close_frame(true).valid);
    const struct dj_frame *frame = &read_window(0)->frames[0];
    cr_assert_geq(get_value(frame, DJ_COLUMN_FRAME_COMPLETED), before_ns);
    cr_assert_eq(get_value(frame, DJ_COLUMN_SYNC_QUEUED),
                 get_value(frame, DJ_COLUMN_FRAME_COMPLETED));
    cr_assert_leq(get_value(frame, DJ_COLUMN_INTENDED_VSYNC), before_ns);
}

Test(frames, a_frame_without_drawing_is_discarded)
{
    make_swap(drawable);
    dj_recorder_open_frame(widget);
    dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, 8);
    cr_assert_not(dj_recorder_close_frame(false).valid);
    make_swap(drawable);
    const struct dj_snapshot_window *window = read_window(0);
    cr_assert_eq(snapshot.window_count, 1);
    cr_assert_eq(window->frame_count, 2);
    cr_assert_not(dj_frame_has(&window->frames[1], DJ_COLUMN_DRAW_START));
}

/* The toolkit reports that nothing was drawn, but a swap was part of the frame. */
Test(frames, a_frame_with_a_swap_is_recorded_even_if_nothing_was_drawn)
{
    dj_recorder_open_frame(widget);
    make_swap(drawable);
    cr_assert(dj_recorder_close_frame(false).valid);
}

Test(frames, opening_a_frame_discards_an_open_one)
{
    dj_recorder_open_frame(widget);
    dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, 8);
    make_swap(drawable);
    dj_recorder_open_frame(widget);
    cr_assert(dj_recorder_close_frame(true).valid);
    const struct dj_snapshot_window *window = read_window(0);
    cr_assert_eq(window->frame_count, 1);
    cr_assert_not(dj_frame_has(&window->frames[0], DJ_COLUMN_DRAW_START));
}

Test(frames, closing_without_opening_has_no_effect)
{
    cr_assert_not(dj_recorder_close_frame(true).valid);
    make_swap(drawable);
    cr_assert_not(dj_recorder_close_frame(true).valid);
    cr_assert_eq(read_window(0)->frame_count, 1);
}

Test(frames, equal_numbers_in_two_pipelines_are_two_windows)
{
    enum { COUNT = DJ_PIPELINE_X_PRESENT + 1 }; /* The others are no surfaces. */
    for (uint64_t i = 0; i < COUNT; i++) {
        cr_assert(make_swap((struct dj_surface){(enum dj_pipeline)i, 7}).valid);
    }
    read_window(0);
    cr_assert_eq(snapshot.window_count, COUNT);
    cr_assert_eq(snapshot.pipelines, (1U << COUNT) - 1);
}

Test(frames, a_declared_frame_starts_when_its_loop_woke)
{
    int64_t begin_ns = dj_recorder_clock_ns() - 10000000;
    dj_recorder_note_sleep(begin_ns, (uintptr_t)&begin_ns);
    int64_t woke_ns = dj_recorder_thread.waits.woke_ns;
    dj_recorder_open_frame(widget);
    dj_recorder_close_frame(true);
    cr_assert_eq(get_value(&read_window(0)->frames[0], DJ_COLUMN_INTENDED_VSYNC),
                 woke_ns);
}

static void *swap_on_other_thread(void *unused)
{
    (void)unused;
    dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, 99);
    dj_recorder_open_frame(widget);
    make_swap(drawable);
    return NULL; /* The thread ends while its frame is open. */
}

Test(frames, each_thread_has_its_own_frame)
{
    pthread_t thread;
    make_swap(drawable);
    cr_assert_eq(pthread_create(&thread, NULL, swap_on_other_thread, NULL), 0);
    pthread_join(thread, NULL);
    make_swap(drawable);
    const struct dj_snapshot_window *window = read_window(0);
    cr_assert_eq(window->frame_count, 2);
    cr_assert_not(dj_frame_has(&window->frames[1], DJ_COLUMN_DRAW_START));
}

Test(frames, values_can_be_added_to_a_recorded_frame)
{
    struct dj_recorded_frame frame = make_swap(drawable);
    int64_t gpu_ns = dj_recorder_clock_ns() + 1000000;
    cr_assert(dj_recorder_amend_frame(&frame, DJ_COLUMN_GPU_COMPLETED, gpu_ns));
    cr_assert_not(dj_recorder_amend_frame(&frame, DJ_COLUMN_GPU_COMPLETED, gpu_ns));
    cr_assert_eq(get_value(&read_window(0)->frames[0], DJ_COLUMN_GPU_COMPLETED), gpu_ns);
    for (int i = 0; i < DJ_SEGMENT_KEEP; i++) {
        make_swap(drawable);
    }
    cr_assert_not(dj_recorder_amend_frame(&frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, 1),
                  "the ring has gone past it");
    const struct dj_recorded_frame none = {.surface = drawable};
    cr_assert_not(dj_recorder_amend_frame(&none, DJ_COLUMN_DISPLAY_PRESENT_TIME, 1));
}

Test(frames, a_surface_without_a_frame_has_no_properties)
{
    for (int round = 0; round < 2; round++) {
        cr_assert_not(dj_recorder_set_title(widget, "title"));
        cr_assert_not(dj_recorder_set_interval(widget, 1000000));
        cr_assert_not(dj_recorder_set_visibility(widget, DJ_GONE));
        cr_assert_not(dj_recorder_set_views(widget, 3));
        make_swap(drawable);
    }
}

Test(frames, properties_of_a_surface_belong_to_its_window)
{
    make_swap(drawable);
    dj_recorder_open_frame(widget);
    dj_recorder_close_frame(true);
    cr_assert(dj_recorder_set_title(widget, "Größe — 設定"));
    cr_assert(dj_recorder_set_interval(widget, 8333333));
    cr_assert(dj_recorder_set_visibility(widget, DJ_INVISIBLE));
    cr_assert(dj_recorder_set_views(widget, 300));
    dj_recorder_open_frame(widget);
    dj_recorder_close_frame(true);
    const struct dj_snapshot_window *window = read_window(1);
    cr_assert_str_eq(window->title, "Größe — 設定");
    cr_assert_eq(window->interval_ns, 8333333);
    cr_assert_not(window->interval_assumed);
    cr_assert_eq(window->visibility, DJ_INVISIBLE);
    cr_assert_eq(window->views, 300);
    cr_assert_not(dj_frame_has(&window->frames[0], DJ_COLUMN_FRAME_INTERVAL));
    cr_assert_eq(get_value(&window->frames[1], DJ_COLUMN_FRAME_INTERVAL), 8333333);
    cr_assert_str_eq(read_window(0)->title, "GLX drawable 0x2a");
    cr_assert(read_window(0)->interval_assumed);
}

Test(frames, the_users_refresh_rate_has_priority)
{
    setenv(DJ_ENV_INTERVAL_NS, "20000000", 1);
    dj_recorder_load();
    make_swap(drawable);
    cr_assert_not(dj_recorder_set_interval(drawable, 8333333));
    make_swap(drawable);
    cr_assert_eq(read_window(0)->interval_ns, 20000000);
    cr_assert_eq(get_value(&read_window(0)->frames[1], DJ_COLUMN_FRAME_INTERVAL),
                 20000000);
}

Test(frames, errno_is_kept)
{
    errno = EXDEV;
    make_swap(drawable); /* The first swap creates the segment. */
    make_swap(drawable);
    dj_recorder_open_frame(widget);
    dj_recorder_close_frame(true);
    dj_recorder_claim_work(0);
    dj_recorder_transfer_frame();
    cr_assert_eq(errno, EXDEV);
}

Test(frames, without_a_folder_nothing_is_recorded)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/file", directory);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fclose(file);
    setenv("DEJANK_DIR", path, 1);
    errno = EXDEV;
    cr_assert_not(make_swap(drawable).valid);
    cr_assert_eq(errno, EXDEV);
    dj_recorder_open_frame(widget);
    cr_assert_not(dj_recorder_close_frame(true).valid);
    cr_assert_not(dj_recorder_set_title(drawable, "title"));
    unlink(path);
}

/* A forked child inherits the frame in progress, but creates its own segment. */
Test(frames, a_child_has_its_own_segment)
{
    int status;
    make_swap(drawable);
    pid_t child = fork();
    if (child == 0) {
        char path[128];
        struct dj_recorded_frame frame = make_swap(drawable);
        get_segment_path(path, sizeof(path));
        bool own = frame.valid && frame.index == 0 && access(path, F_OK) == 0;
        unlink(path);
        _exit(own ? 0 : 1);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    cr_assert_eq(make_swap(drawable).index, 1);
    cr_assert_eq(read_window(0)->frame_count, 2);
}
