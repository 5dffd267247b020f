/* Converts stamps to rows: frames of swaps, and frames that a toolkit or the app
 * declares. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/compare.h"
#include "recorder/life.h"
#include "recorder/recorder.h"
#include "recorder/thread.h"

static const char *const surface_kinds[DJ_PIPELINE_COUNT] = {
    [DJ_PIPELINE_GLX] = "GLX drawable",      [DJ_PIPELINE_EGL] = "EGL surface",
    [DJ_PIPELINE_VULKAN] = "Vulkan surface", [DJ_PIPELINE_GTK] = "GTK window",
    [DJ_PIPELINE_QT] = "Qt Quick window",    [DJ_PIPELINE_SDL] = "SDL window",
    [DJ_PIPELINE_DECLARED] = "surface",
};

static uint64_t key_of(struct dj_surface surface)
{
    return (uint64_t)surface.pipeline << 60 ^ surface.id;
}

static struct dj_window_writer *window_of(struct dj_segment_writer *writer,
                                          struct dj_surface surface)
{
    uint64_t key = key_of(surface);
    struct dj_window_writer *window = dj_segment_find_window(writer, key);
    if (window == NULL) {
        char title[DJ_SEGMENT_NAME];
        snprintf(title, sizeof(title), "%s 0x%" PRIx64, surface_kinds[surface.pipeline],
                 surface.id);
        window = dj_segment_window(writer, key, title);
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

/* A stage without a stamp never begins after a later stage that has one. */
static void put_in_order(struct dj_frame *frame, uint64_t stamped)
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

/* Computes the stages without stamps. The wait for the display is placed before
 * SyncStart, where hwui's duration() subtracts it. If a toolkit stamped its
 * synchronisation, the wait is at the end of the frame and not part of it. */
static void complete(struct dj_frame *frame, const struct dj_frame_under_way *made,
                     int64_t interval_ns, bool first)
{
    /* One frame interval is the maximum wait for the display. The rest of a longer
     * stall stays in the frame. */
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
    put_in_order(frame, stamped);
}

static struct dj_recorded record(struct dj_segment_writer *writer,
                                 struct dj_surface surface,
                                 const struct dj_frame_under_way *made)
{
    struct dj_recorded recorded = {.surface = surface};
    struct dj_window_writer *window = window_of(writer, surface);
    if (window == NULL) {
        return recorded;
    }
    struct dj_frame frame = made->stages;
    const struct dj_segment_window *shared = window->shared;
    bool first = atomic_load_explicit(&shared->published, memory_order_relaxed) ==
                 atomic_load_explicit(&shared->first_index, memory_order_relaxed);
    int64_t interval_ns =
        atomic_load_explicit(&shared->interval_ns, memory_order_relaxed);
    complete(&frame, made, interval_ns, first);
    if (atomic_load_explicit(&shared->interval_assumed, memory_order_relaxed) == 0) {
        set_unless_known(&frame, DJ_COLUMN_FRAME_INTERVAL, interval_ns);
    }
    recorded.valid =
        dj_segment_write(writer, window, key_of(surface), &frame, &recorded.index);
    return recorded;
}

static dj_frame_watcher *watcher;

void dj_recorder_watch(dj_frame_watcher *function)
{
    watcher = function;
}

struct dj_recorded dj_recorder_finish(struct dj_thread *thread, struct dj_surface surface)
{
    int saved_errno = errno;
    struct dj_recorded recorded = {.surface = surface};
    struct dj_segment_writer *writer = dj_recorder_writer();
    if (writer != NULL) {
        recorded = record(writer, surface, &thread->frame);
    } else {
        dj_recorder_missed();
    }
    thread->frame = (struct dj_frame_under_way){0};
    thread->finished++;
    if (watcher != NULL) {
        watcher(&recorded);
    }
    errno = saved_errno;
    return recorded;
}

void dj_recorder_swap_begins(struct dj_swap *swap)
{
    struct dj_thread *thread = &dj_thread;
    swap->outermost = thread->swap_depth++ == 0;
    if (!swap->outermost) {
        return;
    }
    swap->entry_ns = dj_clock_ns();
    dj_thread_seen(thread, swap->entry_ns);
    thread->swap_waited_ns = 0;
    if (!thread->frame.declared) {
        swap->start_ns = dj_waits_frame_start(&thread->waits, thread->first_seen_ns);
    }
}

void dj_recorder_swap_waited(int64_t ns)
{
    dj_thread.swap_waited_ns += ns;
}

/* Adds the swap to the frame in progress. */
static void add_swap(struct dj_frame_under_way *frame, const struct dj_swap *swap,
                     int64_t waited_ns, int64_t return_ns)
{
    if (!frame->swapped && frame->entry_ns == 0) {
        frame->entry_ns = swap->entry_ns;
    }
    frame->swapped = true;
    frame->waited_ns += waited_ns;
    frame->returned_ns = return_ns;
}

