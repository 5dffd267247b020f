/* api: the functions that an app calls itself, declared in dejank/frames.h and
 * dejank/sections.h, on top of the recorder. It does not record unmodified apps (hooks
 * does). Guest code.
 *
 * libdejank and the preloaded object both contain this module and export the same
 * names. If a process has both, the preloaded one comes first in every symbol look-up.
 * So there is one recorder, and the library's own recorder never starts. */
#ifndef DEJANK_API_API_H
#define DEJANK_API_API_H

#include <stdbool.h>

/* Switches sections on if they are requested. Call it after dj_recorder_load(). */
void dj_api_load(void);

/* Returns whether the app's calls reach the copy of this module in the calling object. */
bool dj_api_is_reached(void);

#endif
