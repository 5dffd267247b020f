/*
 * Window titles as the app itself set them: what it named, and which surface shows that.
 * Nothing is asked of a window system. Any thread; a title that another thread is just
 * writing is taken with a later frame.
 */
#ifndef DEJANK_HOOKS_TITLES_H
#define DEJANK_HOOKS_TITLES_H

#include <stddef.h>

#include "recorder/recorder.h"

/* Who numbers the windows. */
enum dj_namer { DJ_NAMER_NONE, DJ_NAMER_X11, DJ_NAMER_WAYLAND, DJ_NAMER_SDL };

/* The app named its window so: `length` bytes of UTF-8. */
void dj_titles_name(enum dj_namer namer, uint64_t window, const char *title,
                    size_t length);

/* The surface shows this window. A GLX drawable that nobody said this of is the X window
 * of its number. */
void dj_titles_shows(struct dj_surface surface, enum dj_namer namer, uint64_t window);

/* A frame ended: names its surface where that has a title not told yet. */
void dj_titles_frame_ended(const struct dj_recorded *recorded);

#endif
