#include "script/command_words.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

struct dj_command_words *dj_command_words_push(lua_State *L)
{
    struct dj_command_words *words = lua_newuserdatauv(L, sizeof(*words), 0);
    *words = (struct dj_command_words){.count = 0};
    return words;
}

void dj_command_words_add(lua_State *L, struct dj_command_words *words, const char *word)
{
    if (words->count == DJ_COMMAND_WORDS_MAX) {
        luaL_error(L, "more than %d words in one command", DJ_COMMAND_WORDS_MAX);
    }
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

void dj_command_words_add_value(lua_State *L, struct dj_command_words *words, int at,
                                const char *what)
{
    size_t length;
    int type = lua_type(L, at);
    if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN) {
        luaL_error(L, "%s must be a string, number or boolean, got %s", what,
                   lua_typename(L, type));
    }
    luaL_checkstack(L, LUA_MINSTACK, what);
    const char *word = luaL_tolstring(L, at, &length);
    if (strlen(word) != length) {
        luaL_error(L, "%s contains a zero byte, which is not possible in a command",
                   what);
    }
    dj_command_words_add(L, words, word);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void dj_command_words_for_each(lua_State *L, int at, const char *what,
                               void (*each)(lua_State *L, struct dj_command_words *words),
                               struct dj_command_words *words)
{
    struct dj_command_words *keys = dj_command_words_push(L);
    lua_pushnil(L);
    while (lua_next(L, at) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING ||
            strlen(lua_tostring(L, -1)) != lua_rawlen(L, -1)) {
            luaL_error(L, "%s: expected names for keys, {name = value}", what);
        }
        dj_command_words_add(L, keys,
                             /* The table at index `at` contains the string, so the
                              * garbage collector does not free it. */
                             lua_tostring(L, -1));
    }
    qsort(keys->word, (size_t)keys->count, sizeof(keys->word[0]), compare_names);
    for (int i = 0; i < keys->count; i++) {
        luaL_checkstack(L, LUA_MINSTACK, what);
        lua_pushstring(L, keys->word[i]);
        lua_pushvalue(L, -1);
        lua_rawget(L, at);
        each(L, words);
    }
}
