/* Records frames of Qt Quick, 5 and 6. Qt's libraries call QMetaObject::activate() for
 * every signal, and the hook of this function sees every call. QQuickWindow and derived
 * classes have signals that report that a frame was polished, synchronised, rendered or
 * swapped. The hook asks Qt once per class for the numbers of these signals. Three more
 * hooks find the work before the signals: QWindow::requestUpdate(), which requests a
 * frame, the delivery of the update event, and the delivery of input events.
 *
 * A frame starts on the GUI thread: when the thread's loop woke for the iteration that
 * requested the frame, or when the previous frame released the thread. Idle time of the
 * loop between request and drawing is not part of the frame. Work before such idle time
 * is part of the frame: the frame's start is moved back by the duration of this work.
 * With a render thread, the GUI thread waits for that thread from SyncQueued to
 * IssueDrawCommandsStart.
 *
 * The hooks do not see whether an event of the GUI thread that is not input is an
 * animation, a timer or other code. They do not see when input arrived. They do not see
 * windows of QQuickRenderControl and QQuickWidget, which other code presents. They do not
 * support a Qt that was built with a namespace or linked statically. */
#include <errno.h>
#include <stddef.h>

#include "base/compare.h"
#include "base/count_of.h"
#include "hooks/export.h"
#include "hooks/qt/library.h"
#include "hooks/qt/windows.h"
#include "recorder/claims.h"
#include "recorder/thread.h"

typedef void activate_function(void *sender, const void *meta, int signal,
                               void **arguments);
typedef bool send_function(void *receiver, void *event);

/* The GUI thread's part of the current frame. The render thread reads it while the GUI
 * thread waits. */
static struct {
    _Atomic(const void *) window; /* Window of the frame, or NULL if no frame is
                                   * waiting. */
    int64_t start_ns, animation_ns, traversals_ns, queued_ns;
} transferred;

/* Time at which a render thread last released the GUI thread. */
static _Atomic int64_t synchronised_ns;

/* The work of the GUI thread since its last frame. */
static _Thread_local struct {
    uintptr_t input_stack; /* Stack position of the outermost delivery of an input
                            * event, or 0 if there is none. */
    /* Total time of deliveries of input events since the frame was requested. */
    int64_t input_ns;
    int64_t update_ns; /* Time at which the update event was delivered. */
} gui DJ_STATIC_TLS;

/* The state of the thread that draws. */
static _Thread_local struct {
    const void *window; /* Window of the frame in progress, or NULL. */
    int64_t synchronised_ns;
    int64_t rendered_ns;
} drawing DJ_STATIC_TLS;

/* Windows whose properties were reported. Only the GUI thread uses this list. After
 * REPORT_INTERVAL frames the properties are reported again, because the window may
 * have moved to another screen. */
enum { REPORTED_WINDOWS = 16, REPORT_INTERVAL = 61 };
static const void *reported[REPORTED_WINDOWS];
static unsigned reported_count, animated_count;

static bool is_known(const void *window)
{
    for (size_t i = 0; i < REPORTED_WINDOWS; i++) {
        if (reported[i] == window) {
            return true;
        }
    }
    return false;
}

static void report_window(enum dj_qt qt, const void *window)
{
    if (is_known(window) && ++animated_count % REPORT_INTERVAL != 0) {
        return;
    }
    if (dj_qt_is_on_screen(qt, window) &&
        dj_recorder_announce_surface(dj_qt_surface(window))) {
        dj_qt_report_title(qt, window);
        dj_qt_report_visibility(qt, window);
        dj_qt_report_interval(qt, window);
        if (!is_known(window)) {
            reported[reported_count++ % REPORTED_WINDOWS] = window;
        }
    }
}

/* Called when the GUI thread has polished the window. Next, the GUI thread waits for the
 * render thread to synchronise, or synchronises itself. */
static void handle_after_animating(const void *window)
{
    struct dj_frame_transfer made = dj_recorder_transfer_frame();
    int64_t now_ns = dj_recorder_clock_ns();
    int64_t released_ns = atomic_load_explicit(&synchronised_ns, memory_order_relaxed);
    int64_t woke_ns = DJ_MOST(made.woke_ns, released_ns);
    int64_t update_ns = gui.update_ns > woke_ns ? gui.update_ns : 0;
    int64_t input_ns = made.claimed ? gui.input_ns : 0;
    transferred.start_ns = woke_ns - made.worked_ns;
    transferred.animation_ns =
        DJ_LEAST(transferred.start_ns + input_ns, update_ns != 0 ? update_ns : now_ns);
    transferred.traversals_ns = update_ns;
    transferred.queued_ns = now_ns;
    gui.input_ns = 0;
    gui.update_ns = 0;
    /* Pairs with the acquire load in handle_before_synchronizing(). */
    atomic_store_explicit(&transferred.window, window, memory_order_release);
}

