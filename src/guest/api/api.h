/* api: the functions that an app calls itself. dejank/frames.h and dejank/sections.h
 * declare them, and the recorder does their work. This module does not record
 * unmodified apps (hooks does). Guest code.
 *
 * libdejank and the preloaded object both contain this module and export the same
 * names. If a process has both, the preloaded object comes first in every symbol
 * look-up. The process then has one recorder, because the recorder of libdejank never
 * starts. */
#ifndef DEJANK_API_API_H
#define DEJANK_API_API_H

#include <stdbool.h>

/* Enables sections if the settings request them. Call this function after
 * dj_recorder_load(). */
void dj_api_load(void);

/* Returns true if the app's calls reach the copy of this module in the calling object. */
bool dj_api_is_reached(void);

#endif
