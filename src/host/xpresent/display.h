/* Connects to the X server, and asks it about windows and clients. */
#ifndef DEJANK_XPRESENT_DISPLAY_H
#define DEJANK_XPRESENT_DISPLAY_H

#include <xcb/xcb.h>

#include "base/error.h"
#include "base/text.h"

struct dj_xpresent_display {
    xcb_connection_t *x;
    uint8_t present_opcode; /* Major opcode of the Present extension. */
    uint32_t client_mask;   /* The bits of a window's id that identify its client. */
    xcb_atom_t title, utf8; /* Atoms _NET_WM_NAME and UTF8_STRING. */
};

/* Connects to the X server of DISPLAY. Returns DJ_E_NOT_FOUND if none answers, and
 * DJ_E_UNSUPPORTED if it is on another machine, or if it lacks the extension Present or
 * X-Resource. */
int dj_xpresent_display_open(struct dj_xpresent_display *display, struct dj_error *err);
void dj_xpresent_display_close(struct dj_xpresent_display *display);

/* Returns the id of the process that created the window, or 0 if unknown. */
int64_t dj_xpresent_display_find_pid(const struct dj_xpresent_display *display,
                                     xcb_window_t window);

/* Appends the title that the window itself has. Appends nothing if it has none. */
void dj_xpresent_display_read_title(const struct dj_xpresent_display *display,
                                    xcb_window_t window, struct dj_text *title);

/* Returns whether the window is visible on its screen, according to the server. */
bool dj_xpresent_display_is_viewable(const struct dj_xpresent_display *display,
                                     xcb_window_t window);

#endif
