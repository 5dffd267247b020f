/* Window titles as the app set them: the names of windows, and which surface shows
 * which window. Makes no request to a window system. Any thread may call these. A
 * title that another thread is writing at the moment is used for a later frame. */
#ifndef DEJANK_HOOKS_TITLES_H
#define DEJANK_HOOKS_TITLES_H

#include <stddef.h>

#include "recorder/recorder.h"

/* The origin of a window's number. */
enum dj_namer { DJ_NAMER_NONE, DJ_NAMER_X11, DJ_NAMER_WAYLAND, DJ_NAMER_SDL };

/* Stores the app's name of a window: `length` bytes of UTF-8. */
void dj_titles_set_name(enum dj_namer namer, uint64_t window, const char *title,
                        size_t length);

/* Stores that the surface shows this window. By default a GLX drawable is the X window
 * of the same number. */
void dj_titles_set_surface(struct dj_surface surface, enum dj_namer namer,
                           uint64_t window);

/* Reports the title of the frame's surface, if it has an unreported one. */
void dj_titles_frame_ended(const struct dj_recorded_frame *recorded);

#endif
