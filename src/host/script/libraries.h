/* The global libraries of a script. Each library is defined in its own file. */
#ifndef DEJANK_SCRIPT_LIBRARIES_H
#define DEJANK_SCRIPT_LIBRARIES_H

#include <lauxlib.h>
#include <stdbool.h>

#include "script/arguments.h"

/* A global library. If the library lacks something, the member is NULL. */
struct dj_script_library {
    const char *name; /* Name of the global table and of the class. */
    /* Functions of the table. The array ends with the first element without a name. */
    const struct dj_method *functions;
    /* Methods of the class's objects. The array ends with the first element without a
     * name. */
    const struct dj_method *methods;
    const luaL_Reg *metamethods;  /* Metamethods of the class. */
    void (*extend)(lua_State *L); /* Changes the table, which is on top of the stack. */
};

extern const struct dj_script_library dj_monkey_runner_library;
extern const struct dj_script_library dj_monkey_device_library;
extern const struct dj_script_library dj_monkey_image_library;
extern const struct dj_script_library dj_monkey_view_library;
extern const struct dj_script_library dj_hierarchy_viewer_library;
extern const struct dj_script_library dj_easy_device_library;
extern const struct dj_script_library dj_by_library;
extern const struct dj_script_library dj_dejank_library;

/* Implements dejank.each(), which calls one function for many devices at the same time.
 * Expects the devices, the function and on_error at the indexes 1, 2 and 3. */
int dj_script_run_parallel(lua_State *L);
/* Implements dejank.window(). Expects the table of options at the index 1. */
int dj_script_measure_window(lua_State *L);

/* Opens all libraries. */
void dj_libraries_open(lua_State *L);

/* Implements MonkeyRunner.help(). Pushes the reference of all methods. */
void dj_libraries_push_reference(lua_State *L, bool html);

#endif
