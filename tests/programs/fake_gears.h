#ifndef FAKE_GEARS_H
#define FAKE_GEARS_H

enum { FAKE_GEARS_ROUND_TRIPS = 2 };

/* The function that a swap calls for drawing. Set it before the first swap. */
extern void (*fake_gears_draw)(void);

/* `connection` is a struct pollfd that is ready. */
void *xcb_wait_for_reply(void *connection, unsigned sequence, void **error);

/* Draws, and then waits for replies on `display`, which is a connection. */
void glXSwapBuffers(void *display, unsigned long drawable);

#endif
