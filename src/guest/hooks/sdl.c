/* Hooks of SDL 2. They find out when the input of a frame was handled and how old it was.
 * They also record frames of SDL's software renderer, which makes no swap.
 *
 * Only the app's own calls are hooked. SDL's internal calls are not hooked, so nothing is
 * counted twice. SDL 1.2 and SDL 3 have functions with the same names. The hooks pass on
 * their arguments and results unchanged, and do not read their events. Handling of input
 * lasts from the first poll of the event queue to the poll that finds the queue empty.
 * These hooks do not see events that the app handles later (as in LÖVE's Lua handlers),
 * and they do not see an SDL that is linked into the app itself. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "hooks/export.h"
#include "hooks/sources.h"
#include "hooks/titles.h"
#include "recorder/recorder.h"
#include "recorder/thread.h"

/* The beginning of every SDL_Event. An event has SDL_EVENT_BYTES bytes. */
struct sdl_event {
    uint32_t type;
    uint32_t timestamp_ms; /* Time in ms, as SDL_GetTicks() returns it. */
};
enum { SDL_EVENT_BYTES = 56 };
enum { KEYS = 0x300, KEYMAP_CHANGED = 0x304, GESTURES_END = 0x803 };
enum { OLDEST_BELIEVED_MS = 10000 };

/* The calling thread's input since its last present call. A time of 0 means that there
 * was none. */
static _Thread_local struct {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t oldest_ns;
    int64_t newest_ns;
    bool unhandled; /* True if an event was read after end_ns. */
    bool dated;     /* True if the time stamps of events can be used. */
} input DJ_STATIC_TLS;

/* Returns true if the app uses SDL 2. Looks up a function that only SDL 2 has. Events of
 * SDL 1.2 have no time stamp, and events of SDL 3 have another kind of time stamp. */
static bool is_sdl2(const void *caller)
{
    static _Atomic int known; /* 1 for SDL 2, −1 for another version, or 0 if unknown. */
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == 0) {
        bool same_object =
            dj_real_are_of_one_object(dj_real(DJ_HOOK_SDL_PollEvent, caller),
                                      dj_real(DJ_HOOK_SDL_RenderCopy, caller));
        answer = same_object ? 1 : -1;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer > 0;
}

static void begin_input(int64_t now_ns, const void *caller)
{
    if (input.begin_ns < dj_recorder_thread.waits.woke_ns) {
        memset(&input, 0, sizeof(input));
    }
    if (input.begin_ns == 0) {
        input.begin_ns = now_ns;
        input.dated = is_sdl2(caller);
    }
}

static void end_input(void)
{
    if (input.end_ns == 0 || input.unhandled) {
        input.end_ns = dj_recorder_clock_ns();
        input.unhandled = false;
    }
}

static void add_event(const void *event, const void *caller)
{
    struct sdl_event head;
    input.unhandled = true;
    if (event == NULL || !input.dated) {
        return;
    }
    memcpy(&head, event, sizeof(head));
    uint32_t (*ticks)(void) = dj_real(DJ_HOOK_SDL_GetTicks, caller);
    if (head.type < KEYS || head.type >= GESTURES_END || head.type == KEYMAP_CHANGED ||
        ticks == NULL) {
        return;
    }
    uint32_t age_ms = ticks() - head.timestamp_ms;
    if (age_ms > OLDEST_BELIEVED_MS) {
        return; /* An event that the app pushed itself may have any time stamp. */
    }
    int64_t at_ns = dj_recorder_clock_ns() - (int64_t)age_ms * 1000000;
    if (input.oldest_ns == 0 || at_ns < input.oldest_ns) {
        input.oldest_ns = at_ns;
    }
    if (at_ns > input.newest_ns) {
        input.newest_ns = at_ns;
    }
}

/* Adds the result of a poll, which returned the first event of the queue, or no event. */
static int add_polled_event(int result, const void *event, const void *caller)
{
    if (result > 0) {
        add_event(event, caller);
    } else {
        end_input();
    }
    return result;
}

EXPORT void SDL_PumpEvents(void)
{
    begin_input(dj_recorder_clock_ns(), CALLER);
    REAL(SDL_PumpEvents)();
    end_input();
}

EXPORT int SDL_PollEvent(void *event)
{
    begin_input(dj_recorder_clock_ns(), CALLER);
    int result = REAL(SDL_PollEvent)(event);
    return add_polled_event(result, event, CALLER);
}

/* The wait does not count as input handling, because the frame starts when the wait
 * ends. */
EXPORT int SDL_WaitEvent(void *event)
{
    int result = REAL(SDL_WaitEvent)(event);
    begin_input(dj_recorder_clock_ns(), CALLER);
    if (result > 0) {
        add_event(event, CALLER);
    }
    return result;
}

EXPORT int SDL_WaitEventTimeout(void *event, int timeout_ms)
{
    int result = REAL(SDL_WaitEventTimeout)(event, timeout_ms);
    begin_input(dj_recorder_clock_ns(), CALLER);
    return add_polled_event(result, event, CALLER);
}

/* SDL_PeepEvents() of SDL 1.2 has only four arguments and ignores the fifth. */
EXPORT int SDL_PeepEvents(void *events, int count, int action, uint32_t from, uint32_t to)
{
    enum { GET_EVENT = 2 };
    begin_input(dj_recorder_clock_ns(), CALLER);
    int result = REAL(SDL_PeepEvents)(events, count, action, from, to);
    if (action != GET_EVENT || events == NULL) {
        return result;
    }
    for (int i = 0; i < result; i++) {
        add_event((const char *)events + (size_t)i * SDL_EVENT_BYTES, CALLER);
    }
    if (result == 0) {
        end_input();
    }
    return result;
}

