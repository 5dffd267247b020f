/* Converts time stamps to rows, both for frames of swaps and for frames that a toolkit
 * or the app declares. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/compare.h"
#include "recorder/process_segment.h"
#include "recorder/recorder.h"
#include "recorder/thread.h"

static const char *const surface_kinds[DJ_PIPELINE_COUNT] = {
    [DJ_PIPELINE_GLX] = "GLX drawable",      [DJ_PIPELINE_EGL] = "EGL surface",
    [DJ_PIPELINE_VULKAN] = "Vulkan surface", [DJ_PIPELINE_GTK] = "GTK window",
    [DJ_PIPELINE_QT] = "Qt Quick window",    [DJ_PIPELINE_SDL] = "SDL window",
    [DJ_PIPELINE_DECLARED] = "surface",      [DJ_PIPELINE_SOFTWARE] = "window",
};

static uint64_t get_key(struct dj_surface surface)
{
    return (uint64_t)surface.pipeline << 60 ^ surface.id;
}

static struct dj_window_writer *find_window(struct dj_segment_writer *writer,
                                            struct dj_surface surface)
{
    uint64_t key = get_key(surface);
    struct dj_window_writer *window = dj_segment_find_window(writer, key);
    if (window == NULL) {
        char title[DJ_SEGMENT_NAME];
        snprintf(title, sizeof(title), "%s 0x%" PRIx64, surface_kinds[surface.pipeline],
                 surface.id);
        window = dj_segment_open_window(writer, key, title);
        atomic_fetch_or(&writer->header->pipelines, 1U << surface.pipeline);
    }
    return window;
}

static void set_unless_known(struct dj_frame *frame, enum dj_column column, int64_t value)
{
    if (!dj_frame_has(frame, column)) {
        dj_frame_set(frame, column, value);
    }
}

/* Corrects the order of the stages: if a stage without a stamp begins after the next
 * stage, moves it to the begin of the next stage. */
static void order_stages(struct dj_frame *frame, uint64_t stamped)
{
    static const enum dj_column drawing[] = {
        DJ_COLUMN_FRAME_COMPLETED, DJ_COLUMN_SWAP_BUFFERS,
        DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, DJ_COLUMN_SYNC_START, DJ_COLUMN_SYNC_QUEUED};
    for (size_t i = 1; i < COUNT_OF(drawing); i++) {
        int64_t next_ns = frame->value[drawing[i - 1]];
        if ((stamped & DJ_COLUMN_BIT(drawing[i])) == 0 &&
            frame->value[drawing[i]] > next_ns) {
            dj_frame_set(frame, drawing[i], next_ns);
        }
    }
}

/* Computes the stages without a stamp. The wait for the display is placed before
 * SyncStart, because hwui's duration() subtracts a wait there. If a toolkit stamped its
 * synchronisation, the wait is at the end of the frame and is not included in the
 * frame. */
static void complete_stages(struct dj_frame *frame,
                            const struct dj_frame_in_progress *made, int64_t interval_ns,
                            bool first)
{
    /* A wait for the display takes at most one frame interval. The rest of a longer
     * stall is part of the frame. */
    int64_t waited_ns = DJ_LEAST(made->waited_ns, interval_ns);
    bool synchronised = dj_frame_has(frame, DJ_COLUMN_SYNC_START);
    uint64_t stamped = frame->known;
    set_unless_known(frame, DJ_COLUMN_FLAGS, first ? DJ_FLAG_WINDOW_CHANGED : 0);
    set_unless_known(frame, DJ_COLUMN_INTENDED_VSYNC, made->start_ns);
    set_unless_known(frame, DJ_COLUMN_VSYNC, frame->value[DJ_COLUMN_INTENDED_VSYNC]);
    set_unless_known(frame, DJ_COLUMN_SYNC_QUEUED, made->entry_ns);
    int64_t drawn_ns = synchronised ? made->entry_ns : made->entry_ns + waited_ns;
    set_unless_known(frame, DJ_COLUMN_SYNC_START, drawn_ns);
    set_unless_known(frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, drawn_ns);
    set_unless_known(frame, DJ_COLUMN_SWAP_BUFFERS, drawn_ns);
    set_unless_known(frame, DJ_COLUMN_FRAME_COMPLETED,
                     made->returned_ns - (synchronised ? waited_ns : 0));
    order_stages(frame, stamped);
}

