/* Window titles, as the app sets them. This module stores the title of each window, and
 * which window each surface shows. It makes no request to a window system. Any thread may
 * call these functions. If another thread is using the table of titles at the end of a
 * frame, the title is reported at the end of a later frame. */
#ifndef DEJANK_HOOKS_TITLES_H
#define DEJANK_HOOKS_TITLES_H

#include <stddef.h>

#include "recorder/recorder.h"

/* The window system or library to which a window's number belongs. */
enum dj_namer { DJ_NAMER_NONE, DJ_NAMER_X11, DJ_NAMER_WAYLAND, DJ_NAMER_SDL };

/* Stores the title of a window: `length` bytes of UTF-8. */
void dj_titles_set_name(enum dj_namer namer, uint64_t window, const char *title,
                        size_t length);

/* Stores which window the surface shows. Without such a call, a GLX drawable shows the
 * X window with the same number. */
void dj_titles_set_surface(struct dj_surface surface, enum dj_namer namer,
                           uint64_t window);

/* Reports the title of the frame's surface to the recorder if it has changed. */
void dj_titles_frame_ended(const struct dj_recorded_frame *recorded);

#endif