struct dj_recorded dj_recorder_swap_ends(const struct dj_swap *swap,
                                         struct dj_surface surface, bool presented)
{
    struct dj_thread *thread = &dj_thread;
    thread->swap_depth--;
    if (!swap->outermost || !presented) {
        return (struct dj_recorded){0};
    }
    int64_t return_ns = dj_clock_ns();
    dj_waits_swap_waited(&thread->waits, thread->swap_waited_ns, swap->stack);
    add_swap(&thread->frame, swap, thread->swap_waited_ns, return_ns);
    if (thread->frame.declared) {
        return (struct dj_recorded){0};
    }
    thread->frame.start_ns = swap->start_ns;
    dj_waits_frame_done(&thread->waits, return_ns);
    return dj_recorder_finish(thread, surface);
}

struct dj_recorded dj_recorder_swap_shows(const struct dj_swap *swap,
                                          struct dj_surface surface)
{
    const struct dj_thread *thread = &dj_thread;
    struct dj_segment_writer *writer = dj_recorder_writer();
    if (!swap->outermost || thread->frame.declared || writer == NULL) {
        return (struct dj_recorded){0};
    }
    struct dj_frame_under_way frame = thread->frame;
    add_swap(&frame, swap, thread->swap_waited_ns, dj_clock_ns());
    frame.start_ns = swap->start_ns;
    int saved_errno = errno;
    struct dj_recorded recorded = record(writer, surface, &frame);
    errno = saved_errno;
    return recorded;
}

void dj_recorder_stage(enum dj_column column, int64_t at_ns)
{
    set_unless_known(&dj_thread.frame.stages, column, at_ns);
}

void dj_recorder_opens(struct dj_surface surface)
{
    struct dj_thread *thread = &dj_thread;
    struct dj_frame stages =
        thread->frame.declared ? (struct dj_frame){0} : thread->frame.stages;
    int64_t now_ns = dj_clock_ns();
    dj_thread_seen(thread, now_ns);
    thread->frame = (struct dj_frame_under_way){
        .stages = stages,
        .surface = surface,
        .declared = true,
        .start_ns = dj_recorder_is_blind()
                        ? now_ns
                        : dj_waits_frame_start(&thread->waits, thread->first_seen_ns),
    };
}

struct dj_recorded dj_recorder_closes(bool drawn)
{
    struct dj_thread *thread = &dj_thread;
    struct dj_frame_under_way *frame = &thread->frame;
    if (!frame->declared) {
        return (struct dj_recorded){0};
    }
    int64_t now_ns = dj_clock_ns();
    dj_waits_frame_done(&thread->waits, now_ns);
    if (!frame->swapped) {
        frame->entry_ns = frame->returned_ns = now_ns;
    }
    if (!drawn && !frame->swapped) {
        thread->frame = (struct dj_frame_under_way){0};
        return (struct dj_recorded){0};
    }
    return dj_recorder_finish(thread, frame->surface);
}

void dj_recorder_forgets(void)
{
    dj_thread.frame = (struct dj_frame_under_way){0};
}

/* Returns the surface's open window, or NULL if it has presented nothing yet. */
static struct dj_window_writer *open_window(struct dj_segment_writer **writer,
                                            struct dj_surface surface)
{
    *writer = dj_recorder_writer();
    return *writer != NULL ? dj_segment_find_window(*writer, key_of(surface)) : NULL;
}

bool dj_recorder_amend(const struct dj_recorded *frame, enum dj_column column,
                       int64_t value)
{
    struct dj_segment_writer *writer;
    struct dj_window_writer *window =
        frame->valid ? open_window(&writer, frame->surface) : NULL;
    return window != NULL && dj_segment_amend(writer, window, key_of(frame->surface),
                                              frame->index, column, value);
}

bool dj_recorder_announce(struct dj_surface surface)
{
    int saved_errno = errno;
    struct dj_segment_writer *writer = dj_recorder_writer();
    bool known = writer != NULL && window_of(writer, surface) != NULL;
    errno = saved_errno;
    return known;
}

int64_t dj_recorder_interval(struct dj_surface surface)
{
    struct dj_segment_writer *writer;
    const struct dj_window_writer *window = open_window(&writer, surface);
    return window != NULL
               ? atomic_load_explicit(&window->shared->interval_ns, memory_order_relaxed)
               : dj_recorder_settings()->interval_ns;
}

#define SETTER(name, type, may)                                                          \
    bool dj_recorder_set_##name(struct dj_surface surface, type value)                   \
    {                                                                                    \
        struct dj_segment_writer *writer;                                                \
        struct dj_window_writer *window = open_window(&writer, surface);                 \
        return window != NULL && (may) &&                                                \
               dj_segment_set_##name(window, key_of(surface), value);                    \
    }
SETTER(title, const char *, true)
SETTER(visibility, enum dj_visibility, true)
SETTER(views, uint32_t, true)
/* The user's setting has priority over the display's own value. */
SETTER(interval, int64_t, dj_recorder_settings()->interval_assumed)
