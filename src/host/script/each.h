/* dejank.each(): one function on many devices at once. */
#ifndef DEJANK_SCRIPT_EACH_H
#define DEJANK_SCRIPT_EACH_H

#include <lua.h>

/* Finds devices, f and on_error at 1, 2 and 3. */
int dj_script_each(lua_State *L);

#endif