static void begin_drawing(const void *window)
{
    drawing.window = window;
    drawing.rendered_ns = 0;
    dj_recorder_open_frame(dj_qt_surface(window));
}

static void handle_before_synchronizing(enum dj_qt qt, const void *window, int64_t now_ns)
{
    if (!dj_qt_is_on_screen(qt, window)) {
        return;
    }
    begin_drawing(window);
    if (atomic_load_explicit(&transferred.window, memory_order_acquire) == window) {
        dj_recorder_stamp_stage(DJ_COLUMN_INTENDED_VSYNC, transferred.start_ns);
        dj_recorder_stamp_stage(DJ_COLUMN_HANDLE_INPUT_START, transferred.start_ns);
        dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_START, transferred.animation_ns);
        if (transferred.traversals_ns != 0) {
            dj_recorder_stamp_stage(DJ_COLUMN_PERFORM_TRAVERSALS_START,
                                    transferred.traversals_ns);
        }
        dj_recorder_stamp_stage(DJ_COLUMN_SYNC_QUEUED, transferred.queued_ns);
        atomic_store_explicit(&transferred.window, NULL, memory_order_relaxed);
    }
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_START, now_ns);
}

static void handle_after_synchronizing(const void *window)
{
    int64_t now_ns = dj_recorder_clock_ns();
    if (drawing.window == window) {
        drawing.synchronised_ns = now_ns;
        dj_recorder_stamp_stage(DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, now_ns);
    }
    atomic_store_explicit(&synchronised_ns, now_ns, memory_order_relaxed);
}

/* Opens a frame of the render thread if no frame of this window is in progress. Such a
 * frame is drawn without synchronising, for animators that run on the render thread. If
 * the thread's loop has waited since the last synchronising, that synchronising changed
 * nothing. A new frame is opened in this case, too. */
static void handle_before_rendering(enum dj_qt qt, const void *window, int64_t now_ns)
{
    bool is_open = drawing.window == window &&
                   dj_recorder_thread.waits.woke_ns <= drawing.synchronised_ns;
    if (is_open || !dj_qt_is_on_screen(qt, window)) {
        return;
    }
    begin_drawing(window);
    dj_recorder_stamp_stage(DJ_COLUMN_FLAGS, DJ_FLAG_RT_ANIMATION);
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_QUEUED, now_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_START, now_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, now_ns);
}

static void handle_after_rendering(const void *window)
{
    if (drawing.window == window) {
        drawing.rendered_ns = dj_recorder_clock_ns();
    }
}

static void handle_frame_swapped(const void *window)
{
    if (drawing.window != window) {
        return;
    }
    drawing.window = NULL;
    if (!dj_recorder_thread.frame.swapped && drawing.rendered_ns != 0) {
        dj_recorder_stamp_stage(DJ_COLUMN_SWAP_BUFFERS, drawing.rendered_ns);
    }
    dj_recorder_close_frame(true);
}

/* Handles signals that begin a stage. Runs before the signal's receivers, because their
 * work belongs to the stage that begins. */
static void handle_before_receivers(enum dj_qt qt, enum dj_qt_signal signal,
                                    const void *window)
{
    int saved_errno = errno;
    if (signal == DJ_QT_BEFORE_SYNCHRONIZING) {
        handle_before_synchronizing(qt, window, dj_recorder_clock_ns());
    } else if (signal == DJ_QT_BEFORE_RENDERING) {
        handle_before_rendering(qt, window, dj_recorder_clock_ns());
    } else if (signal == DJ_QT_FRAME_SWAPPED) {
        handle_frame_swapped(window);
    } else if (signal == DJ_QT_TITLE_CHANGED) {
        dj_qt_report_title(qt, window);
    } else if (signal == DJ_QT_VISIBILITY_CHANGED) {
        dj_qt_report_visibility(qt, window);
    } else if (signal == DJ_QT_AFTER_ANIMATING) {
        report_window(qt, window);
    }
    errno = saved_errno;
}

/* Handles signals that end a stage. Runs after the signal's receivers, because their work
 * belongs to the stage that ends. The window may have been destroyed. */
static void handle_after_receivers(enum dj_qt_signal signal, const void *window)
{
    int saved_errno = errno;
    if (signal == DJ_QT_AFTER_ANIMATING) {
        handle_after_animating(window);
    } else if (signal == DJ_QT_AFTER_SYNCHRONIZING) {
        handle_after_synchronizing(window);
    } else if (signal == DJ_QT_AFTER_RENDERING) {
        handle_after_rendering(window);
    }
    errno = saved_errno;
}

/* Handles a signal of a window, or of a class that is unknown yet. This is a separate
 * function so that the fast path need not save registers for it. */
