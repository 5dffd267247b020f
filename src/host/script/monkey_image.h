/* MonkeyImage: what takeSnapshot() gives. */
#ifndef DEJANK_SCRIPT_MONKEY_IMAGE_H
#define DEJANK_SCRIPT_MONKEY_IMAGE_H

#include <lua.h>

#include "script/image.h"

/* Pushes an empty one, to be filled by its maker; Lua frees it. */
struct dj_image *dj_monkey_image_push(lua_State *L);

/* MonkeyRunner.loadImageFromFile(path) */
int dj_monkey_image_load(lua_State *L);

#endif
