/* The functions that the sources run at the end of every frame of their thread
 * (load.c). */
#ifndef DEJANK_HOOKS_SOURCES_H
#define DEJANK_HOOKS_SOURCES_H

#include "recorder/recorder.h"

dj_frame_watcher dj_sdl_frame_ended;
dj_frame_watcher dj_wayland_frame_ended;
dj_frame_watcher dj_x11_frame_ended;

#endif
