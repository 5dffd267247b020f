/* Frames of Qt Quick, 5 and 6. Qt's libraries call QMetaObject::activate() for every
 * signal, so a hook of it sees the signals of QQuickWindow and derived classes:
 * polished, synchronised, rendered, swapped. It asks Qt once per class which signals
 * these are. Three more hooks delimit the work before them: QWindow::requestUpdate()
 * (a frame is requested), the delivery of that update, and the delivery of input.
 *
 * A frame starts on the GUI thread: where its loop woke for the iteration that
 * requested it, or where the previous frame released the thread. Idle time of the loop
 * before drawing is not part of the frame: work before such idle time is moved to the
 * wake-up that drew. With a render thread, the GUI thread waits for it from SyncQueued
 * to IssueDrawCommandsStart.
 *
 * Not visible: which events of the GUI thread were animations, timers or other code
 * (all except input count for AnimationStart); when input arrived; windows of
 * QQuickRenderControl and QQuickWidget, which other code presents; a Qt built with a
 * namespace or linked statically. */
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

/* The GUI thread's part of the current frame. The thread waits until the render thread
 * has read this. */
static struct {
    _Atomic(const void *) window; /* its window; NULL: no frame is waiting */
    int64_t start_ns, animation_ns, traversals_ns, queued_ns;
} handed_over;

/* When a render thread last released the GUI thread. */
static _Atomic int64_t synchronised_ns;

/* The work of an event-handling thread since its last frame. */
static _Thread_local struct {
    uintptr_t input_stack; /* stack position of the outermost delivery of input; 0: none
                              is active */
    int64_t input_ns;      /* time in those deliveries since the frame was requested */
    int64_t update_ns;     /* when the update was delivered */
} gui DJ_STATIC_TLS;

/* The state of a drawing thread. */
static _Thread_local struct {
    const void *window; /* NULL: no frame is in progress */
    int64_t synchronised_ns;
    int64_t rendered_ns;
} drawing DJ_STATIC_TLS;

/* Windows reported so far, used only by the GUI thread. All are reported again from
 * time to time, because they may move to another screen. */
enum { TOLD = 16, TELL_AGAIN = 61 };
static const void *told[TOLD];
static unsigned told_count, animated_count;

static bool is_known(const void *window)
{
    for (size_t i = 0; i < TOLD; i++) {
        if (told[i] == window) {
            return true;
        }
    }
    return false;
}

static void tell(enum dj_qt qt, const void *window)
{
    if (is_known(window) && ++animated_count % TELL_AGAIN != 0) {
        return;
    }
    if (dj_qt_is_on_screen(qt, window) &&
        dj_recorder_announce_surface(dj_qt_surface(window))) {
        dj_qt_report_title(qt, window);
        dj_qt_report_visibility(qt, window);
        dj_qt_report_interval(qt, window);
        if (!is_known(window)) {
            told[told_count++ % TOLD] = window;
        }
    }
}

/* The GUI thread has polished the window, and is about to wait for synchronising or to
 * do it itself. */
static void after_animating(const void *window)
{
    struct dj_frame_transfer made = dj_recorder_transfer_frame();
    int64_t now_ns = dj_recorder_clock_ns();
    int64_t let_go_ns = atomic_load_explicit(&synchronised_ns, memory_order_relaxed);
    int64_t woke_ns = DJ_MOST(made.woke_ns, let_go_ns);
    int64_t update_ns = gui.update_ns > woke_ns ? gui.update_ns : 0;
    int64_t input_ns = made.claimed ? gui.input_ns : 0;
    handed_over.start_ns = woke_ns - made.worked_ns;
    handed_over.animation_ns =
        DJ_LEAST(handed_over.start_ns + input_ns, update_ns != 0 ? update_ns : now_ns);
    handed_over.traversals_ns = update_ns;
    handed_over.queued_ns = now_ns;
    gui.input_ns = 0;
    gui.update_ns = 0;
    /* Pairs with the acquire load in before_synchronizing(). */
    atomic_store_explicit(&handed_over.window, window, memory_order_release);
}