static struct dj_recorded_frame write_row(struct dj_segment_writer *writer,
                                          struct dj_surface surface,
                                          const struct dj_frame_in_progress *made)
{
    struct dj_recorded_frame recorded = {.surface = surface};
    struct dj_window_writer *window = find_window(writer, surface);
    if (window == NULL) {
        return recorded;
    }
    struct dj_frame frame = made->stages;
    const struct dj_segment_open_window *shared = window->shared;
    bool first = atomic_load_explicit(&shared->published, memory_order_relaxed) ==
                 atomic_load_explicit(&shared->first_index, memory_order_relaxed);
    int64_t interval_ns =
        atomic_load_explicit(&shared->interval_ns, memory_order_relaxed);
    complete_stages(&frame, made, interval_ns, first);
    if (atomic_load_explicit(&shared->interval_assumed, memory_order_relaxed) == 0) {
        set_unless_known(&frame, DJ_COLUMN_FRAME_INTERVAL, interval_ns);
    }
    recorded.valid =
        dj_segment_write_frame(writer, window, get_key(surface), &frame, &recorded.index);
    return recorded;
}

static dj_frame_watcher *watcher;

void dj_recorder_set_watcher(dj_frame_watcher *function)
{
    watcher = function;
}

struct dj_recorded_frame dj_recorder_finish_frame(struct dj_recorder_thread *thread,
                                                  struct dj_surface surface)
{
    int saved_errno = errno;
    struct dj_recorded_frame recorded = {.surface = surface};
    struct dj_segment_writer *writer = dj_recorder_get_writer();
    if (writer != NULL) {
        recorded = write_row(writer, surface, &thread->frame);
    } else {
        dj_recorder_count_missed();
    }
    thread->frame = (struct dj_frame_in_progress){0};
    thread->finished++;
    if (watcher != NULL) {
        watcher(&recorded);
    }
    errno = saved_errno;
    return recorded;
}

void dj_recorder_begin_swap(struct dj_swap *swap)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    swap->outermost = thread->swap_depth++ == 0;
    if (!swap->outermost) {
        return;
    }
    swap->entry_ns = dj_recorder_clock_ns();
    dj_thread_note_seen(thread, swap->entry_ns);
    thread->swap_waited_ns = 0;
    if (!thread->frame.declared) {
        swap->start_ns = dj_waits_begin_frame(&thread->waits, thread->first_seen_ns);
    }
}

void dj_recorder_add_swap_wait(int64_t ns)
{
    dj_recorder_thread.swap_waited_ns += ns;
}

static void add_swap(struct dj_frame_in_progress *frame, const struct dj_swap *swap,
                     int64_t waited_ns, int64_t return_ns)
{
    if (!frame->swapped && frame->entry_ns == 0) {
        frame->entry_ns = swap->entry_ns;
    }
    frame->swapped = true;
    frame->waited_ns += waited_ns;
    frame->returned_ns = return_ns;
}

struct dj_recorded_frame dj_recorder_end_swap(const struct dj_swap *swap,
                                              struct dj_surface surface, bool presented)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    thread->swap_depth--;
    if (!swap->outermost || !presented) {
        return (struct dj_recorded_frame){0};
    }
    int64_t return_ns = dj_recorder_clock_ns();
    dj_recorder_waits_swap_waited(&thread->waits, thread->swap_waited_ns, swap->stack);
    add_swap(&thread->frame, swap, thread->swap_waited_ns, return_ns);
    if (thread->frame.declared) {
        return (struct dj_recorded_frame){0};
    }
    thread->frame.start_ns = swap->start_ns;
    dj_waits_end_frame(&thread->waits, return_ns);
    return dj_recorder_finish_frame(thread, surface);
}

