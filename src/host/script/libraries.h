/* The globals of a script: each a table in its own file. */
#ifndef DEJANK_SCRIPT_LIBRARIES_H
#define DEJANK_SCRIPT_LIBRARIES_H

#include "script/arguments.h"

/* The methods of each, to the first without a name. */
extern const struct dj_method dj_monkey_runner_methods[];
extern const struct dj_method dj_monkey_device_methods[];
extern const struct dj_method dj_monkey_image_methods[];
extern const struct dj_method dj_monkey_view_methods[];
extern const struct dj_method dj_hierarchy_viewer_methods[];
extern const struct dj_method dj_easy_device_methods[];
extern const struct dj_method dj_dejank_methods[];

/* Opens all of them. */
void dj_script_open_libraries(lua_State *L);

/* Each pushes what becomes the global of its name. */
int dj_open_monkey_runner(lua_State *L);
int dj_open_monkey_device(lua_State *L);
int dj_open_monkey_image(lua_State *L);
int dj_open_monkey_view(lua_State *L);
int dj_open_hierarchy_viewer(lua_State *L);
int dj_open_easy_device(lua_State *L);
int dj_open_by(lua_State *L);
int dj_open_dejank(lua_State *L);

#endif