static void begin_drawing(const void *window)
{
    drawing.window = window;
    drawing.rendered_ns = 0;
    dj_recorder_open_frame(dj_qt_surface(window));
}

static void before_synchronizing(enum dj_qt qt, const void *window, int64_t now_ns)
{
    if (!dj_qt_is_on_screen(qt, window)) {
        return;
    }
    begin_drawing(window);
    if (atomic_load_explicit(&handed_over.window, memory_order_acquire) == window) {
        dj_recorder_stamp_stage(DJ_COLUMN_INTENDED_VSYNC, handed_over.start_ns);
        dj_recorder_stamp_stage(DJ_COLUMN_HANDLE_INPUT_START, handed_over.start_ns);
        dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_START, handed_over.animation_ns);
        if (handed_over.traversals_ns != 0) {
            dj_recorder_stamp_stage(DJ_COLUMN_PERFORM_TRAVERSALS_START,
                                    handed_over.traversals_ns);
        }
        dj_recorder_stamp_stage(DJ_COLUMN_SYNC_QUEUED, handed_over.queued_ns);
        atomic_store_explicit(&handed_over.window, NULL, memory_order_relaxed);
    }
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_START, now_ns);
}

static void after_synchronizing(const void *window)
{
    int64_t now_ns = dj_recorder_clock_ns();
    if (drawing.window == window) {
        drawing.synchronised_ns = now_ns;
        dj_recorder_stamp_stage(DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, now_ns);
    }
    atomic_store_explicit(&synchronised_ns, now_ns, memory_order_relaxed);
}

/* Without synchronising, or long after synchronising changed nothing: a frame of the
 * render thread itself, for animators that run there. */
static void before_rendering(enum dj_qt qt, const void *window, int64_t now_ns)
{
    bool goes_on = drawing.window == window &&
                   dj_recorder_thread.waits.woke_ns <= drawing.synchronised_ns;
    if (goes_on || !dj_qt_is_on_screen(qt, window)) {
        return;
    }
    begin_drawing(window);
    dj_recorder_stamp_stage(DJ_COLUMN_FLAGS, DJ_FLAG_RT_ANIMATION);
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_QUEUED, now_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_START, now_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, now_ns);
}

static void after_rendering(const void *window)
{
    if (drawing.window == window) {
        drawing.rendered_ns = dj_recorder_clock_ns();
    }
}

static void frame_swapped(const void *window)
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

/* Handles signals before their receivers run: their work belongs to the stage that
 * begins. */
static void before_receivers(enum dj_qt qt, enum dj_qt_signal signal, const void *window)
{
    int saved_errno = errno;
    if (signal == DJ_QT_BEFORE_SYNCHRONIZING) {
        before_synchronizing(qt, window, dj_recorder_clock_ns());
    } else if (signal == DJ_QT_BEFORE_RENDERING) {
        before_rendering(qt, window, dj_recorder_clock_ns());
    } else if (signal == DJ_QT_FRAME_SWAPPED) {
        frame_swapped(window);
    } else if (signal == DJ_QT_TITLE_CHANGED) {
        dj_qt_report_title(qt, window);
    } else if (signal == DJ_QT_VISIBILITY_CHANGED) {
        dj_qt_report_visibility(qt, window);
    } else if (signal == DJ_QT_AFTER_ANIMATING) {
        tell(qt, window);
    }
    errno = saved_errno;
}

/* Handles signals after their receivers ran: their work belongs to the stage that
 * ends. The window may be destroyed. */
static void after_receivers(enum dj_qt_signal signal, const void *window)
{
    int saved_errno = errno;
    if (signal == DJ_QT_AFTER_ANIMATING) {
        after_animating(window);
    } else if (signal == DJ_QT_AFTER_SYNCHRONIZING) {
        after_synchronizing(window);
    } else if (signal == DJ_QT_AFTER_RENDERING) {
        after_rendering(window);
    }
    errno = saved_errno;
}

