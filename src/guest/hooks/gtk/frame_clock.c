/* Records frames of GTK 3 and GTK 4, with the phases of each frame.
 *
 * Each top-level window of GDK has a frame clock. The clock emits a signal for each phase
 * of a frame: flush-events, before-paint, update, layout, paint, after-paint. GObject
 * calls emission hooks at every emission and passes the clock to them. When GDK registers
 * the type of its clocks, this code looks up the functions in GDK's library and adds the
 * hooks. The clock also knows the display's refresh interval and the presentation times
 * of its older frames. Another hook sees input events, through the signal that GTK emits
 * on widgets (GTK 3) or surfaces (GTK 4).
 *
 * If a phase has no signal, it took no time, so it begins when the next phase begins. If
 * a frame has no swap, it is complete at after-paint, which is emitted before GDK queues
 * the picture. If the clock does not emit paint, there is no frame.
 *
 * The hooks do not see the compositor's work, frames that an app makes without GDK's
 * clock, and whether a window is minimised. They ignore time stamps of input that come
 * from another clock. */
#include "hooks/gtk/frame_clock.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "hooks/busy.h"
#include "hooks/export.h"
#include "recorder/thread.h"

enum {
    CLOCKS = DJ_SEGMENT_WINDOWS,
    /* Number of consecutive plausible presentation times after which the times of a clock
     * are trusted. */
    TRUSTED_AFTER = 8
};
static const int64_t ms_ns = 1000000, us_ns = 1000, second_ns = 1000000000;

enum phase { FLUSH_EVENTS, BEFORE_PAINT, UPDATE, LAYOUT, PAINT, AFTER_PAINT, PHASES };

static struct {
    _Atomic bool hooked; /* True after the hooks of the clocks' signals were added. */
    bool begun;          /* True after the first frame. */
    /* Held while a hook runs. A hook does nothing if another thread is in a hook, or if
     * it runs inside another hook. */
    atomic_flag busy;
    uint64_t surfaces; /* Number of surfaces so far. */
    struct dj_gtk_clock clock[CLOCKS];
} gtk = {.busy = ATOMIC_FLAG_INIT};

/* The frame of the calling thread. */
static _Thread_local struct {
    struct dj_gtk_clock *open; /* Clock of the open frame, or NULL. */
    int depth;                 /* Nesting depth of the main loop that made the last
                                * frame. */
} current DJ_STATIC_TLS;

struct dj_gtk_clock *dj_gtk_find_clock(const void *clock)
{
    for (size_t i = 0; clock != NULL && i < CLOCKS; i++) {
        if (gtk.clock[i].clock == clock) {
            return &gtk.clock[i];
        }
    }
    return NULL;
}

struct dj_gtk_clock *dj_gtk_find_clock_of_window(const void *window)
{
    for (size_t i = 0; i < CLOCKS; i++) {
        if (gtk.clock[i].window == window) {
            return &gtk.clock[i];
        }
    }
    return NULL;
}

/* Returns the entry of a clock, or a new entry. If the frame counter starts again, a new
 * clock is at the address of a destroyed one, and gets a new entry. If no entry is free,
 * a new entry replaces the least recently used one. */
static struct dj_gtk_clock *get_entry(void *clock, int64_t counter)
{
    struct dj_gtk_clock *entry = dj_gtk_find_clock(clock);
    if (entry != NULL && counter > entry->counter) {
        return entry;
    }
    for (size_t i = 0; entry == NULL && i < CLOCKS; i++) {
        entry = gtk.clock[i].clock == NULL ? &gtk.clock[i] : NULL;
    }
    if (entry == NULL) {
        entry = &gtk.clock[0];
        for (size_t i = 1; i < CLOCKS; i++) {
            entry = gtk.clock[i].used_ns < entry->used_ns ? &gtk.clock[i] : entry;
        }
    }
    *entry = (struct dj_gtk_clock){
        .clock = clock, .surface = {DJ_PIPELINE_GTK, ++gtk.surfaces}, .counter = -1};
    return entry;
}

/* Reports to the recorder if the depth of the event loop has changed. A nested main loop,
 * such as that of a modal dialog, waits deeper on the stack. */
static void update_loop_depth(void)
{
    int depth = dj_gtk.g_main_depth();
    if (current.depth != 0 && current.depth != depth) {
        dj_recorder_waits_loop_moved(&dj_recorder_thread.waits);
    }
    current.depth = depth;
}

