/* The functions that run at the end of every frame, on the thread of the frame
 * (load.c). */
#ifndef DEJANK_HOOKS_SOURCES_H
#define DEJANK_HOOKS_SOURCES_H

#include "recorder/recorder.h"

dj_frame_watcher dj_sdl_frame_ended;
dj_frame_watcher dj_wayland_frame_ended;
dj_frame_watcher dj_x11_frame_ended;

#endif
