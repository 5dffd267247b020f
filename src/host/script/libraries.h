/* The globals of a script: each is described in its own file. */
#ifndef DEJANK_SCRIPT_LIBRARIES_H
#define DEJANK_SCRIPT_LIBRARIES_H

#include <lauxlib.h>
#include <stdbool.h>

#include "script/arguments.h"

/* NULL: it has none of these. */
struct dj_library {
    const char *name;                  /* of the global table, and of the class */
    const struct dj_method *functions; /* of the table, to the first without a name */
    const struct dj_method *methods;   /* of the class's objects, in the same form */
    const luaL_Reg *metamethods;       /* of the class */
    void (*extend)(lua_State *L);      /* changes the table, which is on top */
};

extern const struct dj_library dj_monkey_runner_library;
extern const struct dj_library dj_monkey_device_library;
extern const struct dj_library dj_monkey_image_library;
extern const struct dj_library dj_monkey_view_library;
extern const struct dj_library dj_hierarchy_viewer_library;
extern const struct dj_library dj_easy_device_library;
extern const struct dj_library dj_by_library;
extern const struct dj_library dj_dejank_library;

/* dejank.each(), one function on many devices at once: finds devices, f and on_error at
 * 1, 2 and 3. */
int dj_script_each(lua_State *L);
/* Finds the table of options at 1. */
int dj_script_window(lua_State *L);

/* Opens all of them. */
void dj_script_open_libraries(lua_State *L);

/* MonkeyRunner.help(): pushes the text about the methods there are. */
void dj_reference_push(lua_State *L, bool html);

#endif
