/* The global libraries of a script. Each one is defined in its own file. */
#ifndef DEJANK_SCRIPT_LIBRARIES_H
#define DEJANK_SCRIPT_LIBRARIES_H

#include <lauxlib.h>
#include <stdbool.h>

#include "script/arguments.h"

/* NULL fields: the library has none. */
struct dj_script_library {
    const char *name;                  /* of the global table and of the class */
    const struct dj_method *functions; /* functions of the table; ends at the first one
                                        * without a name */
    const struct dj_method *methods;   /* methods of the class's objects; ends in the
                                        * same way */
    const luaL_Reg *metamethods;       /* of the class */
    void (*extend)(lua_State *L);      /* changes the table, which is on top of the
                                        * stack */
};

extern const struct dj_script_library dj_monkey_runner_library;
extern const struct dj_script_library dj_monkey_device_library;
extern const struct dj_script_library dj_monkey_image_library;
extern const struct dj_script_library dj_monkey_view_library;
extern const struct dj_script_library dj_hierarchy_viewer_library;
extern const struct dj_script_library dj_easy_device_library;
extern const struct dj_script_library dj_by_library;
extern const struct dj_script_library dj_dejank_library;

/* dejank.each(): calls one function for many devices at the same time. Expects the
 * devices, the function and on_error at 1, 2 and 3. */
int dj_script_run_parallel(lua_State *L);
/* Expects the table of options at 1. */
int dj_script_measure_window(lua_State *L);

/* Opens all libraries. */
void dj_libraries_open(lua_State *L);

/* MonkeyRunner.help(): pushes the reference of all methods. */
void dj_libraries_push_reference(lua_State *L, bool html);

#endif
