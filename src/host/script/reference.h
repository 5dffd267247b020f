/* MonkeyRunner.help(): the methods there are, from the tables that make them. */
#ifndef DEJANK_SCRIPT_REFERENCE_H
#define DEJANK_SCRIPT_REFERENCE_H

#include <lua.h>
#include <stdbool.h>

/* Pushes the text. */
void dj_reference_push(lua_State *L, bool html);

#endif
