/* MonkeyImage, the class of the result of takeSnapshot(). */
#ifndef DEJANK_SCRIPT_MONKEY_IMAGE_H
#define DEJANK_SCRIPT_MONKEY_IMAGE_H

#include <lua.h>

#include "script/image.h"

/* Pushes an empty image, which the caller fills. Lua frees the image. */
struct dj_image *dj_monkey_image_push(lua_State *L);

/* Implements MonkeyRunner.loadImageFromFile(path). */
int dj_monkey_image_load(lua_State *L);

#endif
