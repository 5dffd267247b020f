/* Hooks of the window systems' libraries: a wait for a reply is work of the frame, a wait
 * for the next event is not. */
#include <stddef.h>
#include <stdint.h>

#include "hooks/hooks.h"
#include "recorder/thread.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

EXPORT void *xcb_wait_for_reply(void *connection, unsigned sequence, void **error);
EXPORT void *xcb_wait_for_reply(void *connection, unsigned sequence, void **error)
{
    __typeof__(xcb_wait_for_reply) *real = dj_real(DJ_HOOK_xcb_wait_for_reply, CALLER);
    dj_thread.reply_depth++;
    void *reply = real(connection, sequence, error);
    dj_thread.reply_depth--;
    return reply;
}

EXPORT void *xcb_wait_for_reply64(void *connection, uint64_t sequence, void **error);
EXPORT void *xcb_wait_for_reply64(void *connection, uint64_t sequence, void **error)
{
    __typeof__(xcb_wait_for_reply64) *real =
        dj_real(DJ_HOOK_xcb_wait_for_reply64, CALLER);
    dj_thread.reply_depth++;
    void *reply = real(connection, sequence, error);
    dj_thread.reply_depth--;
    return reply;
}

/* xcb's void cookie: a struct of one word, passed and returned as that word. */
struct xcb_cookie {
    unsigned sequence;
};

EXPORT void *xcb_request_check(void *connection, struct xcb_cookie cookie);
EXPORT void *xcb_request_check(void *connection, struct xcb_cookie cookie)
{
    __typeof__(xcb_request_check) *real = dj_real(DJ_HOOK_xcb_request_check, CALLER);
    dj_thread.reply_depth++;
    void *error = real(connection, cookie);
    dj_thread.reply_depth--;
    return error;
}

EXPORT void *xcb_wait_for_event(void *connection);
EXPORT void *xcb_wait_for_event(void *connection)
{
    __typeof__(xcb_wait_for_event) *real = dj_real(DJ_HOOK_xcb_wait_for_event, CALLER);
    dj_thread.event_depth++;
    void *event = real(connection);
    dj_thread.event_depth--;
    return event;
}

EXPORT int wl_display_roundtrip(void *display);
EXPORT int wl_display_roundtrip(void *display)
{
    __typeof__(wl_display_roundtrip) *real =
        dj_real(DJ_HOOK_wl_display_roundtrip, CALLER);
    dj_thread.reply_depth++;
    int result = real(display);
    dj_thread.reply_depth--;
    return result;
}

EXPORT int wl_display_roundtrip_queue(void *display, void *queue);
EXPORT int wl_display_roundtrip_queue(void *display, void *queue)
{
    __typeof__(wl_display_roundtrip_queue) *real =
        dj_real(DJ_HOOK_wl_display_roundtrip_queue, CALLER);
    dj_thread.reply_depth++;
    int result = real(display, queue);
    dj_thread.reply_depth--;
    return result;
}

/* A dispatch waits for events on its connection, then calls the app's listeners, which
 * may wait for other things: only the wait on the connection is the loop's, and stands
 * where dispatch was called. */
struct dispatch {
    int fd;
    uintptr_t stack;
};

static struct dispatch enter_dispatch(void *display, const void *caller, uintptr_t stack)
{
    int (*get_fd)(void *) = dj_real(DJ_HOOK_wl_display_get_fd, caller);
    struct dispatch outer = {dj_thread.event_fd, dj_thread.event_stack};
    dj_thread.event_fd = get_fd != NULL ? get_fd(display) : 0;
    dj_thread.event_stack = stack;
    return outer;
}

static void leave_dispatch(struct dispatch outer)
{
    dj_thread.event_fd = outer.fd;
    dj_thread.event_stack = outer.stack;
}

EXPORT int wl_display_dispatch(void *display);
EXPORT int wl_display_dispatch(void *display)
{
    __typeof__(wl_display_dispatch) *real = dj_real(DJ_HOOK_wl_display_dispatch, CALLER);
    struct dispatch outer =
        enter_dispatch(display, CALLER, (uintptr_t)__builtin_frame_address(0));
    int result = real(display);
    leave_dispatch(outer);
    return result;
}

EXPORT int wl_display_dispatch_queue(void *display, void *queue);
EXPORT int wl_display_dispatch_queue(void *display, void *queue)
{
    __typeof__(wl_display_dispatch_queue) *real =
        dj_real(DJ_HOOK_wl_display_dispatch_queue, CALLER);
    struct dispatch outer =
        enter_dispatch(display, CALLER, (uintptr_t)__builtin_frame_address(0));
    int result = real(display, queue);
    leave_dispatch(outer);
    return result;
}
