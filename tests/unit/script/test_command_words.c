#include <criterion/criterion.h>
#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

#include "script/command_words.h"

static void add_pair(lua_State *L, struct dj_command_words *words)
{
    int value = lua_gettop(L);
    dj_command_words_add_value(L, words, value - 1, "a name");
    dj_command_words_add_value(L, words, value, lua_tostring(L, value - 1));
}

/* Joins the words of a table, and checks that the list ends with NULL. */
static int words_of(lua_State *L)
{
    struct dj_command_words *words = dj_command_words_push(L);
    luaL_Buffer text;
    int count = 0;
    dj_command_words_add(L, words, "first");
    dj_command_words_for_each(L, 1, "extras", add_pair, words);
    luaL_buffinit(L, &text);
    for (; words->word[count] != NULL; count++) {
        luaL_addstring(&text, count > 0 ? "|" : "");
        luaL_addstring(&text, words->word[count]);
    }
    cr_assert_eq(count, words->count);
    luaL_pushresult(&text);
    return 1;
}

static const char *result_of(const char *table)
{
    static char result[4096];
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_pushcfunction(L, words_of);
    lua_setglobal(L, "words");
    lua_pushfstring(L, "return words(%s)", table);
    if (luaL_loadstring(L, lua_tostring(L, -1)) == LUA_OK) {
        lua_pcall(L, 0, 1, 0);
    }
    snprintf(result, sizeof(result), "%s", lua_tostring(L, -1));
    lua_close(L);
    return result;
}

Test(words, are_sorted_by_name)
{
    cr_assert_str_eq(result_of("{b = 'x y', a = 1, c = true, d = 2.5}"),
                     "first|a|1|b|x y|c|true|d|2.5");
    cr_assert_str_eq(result_of("{}"), "first");
}

Test(words, are_passed_unchanged)
{
    cr_assert_str_eq(result_of("{['$(id)'] = [[';\"`x`\n\\]]}"),
                     "first|$(id)|';\"`x`\n\\");
}

Test(words, contain_no_zero_bytes)
{
    cr_assert_not_null(strstr(result_of("{a = 'x\\0y'}"), "a contains a zero byte"));
    cr_assert_not_null(strstr(result_of("{['x\\0y'] = 1}"), "expected names for keys"));
    cr_assert_not_null(strstr(result_of("{1, 2}"), "expected names for keys"));
    cr_assert_not_null(strstr(result_of("{a = {}}"),
                              "a must be a string, number or boolean, got table"));
}

Test(words, are_limited_in_number)
{
    cr_assert_not_null(strstr(result_of("(function() local t = {} for i = 1, 600 do "
                                        "t['k' .. i] = i end return t end)()"),
                              "more than 1024 words"));
    cr_assert_eq(
        strncmp(
            result_of("(function() local t = {} for i = 1, 500 do t['k' .. i] = i end "
                      "return t end)()"),
            "first|k1|1|k10|10|", 18),
        0);
}