/* Stamps the input stages of the frame. Input that is handled later belongs to the
 * next frame. */
static void stamp_input(void)
{
    if (input.begin_ns != 0 && input.begin_ns >= dj_recorder_thread.waits.woke_ns) {
        dj_recorder_stamp_stage(DJ_COLUMN_HANDLE_INPUT_START, input.begin_ns);
        if (input.end_ns != 0) {
            dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_START, input.end_ns);
        }
        if (input.dated) { /* Without input events, stamp the same values as hwui. */
            dj_recorder_stamp_stage(DJ_COLUMN_OLDEST_INPUT_EVENT,
                                    input.newest_ns != 0 ? input.oldest_ns : INT64_MAX);
            dj_recorder_stamp_stage(DJ_COLUMN_NEWEST_INPUT_EVENT, input.newest_ns);
        }
    }
    memset(&input, 0, sizeof(input));
}

static struct dj_surface get_surface(const void *window)
{
    return (struct dj_surface){DJ_PIPELINE_SDL, (uintptr_t)window};
}

/* The thread's last recorded frame. After a swap, its surface is the surface of the
 * swapped window. */
static _Thread_local struct dj_recorded_frame last DJ_STATIC_TLS;

void dj_sdl_frame_ended(const struct dj_recorded_frame *recorded)
{
    last = *recorded;
}

static void set_shown_window(struct dj_surface surface, const void *window)
{
    static _Thread_local struct {
        struct dj_surface surface;
        const void *window;
    } reported DJ_STATIC_TLS;
    if (reported.window != window ||
        !dj_recorder_surface_is_equal(reported.surface, surface)) {
        dj_titles_set_surface(surface, DJ_NAMER_SDL, (uintptr_t)window);
        reported.surface = surface;
        reported.window = window;
    }
}

static void end_present(const struct dj_present *present, const void *window,
                        bool presented)
{
    dj_recorder_thread.present_depth--;
    if (dj_recorder_thread.finished != present->finished) {
        if (last.valid) {
            set_shown_window(last.surface, window);
        }
    } else if (presented) {
        set_shown_window(get_surface(window), window);
        dj_recorder_end_present(present, get_surface(window));
    }
}

/* Returns the result of a call that presents the window. */
#define RETURN_PRESENT(window, call, presented)                                          \
    struct dj_present present;                                                           \
    stamp_input();                                                                       \
    dj_recorder_begin_present(&present);                                                 \
    int result = call;                                                                   \
    end_present(&present, window, presented);                                            \
    return result

/* SDL_GL_SwapWindow() returns nothing in SDL 2, and a success flag in SDL 3. The hook
 * returns an int for both, because an unused result does no harm. This also applies to
 * SDL_RenderPresent() and SDL_SetWindowTitle(). */
EXPORT int SDL_GL_SwapWindow(void *window)
{
    RETURN_PRESENT(window, REAL(SDL_GL_SwapWindow)(window), false);
}

EXPORT int SDL_UpdateWindowSurface(void *window)
{
    RETURN_PRESENT(window, REAL(SDL_UpdateWindowSurface)(window), result == 0);
}

EXPORT int SDL_UpdateWindowSurfaceRects(void *window, const void *rectangles, int count)
{
    RETURN_PRESENT(window, REAL(SDL_UpdateWindowSurfaceRects)(window, rectangles, count),
                   result == 0);
}

/* Returns the renderer's window. Before SDL 2.0.22 a renderer does not know its
 * window, so the renderer itself identifies the surface. The function is looked up
 * only once, because a failing look-up searches all libraries. */
static void *get_window_of_renderer(void *renderer, const void *caller)
{
    /* Address of the real function. NULL before it was looked up. */
    static _Atomic(void *) known;
    static char missing;
    void *function = atomic_load_explicit(&known, memory_order_acquire);
    if (function == NULL) {
        function = dj_real_find("SDL_RenderGetWindow", caller);
        if (function == NULL) {
            function = &missing;
            dlerror(); /* Clears the error, because it is not an error of the app. */
        }
        atomic_store_explicit(&known, function, memory_order_release);
    }
    void *(*get_window)(void *) = function != &missing ? function : NULL;
    return get_window != NULL ? get_window(renderer) : renderer;
}

/* A renderer without a window draws into an off-screen surface. This is not recorded as a
 * frame. */
EXPORT int SDL_RenderPresent(void *renderer)
{
    void *window = renderer != NULL ? get_window_of_renderer(renderer, CALLER) : NULL;
    if (window == NULL) {
        return REAL(SDL_RenderPresent)(renderer);
    }
    RETURN_PRESENT(window, REAL(SDL_RenderPresent)(renderer), true);
}

static void set_window_name(const void *window, const char *title)
{
    if (window != NULL && title != NULL) {
        dj_titles_set_name(DJ_NAMER_SDL, (uintptr_t)window, title, strlen(title));
    }
}

/* SDL_CreateWindow() of SDL 3 has no position, and has 64-bit flags. All arguments are
 * passed on as whole words, which is right for both versions. */
EXPORT void *SDL_CreateWindow(const char *title, uintptr_t x, uintptr_t y,
                              uintptr_t width, uintptr_t height, uintptr_t flags)
{
    void *window = REAL(SDL_CreateWindow)(title, x, y, width, height, flags);
    set_window_name(window, title);
    return window;
}

EXPORT int SDL_SetWindowTitle(void *window, const char *title)
{
    int result = REAL(SDL_SetWindowTitle)(window, title);
    set_window_name(window, title);
    return result;
}