/* Handles a signal of a window, or of an unknown class. Separate from the fast path,
 * which should not save registers for it. */
__attribute__((noinline)) static void activate_watched(void *sender, const void *meta,
                                                       int signal, void **arguments,
                                                       const void *caller)
{
    unsigned kind = dj_qt_kind_of(meta, caller);
    enum dj_qt qt = dj_qt_of_kind(kind);
    activate_function *real = dj_qt_find(qt, DJ_QT_ACTIVATE, caller);
    enum dj_qt_signal told_by = dj_qt_signal_of(kind, signal);
    before_receivers(qt, told_by, sender);
    real(sender, meta, signal, arguments);
    after_receivers(told_by, sender);
}

/* Called for every signal of the program. For other signals it only reads one table
 * entry. */
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
    activate_watched(sender, meta, signal, arguments, CALLER);
}

/* QEvent::type(): after the pointer to virtual functions, in Qt 5 also after another
 * pointer. */
static unsigned type_of(enum dj_qt qt, const void *event)
{
    static const size_t offsets[DJ_QT_COUNT] = {[DJ_QT_5] = 16, [DJ_QT_6] = 8};
    return qt != DJ_QT_OTHER ? *(const uint16_t *)((const char *)event + offsets[qt]) : 0;
}

enum { UPDATE_REQUEST = 77 }; /* QEvent::UpdateRequest */

EXPORT bool _ZN16QCoreApplication9sendEventEP7QObjectP6QEvent(void *receiver, void *event)
{
    enum dj_qt qt = dj_qt_of_caller(CALLER);
    send_function *real = dj_qt_find(qt, DJ_QT_SEND_EVENT, CALLER);
    if (type_of(qt, event) == UPDATE_REQUEST) {
        gui.update_ns = dj_recorder_clock_ns();
    }
    return real(receiver, event);
}

/* QEvent's numbers of mouse, keys, wheel, touch, tablet, and touchpad gestures. */
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

/* Events from the window system. If an exception ended a delivery, a later one is not
 * deeper on the stack, which shows it. */
EXPORT bool _ZN16QCoreApplication20sendSpontaneousEventEP7QObjectP6QEvent(void *receiver,
                                                                          void *event)
{
    enum dj_qt qt = dj_qt_of_caller(CALLER);
    send_function *real = dj_qt_find(qt, DJ_QT_SEND_SPONTANEOUS_EVENT, CALLER);
    bool nested = gui.input_stack != 0 && STACK < gui.input_stack;
    if (nested || !is_input(type_of(qt, event))) {
        return real(receiver, event);
    }
    gui.input_stack = STACK;
    int64_t begin_ns = dj_recorder_clock_ns();
    bool accepted = real(receiver, event);
    gui.input_ns += dj_recorder_clock_ns() - begin_ns;
    gui.input_stack = 0;
    return accepted;
}

/* A window requests drawing: the present iteration of its thread's loop is work for
 * that frame. */
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

/* Qt's Wayland client does not let eglSwapBuffers() wait for the compositor, and waits
 * itself just before. */
EXPORT bool _ZN15QtWaylandClient14QWaylandWindow16waitForFrameSyncEi(void *window,
                                                                     int timeout_ms)
{
    bool (*real)(void *, int) =
        dj_qt_find(dj_qt_of_caller(CALLER), DJ_QT_WAIT_FOR_FRAME_SYNC, CALLER);
    int64_t begin_ns = dj_recorder_clock_ns();
    dj_recorder_thread.reply_depth++; /* not a wait of the event loop */
    bool came = real(window, timeout_ms);
    dj_recorder_thread.reply_depth--;
    dj_recorder_add_wait_before_swap(begin_ns);
    return came;
}
