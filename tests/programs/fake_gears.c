/* The parts of libxcb and libGL that gears_calls uses, without a display. */
#include "fake_gears.h"

#include <poll.h>
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void (*fake_gears_draw)(void);

EXPORT void *xcb_wait_for_reply(void *connection, unsigned sequence, void **error)
{
    (void)sequence;
    (void)error;
    poll(connection, 1, -1);
    return NULL;
}

EXPORT void glXSwapBuffers(void *display, unsigned long drawable)
{
    (void)drawable;
    fake_gears_draw();
    for (unsigned i = 0; i < FAKE_GEARS_ROUND_TRIPS; i++) {
        xcb_wait_for_reply(display, i, NULL);
    }
}