static void handle_before_paint(void *clock, int64_t now_ns)
{
    int64_t counter = dj_gtk.gdk_frame_clock_get_frame_counter(clock);
    struct dj_gtk_clock *entry = get_entry(clock, counter);
    entry->counter = counter;
    entry->used_ns = now_ns;
    entry->painted = false;
    update_loop_depth();
    dj_recorder_open_frame(entry->surface);
    current.open = entry;
    dj_gtk_stamp_input(entry, dj_recorder_thread.frame.start_ns, now_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_TIME,
                            dj_gtk.gdk_frame_clock_get_frame_time(clock) * us_ns);
}

static void handle_flush_events(void *clock, int64_t now_ns)
{
    struct dj_gtk_clock *entry = dj_gtk_find_clock(clock);
    if (entry != NULL) {
        entry->flushed_ns = now_ns;
    }
}

/* Returns true if the open frame belongs to this clock. A nested main loop may have
 * made frames of other clocks and may have ended this frame. */
static bool is_open(const void *clock)
{
    return current.open != NULL && current.open->clock == clock &&
           dj_recorder_thread.frame.declared;
}

static void handle_update(void *clock, int64_t now_ns)
{
    if (is_open(clock)) {
        dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_START, now_ns);
    }
}

static void handle_layout(void *clock, int64_t now_ns)
{
    handle_update(clock, now_ns);
    if (is_open(clock)) {
        dj_recorder_stamp_stage(DJ_COLUMN_PERFORM_TRAVERSALS_START, now_ns);
    }
}

static void handle_paint(void *clock, int64_t now_ns)
{
    handle_layout(clock, now_ns);
    if (is_open(clock)) {
        dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, now_ns);
        current.open->paint_ns = now_ns;
        current.open->painted = true;
    }
}

/* Returns true if the display may have shown the frame at presented_ns. This time must
 * be after painting began and before now. One millisecond earlier is accepted, because
 * GDK usually truncates the time to milliseconds. */
static bool is_plausible(const struct dj_gtk_pending *frame, int64_t presented_ns,
                         int64_t now_ns)
{
    return presented_ns + ms_ns >= frame->paint_ns && presented_ns <= now_ns;
}

static void report_presentation(struct dj_gtk_clock *clock,
                                const struct dj_gtk_pending *frame, int64_t presented_ns,
                                int64_t now_ns)
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

static void report_interval(struct dj_gtk_clock *clock, int64_t interval_ns)
{
    if (interval_ns >= ms_ns && interval_ns <= second_ns &&
        interval_ns != clock->interval_ns &&
        dj_recorder_set_interval(clock->surface, interval_ns)) {
        clock->interval_ns = interval_ns;
    }
}

/* Reads the presentation times and the interval of older frames, as far as GDK knows
 * them now. */
static void read_timings(struct dj_gtk_clock *clock, int64_t now_ns)
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
            report_presentation(clock, frame, presented_us * us_ns, now_ns);
            report_interval(
                clock, dj_gtk.gdk_frame_timings_get_refresh_interval(timings) * us_ns);
        }
        frame->recorded.valid = false;
    }
}

/* Hooks signals of types that have no instances before GTK's first frame. */
static void handle_first_frame(void)
{
    gtk.begun = true;
    dj_gtk_watch_input();
    dj_gtk_watch_windows();
}

/* Ends the frame. Work after the call of dj_recorder_close_frame() is not part of the
 * frame. */
static void handle_after_paint(void *clock, int64_t now_ns)
{
    if (!is_open(clock)) {
        return;
    }
    struct dj_gtk_clock *entry = current.open;
    struct dj_recorded_frame recorded = dj_recorder_close_frame(entry->painted);
    current.open = NULL;
    if (!gtk.begun) {
        handle_first_frame();
    }
    read_timings(entry, now_ns);
    if (recorded.valid) {
        entry->pending[entry->counter % DJ_GTK_PENDING] =
            (struct dj_gtk_pending){recorded, entry->counter, entry->paint_ns};
        dj_gtk_report_window(entry, now_ns);
    }
}

static const struct {
    const char *signal;
    void (*handle)(void *clock, int64_t now_ns);
} phases[PHASES] = {
    [FLUSH_EVENTS] = {"flush-events", handle_flush_events},
    [BEFORE_PAINT] = {"before-paint", handle_before_paint},
    [UPDATE] = {"update", handle_update},
    [LAYOUT] = {"layout", handle_layout},
    [PAINT] = {"paint", handle_paint},
    [AFTER_PAINT] = {"after-paint", handle_after_paint},
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

/* Adds hooks to the signals of frame clocks. This initialises their class, which GDK
 * would do next anyway, because it is about to create its first clock. The class of a
 * static type is never released, so its reference need not be dropped. */
static void hook_clocks(size_t clock, const void *caller)
{
    int saved_errno = errno;
    if (!atomic_exchange(&gtk.hooked, true) && dj_gtk_load_clock_functions(caller) &&
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
