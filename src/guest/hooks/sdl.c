/* SDL 2: when a frame's input was handled, how old it was, and frames of the software
 * renderer, which swaps nothing.
 *
 * Only the app's own calls are hooked, not SDL's internal calls, so nothing counts
 * twice. SDL 1.2 and 3 have functions of the same names: their arguments and results
 * are passed on unchanged, and their events are not read. Input lasts from the first
 * poll of the queue to the poll that found it empty after its events were handled. Not
 * visible: later handling of events (as in LÖVE's Lua handlers), and an SDL linked
 * into the app itself. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "hooks/export.h"
#include "hooks/sources.h"
#include "hooks/titles.h"
#include "recorder/recorder.h"
#include "recorder/thread.h"

/* The beginning of every SDL_Event, and its size. */
struct sdl_event {
    uint32_t type;
    uint32_t timestamp_ms; /* in ms of SDL_GetTicks() */
};
enum { SDL_EVENT_BYTES = 56 };
enum { KEYS = 0x300, KEYMAP_CHANGED = 0x304, GESTURES_END = 0x803 };
enum { OLDEST_BELIEVED_MS = 10000 };

/* The calling thread's input since its last present. Zero: none yet. */
static _Thread_local struct {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t oldest_ns;
    int64_t newest_ns;
    bool unhandled; /* an event came after end_ns */
    bool dated;     /* events have usable timestamps */
} input DJ_STATIC_TLS;

/* SDL 1.2 has events without a time, SDL 3 has different ones. SDL 2 is recognised by
 * a function that only its object has. */
static bool is_sdl2(const void *caller)
{
    static _Atomic int known; /* 0: unknown */
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == 0) {
        bool is_one = dj_real_are_of_one_object(dj_real(DJ_HOOK_SDL_PollEvent, caller),
                                                dj_real(DJ_HOOK_SDL_RenderCopy, caller));
        answer = is_one ? 1 : -1;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer > 0;
}

static void look_begins(int64_t now_ns, const void *caller)
{
    if (input.begin_ns < dj_recorder_thread.waits.woke_ns) {
        memset(&input, 0, sizeof(input));
    }
    if (input.begin_ns == 0) {
        input.begin_ns = now_ns;
        input.dated = is_sdl2(caller);
    }
}

static void found_empty(void)
{
    if (input.end_ns == 0 || input.unhandled) {
        input.end_ns = dj_recorder_clock_ns();
        input.unhandled = false;
    }
}

static void came(const void *event, const void *caller)
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
        return; /* an event of the app itself, with any time */
    }
    int64_t at_ns = dj_recorder_clock_ns() - (int64_t)age_ms * 1000000;
    if (input.oldest_ns == 0 || at_ns < input.oldest_ns) {
        input.oldest_ns = at_ns;
    }
    if (at_ns > input.newest_ns) {
        input.newest_ns = at_ns;
    }
}

/* A poll of the queue has returned its first event, or none. */
static int looked(int result, const void *event, const void *caller)
{
    if (result > 0) {
        came(event, caller);
    } else {
        found_empty();
    }
    return result;
}

EXPORT void SDL_PumpEvents(void)
{
    look_begins(dj_recorder_clock_ns(), CALLER);
    REAL(SDL_PumpEvents)();
    found_empty();
}

EXPORT int SDL_PollEvent(void *event)
{
    look_begins(dj_recorder_clock_ns(), CALLER);
    int result = REAL(SDL_PollEvent)(event);
    return looked(result, event, CALLER);
}

/* A wait begins nothing: the frame starts at its end. */
EXPORT int SDL_WaitEvent(void *event)
{
    int result = REAL(SDL_WaitEvent)(event);
    look_begins(dj_recorder_clock_ns(), CALLER);
    if (result > 0) {
        came(event, CALLER);
    }
    return result;
}

EXPORT int SDL_WaitEventTimeout(void *event, int timeout_ms)
{
    int result = REAL(SDL_WaitEventTimeout)(event, timeout_ms);
    look_begins(dj_recorder_clock_ns(), CALLER);
    return looked(result, event, CALLER);
}

/* SDL 1.2 has no fifth argument, and ignores it. */
EXPORT int SDL_PeepEvents(void *events, int count, int action, uint32_t from, uint32_t to)
{
    enum { GET_EVENT = 2 };
    look_begins(dj_recorder_clock_ns(), CALLER);
    int result = REAL(SDL_PeepEvents)(events, count, action, from, to);
    if (action != GET_EVENT || events == NULL) {
        return result;
    }
    for (int i = 0; i < result; i++) {
        came((const char *)events + (size_t)i * SDL_EVENT_BYTES, CALLER);
    }
    if (result == 0) {
        found_empty();
    }
    return result;
}