__attribute__((noinline)) static void activate_window_signal(void *sender,
                                                             const void *meta, int signal,
                                                             void **arguments,
                                                             const void *caller)
{
    unsigned kind = dj_qt_kind_of(meta, caller);
    enum dj_qt qt = dj_qt_of_kind(kind);
    activate_function *real = dj_qt_find(qt, DJ_QT_ACTIVATE, caller);
    enum dj_qt_signal watched = dj_qt_signal_of(kind, signal);
    handle_before_receivers(qt, watched, sender);
    real(sender, meta, signal, arguments);
    handle_after_receivers(watched, sender);
}

/* Hook of QMetaObject::activate(), which Qt calls for every signal of the program. For
 * signals of classes that are not watched, the hook only reads one entry of a table. */
EXPORT void _ZN11QMetaObject8activateEP7QObjectPKS_iPPv(void *sender, const void *meta,
                                                        int signal, void **arguments)
{
    uintptr_t kind = dj_qt_known_kind(meta);
    if (__builtin_expect(kind < DJ_QT_COUNT, 1)) {
        activate_function *real =
            atomic_load_explicit(&dj_qt_activate[kind], memory_order_relaxed);
        real(sender, meta, signal, arguments);
        return;
    }
    activate_window_signal(sender, meta, signal, arguments, CALLER);
}

/* Returns QEvent::type(). In a QEvent, the number of the type is after the pointer to the
 * virtual functions. In Qt 5, one more pointer is between the two. */
static unsigned get_event_type(enum dj_qt qt, const void *event)
{
    static const size_t offsets[DJ_QT_COUNT] = {[DJ_QT_5] = 16, [DJ_QT_6] = 8};
    return qt != DJ_QT_OTHER ? *(const uint16_t *)((const char *)event + offsets[qt]) : 0;
}

enum { UPDATE_REQUEST = 77 }; /* Value of QEvent::UpdateRequest. */

EXPORT bool _ZN16QCoreApplication9sendEventEP7QObjectP6QEvent(void *receiver, void *event)
{
    enum dj_qt qt = dj_qt_of_caller(CALLER);
    send_function *real = dj_qt_find(qt, DJ_QT_SEND_EVENT, CALLER);
    if (get_event_type(qt, event) == UPDATE_REQUEST) {
        gui.update_ns = dj_recorder_clock_ns();
    }
    return real(receiver, event);
}

/* Returns true for QEvent's numbers of events of mouse, keys, wheel, touch, tablet and
 * touchpad gestures. */
static bool is_input(unsigned type)
{
    static const struct {
        uint16_t first, last;
    } ranges[] = {{2, 7}, {31, 31}, {87, 87}, {92, 93}, {194, 197}, {209, 209}};
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        if (type >= ranges[i].first && type <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* Delivers an event of the window system. If an earlier delivery was left by an
 * exception, input_stack was not reset. In that case, this delivery is not deeper on the
 * stack than input_stack, and counts as outermost. */
EXPORT bool _ZN16QCoreApplication20sendSpontaneousEventEP7QObjectP6QEvent(void *receiver,
                                                                          void *event)
{
    enum dj_qt qt = dj_qt_of_caller(CALLER);
    send_function *real = dj_qt_find(qt, DJ_QT_SEND_SPONTANEOUS_EVENT, CALLER);
    bool nested = gui.input_stack != 0 && STACK < gui.input_stack;
    if (nested || !is_input(get_event_type(qt, event))) {
        return real(receiver, event);
    }
    gui.input_stack = STACK;
    int64_t begin_ns = dj_recorder_clock_ns();
    bool accepted = real(receiver, event);
    gui.input_ns += dj_recorder_clock_ns() - begin_ns;
    gui.input_stack = 0;
    return accepted;
}

/* Called when a window requests a frame. The current iteration of the thread's loop then
 * counts as work for that frame. */
EXPORT void _ZN7QWindow13requestUpdateEv(void *window)
{
    void (*real)(void *) =
        dj_qt_find(dj_qt_of_caller(CALLER), DJ_QT_REQUEST_UPDATE, CALLER);
    if (dj_recorder_claim_work(
            atomic_load_explicit(&synchronised_ns, memory_order_relaxed))) {
        gui.input_ns = 0;
    }
    real(window);
}

/* Qt's Wayland client waits for the compositor in this function, just before a swap,
 * so that eglSwapBuffers() does not wait. */
EXPORT bool _ZN15QtWaylandClient14QWaylandWindow16waitForFrameSyncEi(void *window,
                                                                     int timeout_ms)
{
    bool (*real)(void *, int) =
        dj_qt_find(dj_qt_of_caller(CALLER), DJ_QT_WAIT_FOR_FRAME_SYNC, CALLER);
    int64_t begin_ns = dj_recorder_clock_ns();
    /* Otherwise the wait would count as a wait of the event loop. */
    dj_recorder_thread.reply_depth++;
    bool is_synchronised = real(window, timeout_ms);
    dj_recorder_thread.reply_depth--;
    dj_recorder_add_wait_before_swap(begin_ns);
    return is_synchronised;
}
