/* dejank.window{}: an interval of a device's clock, and the frames drawn in it. */
#ifndef DEJANK_SCRIPT_WINDOW_H
#define DEJANK_SCRIPT_WINDOW_H

#include <lua.h>

/* Finds the table of options at 1. */
int dj_script_window(lua_State *L);

#endif
