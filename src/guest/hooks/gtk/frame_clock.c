/* GTK 3 and 4: the phases of their frames.
 *
 * Each top-level window of GDK has a frame clock that emits a signal for each phase of
 * a frame: flush-events, before-paint, update, layout, paint, after-paint. GObject
 * calls emission hooks with the clock at every emission. When GDK registers the type
 * of its clocks, this code finds the functions in GDK's library and adds the hooks.
 * For older frames, the clock also has the display's interval and the presentation
 * time. Input events are seen in the hook of the signal that GTK sends to widgets (3)
 * or surfaces (4).
 *
 * A phase that was not emitted took no time: it begins where the next one does.
 * Without a swap, the frame is complete at after-paint, which is emitted before GDK
 * queues the picture. Without paint there is no frame.
 *
 * It cannot see: the compositor's work; input with timestamps from another clock;
 * frames that an app makes without GDK's clock; minimised windows. */
#include "hooks/gtk/frame_clock.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "hooks/busy.h"
#include "hooks/export.h"
#include "recorder/thread.h"

enum {
    CLOCKS = DJ_SEGMENT_WINDOWS,
    TRUSTED_AFTER = 8 /* presentation times */
};
static const int64_t ms_ns = 1000000, us_ns = 1000, second_ns = 1000000000;

enum phase { FLUSH_EVENTS, BEFORE_PAINT, UPDATE, LAYOUT, PAINT, AFTER_PAINT, PHASES };

static struct {
    _Atomic bool hooked; /* hooks of the clocks' signals are added */
    bool begun;          /* a frame has begun: the work for the first frame is done */
    atomic_flag
        busy; /* a second thread in the hooks, or a hook in a hook, does nothing */
    uint64_t surfaces; /* number of surfaces so far */
    struct dj_gtk_clock clock[CLOCKS];
} gtk = {.busy = ATOMIC_FLAG_INIT};

/* The frame of the calling thread. */
static _Thread_local struct {
    struct dj_gtk_clock *open; /* clock of the current frame */
    int depth;                 /* nesting depth of the loop that made the last frame */
} at DJ_STATIC_TLS;

struct dj_gtk_clock *dj_gtk_known_clock(const void *clock)
{
    for (size_t i = 0; clock != NULL && i < CLOCKS; i++) {
        if (gtk.clock[i].clock == clock) {
            return &gtk.clock[i];
        }
    }
    return NULL;
}

struct dj_gtk_clock *dj_gtk_clock_of_window(const void *window)
{
    for (size_t i = 0; i < CLOCKS; i++) {
        if (gtk.clock[i].window == window) {
            return &gtk.clock[i];
        }
    }
    return NULL;
}

/* Returns the entry of a clock. A new one if its counter restarts: then it is another
 * clock at the same address. */
static struct dj_gtk_clock *place_of(void *clock, int64_t counter)
{
    struct dj_gtk_clock *place = dj_gtk_known_clock(clock);
    if (place != NULL && counter > place->counter) {
        return place;
    }
    for (size_t i = 0; place == NULL && i < CLOCKS; i++) {
        place = gtk.clock[i].clock == NULL ? &gtk.clock[i] : NULL;
    }
    if (place == NULL) {
        place = &gtk.clock[0];
        for (size_t i = 1; i < CLOCKS; i++) {
            place = gtk.clock[i].used_ns < place->used_ns ? &gtk.clock[i] : place;
        }
    }
    *place = (struct dj_gtk_clock){
        .clock = clock, .surface = {DJ_PIPELINE_GTK, ++gtk.surfaces}, .counter = -1};
    return place;
}

/* A nested loop, such as that of a modal dialog, waits deeper on the stack. */
static void note_depth(void)
{
    int depth = dj_gtk.g_main_depth();
    if (at.depth != 0 && at.depth != depth) {
        dj_recorder_waits_loop_moved(&dj_recorder_thread.waits);
    }
    at.depth = depth;
}

static void before_paint(void *clock, int64_t now_ns)
{
    int64_t counter = dj_gtk.gdk_frame_clock_get_frame_counter(clock);
    struct dj_gtk_clock *place = place_of(clock, counter);
    place->counter = counter;
    place->used_ns = now_ns;
    place->painted = false;
    note_depth();
    dj_recorder_open_frame(place->surface);
    at.open = place;
    dj_gtk_stamp_input(place, dj_recorder_thread.frame.start_ns, now_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_TIME,
                            dj_gtk.gdk_frame_clock_get_frame_time(clock) * us_ns);
}

static void flush_events(void *clock, int64_t now_ns)
{
    struct dj_gtk_clock *place = dj_gtk_known_clock(clock);
    if (place != NULL) {
        place->flushed_ns = now_ns;
    }
}

/* A nested loop may have made frames of other clocks, and ended this one. */
static bool is_open(const void *clock)
{
    return at.open != NULL && at.open->clock == clock &&
           dj_recorder_thread.frame.declared;
}

static void update(void *clock, int64_t now_ns)
{
    if (is_open(clock)) {
        dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_START, now_ns);
    }
}

static void layout(void *clock, int64_t now_ns)
{
    update(clock, now_ns);
    if (is_open(clock)) {
        dj_recorder_stamp_stage(DJ_COLUMN_PERFORM_TRAVERSALS_START, now_ns);
    }
}