/* The frame's input ends where its pixels are presented. */
static void tell_input(void)
{
    if (input.begin_ns != 0 && input.begin_ns >= dj_recorder_thread.waits.woke_ns) {
        dj_recorder_stamp_stage(DJ_COLUMN_HANDLE_INPUT_START, input.begin_ns);
        if (input.end_ns != 0) {
            dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_START, input.end_ns);
        }
        if (input.dated) { /* no input: hwui's value for that */
            dj_recorder_stamp_stage(DJ_COLUMN_OLDEST_INPUT_EVENT,
                                    input.newest_ns != 0 ? input.oldest_ns : INT64_MAX);
            dj_recorder_stamp_stage(DJ_COLUMN_NEWEST_INPUT_EVENT, input.newest_ns);
        }
    }
    memset(&input, 0, sizeof(input));
}

static struct dj_surface surface_of(const void *window)
{
    return (struct dj_surface){DJ_PIPELINE_SDL, (uintptr_t)window};
}

/* The surface of the thread's last frame: the target of a window's swap. */
static _Thread_local struct dj_recorded_frame last DJ_STATIC_TLS;

void dj_sdl_frame_ended(const struct dj_recorded_frame *recorded)
{
    last = *recorded;
}

static void shows(struct dj_surface surface, const void *window)
{
    static _Thread_local struct {
        struct dj_surface surface;
        const void *window;
    } said DJ_STATIC_TLS;
    if (said.window != window || !dj_recorder_surface_is_equal(said.surface, surface)) {
        dj_titles_set_surface(surface, DJ_NAMER_SDL, (uintptr_t)window);
        said.surface = surface;
        said.window = window;
    }
}

static void end(const struct dj_present *present, const void *window, bool presented)
{
    if (dj_recorder_thread.finished != present->finished) {
        if (last.valid) {
            shows(last.surface, window);
        }
    } else if (presented) {
        shows(surface_of(window), window);
        dj_recorder_end_present(present, surface_of(window));
    }
}

/* Returns the result of a call that presents the window. */
#define RETURN_PRESENT(window, call, presented)                                          \
    struct dj_present present;                                                           \
    tell_input();                                                                        \
    dj_recorder_begin_present(&present);                                                 \
    int result = call;                                                                   \
    end(&present, window, presented);                                                    \
    return result

/* SDL 2's function returns nothing, SDL 3's a success flag: the word is passed on. The
 * same applies to two functions below. */
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

/* Before 2.0.22 a renderer does not know its window, so the renderer identifies the
 * surface. The look-up happens once: a failing one searches all libraries. */
static void *window_of(void *renderer, const void *caller)
{
    static _Atomic(void *) known; /* NULL: not looked up yet */
    static char missing;
    void *function = atomic_load_explicit(&known, memory_order_acquire);
    if (function == NULL) {
        function = dj_real_find("SDL_RenderGetWindow", caller);
        if (function == NULL) {
            function = &missing;
            dlerror(); /* not an error of the app */
        }
        atomic_store_explicit(&known, function, memory_order_release);
    }
    void *(*get_window)(void *) = function != &missing ? function : NULL;
    return get_window != NULL ? get_window(renderer) : renderer;
}

/* A renderer without a window draws into an invisible surface of the app. */
EXPORT int SDL_RenderPresent(void *renderer)
{
    void *window = renderer != NULL ? window_of(renderer, CALLER) : NULL;
    if (window == NULL) {
        return REAL(SDL_RenderPresent)(renderer);
    }
    RETURN_PRESENT(window, REAL(SDL_RenderPresent)(renderer), true);
}

static void name_window(const void *window, const char *title)
{
    if (window != NULL && title != NULL) {
        dj_titles_set_name(DJ_NAMER_SDL, (uintptr_t)window, title, strlen(title));
    }
}

/* SDL 3 has a size and 64-bit flags instead: all arguments are passed on as whole
 * words. */
EXPORT void *SDL_CreateWindow(const char *title, uintptr_t x, uintptr_t y,
                              uintptr_t width, uintptr_t height, uintptr_t flags)
{
    void *window = REAL(SDL_CreateWindow)(title, x, y, width, height, flags);
    name_window(window, title);
    return window;
}

EXPORT int SDL_SetWindowTitle(void *window, const char *title)
{
    int result = REAL(SDL_SetWindowTitle)(window, title);
    name_window(window, title);
    return result;
}
