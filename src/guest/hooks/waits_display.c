/* Hooks of waiting functions in the libraries of the window systems. A wait for a
 * reply is part of the frame. A wait for the next event is not. */
#include <stddef.h>
#include <stdint.h>

#include "hooks/export.h"
#include "recorder/thread.h"

/* Returns the result of a call that waits for a reply. */
#define RETURN_REPLY(call)                                                               \
    dj_recorder_thread.reply_depth++;                                                    \
    __typeof__(call) reply = call;                                                       \
    dj_recorder_thread.reply_depth--;                                                    \
    return reply

EXPORT void *xcb_wait_for_reply(void *connection, unsigned sequence, void **error)
{
    RETURN_REPLY(REAL(xcb_wait_for_reply)(connection, sequence, error));
}

EXPORT void *xcb_wait_for_reply64(void *connection, uint64_t sequence, void **error)
{
    RETURN_REPLY(REAL(xcb_wait_for_reply64)(connection, sequence, error));
}

/* Same layout as xcb_void_cookie_t: a struct with one word. The ABI passes and returns it
 * like this word. */
struct xcb_cookie {
    unsigned sequence;
};

EXPORT void *xcb_request_check(void *connection, struct xcb_cookie cookie)
{
    RETURN_REPLY(REAL(xcb_request_check)(connection, cookie));
}

EXPORT void *xcb_wait_for_event(void *connection)
{
    dj_recorder_thread.event_depth++;
    void *event = REAL(xcb_wait_for_event)(connection);
    dj_recorder_thread.event_depth--;
    return event;
}

EXPORT int wl_display_roundtrip(void *display)
{
    RETURN_REPLY(REAL(wl_display_roundtrip)(display));
}

EXPORT int wl_display_roundtrip_queue(void *display, void *queue)
{
    RETURN_REPLY(REAL(wl_display_roundtrip_queue)(display, queue));
}

/* The Wayland connection and stack address of the outer dispatch, which are restored
 * after a nested dispatch. A dispatch waits for events on its connection, and then calls
 * the app's listeners, which may wait for other things. Only the wait on the connection
 * counts as a wait of the event loop, at the stack depth of the dispatch. */
struct dispatch {
    int fd;
    uintptr_t stack;
};

static struct dispatch enter_dispatch(void *display, const void *caller, uintptr_t stack)
{
    int (*get_fd)(void *) = dj_real(DJ_HOOK_wl_display_get_fd, caller);
    struct dispatch outer = {dj_recorder_thread.event_fd, dj_recorder_thread.event_stack};
    dj_recorder_thread.event_fd = get_fd != NULL ? get_fd(display) : 0;
    dj_recorder_thread.event_stack = stack;
    return outer;
}

static void leave_dispatch(struct dispatch outer)
{
    dj_recorder_thread.event_fd = outer.fd;
    dj_recorder_thread.event_stack = outer.stack;
}

EXPORT int wl_display_dispatch(void *display)
{
    struct dispatch outer = enter_dispatch(display, CALLER, STACK);
    int result = REAL(wl_display_dispatch)(display);
    leave_dispatch(outer);
    return result;
}

EXPORT int wl_display_dispatch_queue(void *display, void *queue)
{
    struct dispatch outer = enter_dispatch(display, CALLER, STACK);
    int result = REAL(wl_display_dispatch_queue)(display, queue);
    leave_dispatch(outer);
    return result;
}
