/*
 * api: what an app calls by itself — the functions of dejank/frames.h and
 * dejank/sections.h on top of the recorder. Not what catches an unmodified app (hooks).
 * Guest code.
 *
 * Both libdejank and the preloaded object hold this room and export the same names. Where
 * both are in a process, the preloaded one comes first in every look-up: there is one
 * recorder, and the library's own is never started.
 */
#ifndef DEJANK_API_API_H
#define DEJANK_API_API_H

#include <stdbool.h>

/* Switches the sections on where they are wanted. After dj_recorder_load(). */
void dj_api_load(void);

/* True where the app's calls reach the copy of this room in the calling object. */
bool dj_api_is_reached(void);

#endif