struct dj_recorded_frame dj_recorder_add_swap_surface(const struct dj_swap *swap,
                                                      struct dj_surface surface)
{
    const struct dj_recorder_thread *thread = &dj_recorder_thread;
    struct dj_segment_writer *writer = dj_recorder_get_writer();
    if (!swap->outermost || thread->frame.declared || writer == NULL) {
        return (struct dj_recorded_frame){0};
    }
    struct dj_frame_in_progress frame = thread->frame;
    add_swap(&frame, swap, thread->swap_waited_ns, dj_recorder_clock_ns());
    frame.start_ns = swap->start_ns;
    int saved_errno = errno;
    struct dj_recorded_frame recorded = write_row(writer, surface, &frame);
    errno = saved_errno;
    return recorded;
}

void dj_recorder_stamp_stage(enum dj_column column, int64_t at_ns)
{
    set_unless_known(&dj_recorder_thread.frame.stages, column, at_ns);
}

void dj_recorder_open_frame(struct dj_surface surface)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    struct dj_frame stages =
        thread->frame.declared ? (struct dj_frame){0} : thread->frame.stages;
    int64_t now_ns = dj_recorder_clock_ns();
    dj_thread_note_seen(thread, now_ns);
    thread->has_declared = true;
    thread->frame = (struct dj_frame_in_progress){
        .stages = stages,
        .surface = surface,
        .declared = true,
        .start_ns = dj_recorder_is_without_hooks()
                        ? now_ns
                        : dj_waits_begin_frame(&thread->waits, thread->first_seen_ns),
    };
}

struct dj_recorded_frame dj_recorder_close_frame(bool drawn)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    struct dj_frame_in_progress *frame = &thread->frame;
    if (!frame->declared) {
        return (struct dj_recorded_frame){0};
    }
    int64_t now_ns = dj_recorder_clock_ns();
    dj_waits_end_frame(&thread->waits, now_ns);
    if (!frame->swapped) {
        frame->entry_ns = frame->returned_ns = now_ns;
    }
    if (!drawn && !frame->swapped) {
        thread->frame = (struct dj_frame_in_progress){0};
        return (struct dj_recorded_frame){0};
    }
    return dj_recorder_finish_frame(thread, frame->surface);
}

void dj_recorder_discard_frame(void)
{
    dj_recorder_thread.frame = (struct dj_frame_in_progress){0};
}

/* Returns the surface's open window and sets *writer. Returns NULL if the surface has
 * presented nothing yet. */
static struct dj_window_writer *open_window(struct dj_segment_writer **writer,
                                            struct dj_surface surface)
{
    *writer = dj_recorder_get_writer();
    return *writer != NULL ? dj_segment_find_window(*writer, get_key(surface)) : NULL;
}

bool dj_recorder_amend_frame(const struct dj_recorded_frame *frame, enum dj_column column,
                             int64_t value)
{
    struct dj_segment_writer *writer;
    struct dj_window_writer *window =
        frame->valid ? open_window(&writer, frame->surface) : NULL;
    return window != NULL &&
           dj_segment_amend_frame(writer, window, get_key(frame->surface), frame->index,
                                  column, value);
}

bool dj_recorder_announce_surface(struct dj_surface surface)
{
    int saved_errno = errno;
    struct dj_segment_writer *writer = dj_recorder_get_writer();
    bool known = writer != NULL && find_window(writer, surface) != NULL;
    errno = saved_errno;
    return known;
}

int64_t dj_recorder_get_interval(struct dj_surface surface)
{
    struct dj_segment_writer *writer;
    const struct dj_window_writer *window = open_window(&writer, surface);
    return window != NULL
               ? atomic_load_explicit(&window->shared->interval_ns, memory_order_relaxed)
               : dj_recorder_get_settings()->interval_ns;
}

#define SETTER(name, type, may)                                                          \
    bool dj_recorder_set_##name(struct dj_surface surface, type value)                   \
    {                                                                                    \
        struct dj_segment_writer *writer;                                                \
        struct dj_window_writer *window = open_window(&writer, surface);                 \
        return window != NULL && (may) &&                                                \
               dj_segment_set_##name(window, get_key(surface), value);                   \
    }
SETTER(title, const char *, true)
SETTER(visibility, enum dj_visibility, true)
SETTER(views, uint32_t, true)
/* Does nothing and returns false if the user has set the frame interval, because that
 * interval has priority over the display's own value. */
SETTER(interval, int64_t, dj_recorder_get_settings()->interval_assumed)