static void paint(void *clock, int64_t now_ns)
{
    layout(clock, now_ns);
    if (is_open(clock)) {
        dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, now_ns);
        at.open->paint_ns = now_ns;
        at.open->painted = true;
    }
}

/* Returns whether the display may have shown the frame at that time: not before it was
 * painted, and not after the report. The time is usually truncated to milliseconds. */
static bool is_plausible(const struct dj_gtk_pending *frame, int64_t presented_ns,
                         int64_t now_ns)
{
    return presented_ns + ms_ns >= frame->paint_ns && presented_ns <= now_ns;
}

static void presented(struct dj_gtk_clock *clock, const struct dj_gtk_pending *frame,
                      int64_t presented_ns, int64_t now_ns)
{
    if (presented_ns == 0 || clock->other_clock) {
        return;
    }
    if (!is_plausible(frame, presented_ns, now_ns)) {
        clock->other_clock = true;
        return;
    }
    if (++clock->plausible > TRUSTED_AFTER) {
        dj_recorder_amend_frame(&frame->recorded, DJ_COLUMN_DISPLAY_PRESENT_TIME,
                                presented_ns);
    }
}

static void tell_interval(struct dj_gtk_clock *clock, int64_t interval_ns)
{
    if (interval_ns >= ms_ns && interval_ns <= second_ns &&
        interval_ns != clock->interval_ns &&
        dj_recorder_set_interval(clock->surface, interval_ns)) {
        clock->interval_ns = interval_ns;
    }
}

/* Reads GDK's present knowledge of the clock's older frames. */
static void settle(struct dj_gtk_clock *clock, int64_t now_ns)
{
    for (size_t i = 0; i < DJ_GTK_PENDING; i++) {
        struct dj_gtk_pending *frame = &clock->pending[i];
        if (!frame->recorded.valid) {
            continue;
        }
        void *timings = dj_gtk.gdk_frame_clock_get_timings(clock->clock, frame->counter);
        if (timings != NULL && !dj_gtk.gdk_frame_timings_get_complete(timings)) {
            continue;
        }
        if (timings != NULL) {
            int64_t presented_us =
                dj_gtk.gdk_frame_timings_get_presentation_time(timings);
            presented(clock, frame, presented_us * us_ns, now_ns);
            tell_interval(clock,
                          dj_gtk.gdk_frame_timings_get_refresh_interval(timings) * us_ns);
        }
        frame->recorded.valid = false;
    }
}

/* Sets up everything that needs objects that GTK has made by its first frame. */
static void first_frame(void)
{
    gtk.begun = true;
    dj_gtk_follow_input();
    dj_gtk_follow_windows();
}

/* Runs after the frame is recorded, so that its own time is not part of the frame. */
static void after_paint(void *clock, int64_t now_ns)
{
    if (!is_open(clock)) {
        return;
    }
    struct dj_gtk_clock *place = at.open;
    struct dj_recorded_frame recorded = dj_recorder_close_frame(place->painted);
    at.open = NULL;
    if (!gtk.begun) {
        first_frame();
    }
    settle(place, now_ns);
    if (recorded.valid) {
        place->pending[place->counter % DJ_GTK_PENDING] =
            (struct dj_gtk_pending){recorded, place->counter, place->paint_ns};
        dj_gtk_describe(place, now_ns);
    }
}

static const struct {
    const char *signal;
    void (*handle)(void *clock, int64_t now_ns);
} phases[PHASES] = {
    [FLUSH_EVENTS] = {"flush-events", flush_events},
    [BEFORE_PAINT] = {"before-paint", before_paint},
    [UPDATE] = {"update", update},
    [LAYOUT] = {"layout", layout},
    [PAINT] = {"paint", paint},
    [AFTER_PAINT] = {"after-paint", after_paint},
};

static int on_phase(void *hint, unsigned count, const struct dj_gtk_value *values,
                    void *data)
{
    (void)hint;
    (void)count;
    int saved_errno = errno;
    if (dj_busy_enter(&gtk.busy)) {
        void *clock = dj_gtk.g_value_peek_pointer(values);
        phases[(uintptr_t)data].handle(clock, dj_recorder_clock_ns());
        dj_busy_leave(&gtk.busy);
    }
    errno = saved_errno;
    return 1;
}

/* GDK is about to make its first clock, so it would initialise the class next anyway.
 * The class of a static type is never released, regardless of references. */
static void hook_clocks(size_t clock, const void *caller)
{
    int saved_errno = errno;
    if (!atomic_exchange(&gtk.hooked, true) && dj_gtk_find_clock(caller) &&
        strcmp(dj_gtk.g_type_name(clock), "GdkFrameClock") == 0 &&
        dj_gtk.g_type_class_ref(clock) != NULL) {
        for (uintptr_t i = 0; i < PHASES; i++) {
            dj_gtk_hook_signal(clock, phases[i].signal, on_phase, (void *)i);
        }
    }
    errno = saved_errno;
}

EXPORT size_t g_type_register_static_simple(size_t parent, const char *name,
                                            unsigned class_size, void *class_init,
                                            unsigned instance_size, void *instance_init,
                                            unsigned flags)
{
    size_t type = REAL(g_type_register_static_simple)(
        parent, name, class_size, class_init, instance_size, instance_init, flags);
    if (type != 0 && strcmp(name, "GdkFrameClockIdle") == 0) {
        hook_clocks(parent, CALLER);
    }
    return type;
}
