#include <criterion/criterion.h>
#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

#include "script/arguments.h"

/* All methods return their arguments as a text, for example "1,2,nil". */
static int describe_arguments(lua_State *L)
{
    int count = lua_gettop(L) - 1; /* The object follows the arguments. */
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 1; i <= count; i++) {
        luaL_addstring(&text, i > 1 ? "," : "");
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    return 1;
}

static int count_table(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
    return 1;
}

static int is_same(lua_State *L)
{
    lua_pushboolean(L, lua_rawequal(L, 1, 3));
    return 1;
}

static const struct dj_method methods[] = {
    {"touch",
     describe_arguments,
     {{"x", NULL, DJ_ARGUMENT_INTEGER, true},
      {"y", NULL, DJ_ARGUMENT_INTEGER, true},
      {"type", NULL, DJ_ARGUMENT_STRING, false}}},
    {"none", describe_arguments, {{NULL, NULL, DJ_ARGUMENT_ANY, false}}},
    {"wait",
     describe_arguments,
     {{"timeout", NULL, DJ_ARGUMENT_NUMBER, false},
      {"deviceId", "deviceIdRegex", DJ_ARGUMENT_STRING, false}}},
    {"point", count_table, {{"at", NULL, DJ_ARGUMENT_NUMBERS, true}}},
    {"list", count_table, {{"words", NULL, DJ_ARGUMENT_STRINGS, false}}},
    {"extras",
     describe_arguments,
     {{"name", NULL, DJ_ARGUMENT_STRING, true}, {"args", NULL, DJ_ARGUMENT_MAP, false}}},
    {"same",
     is_same,
     {{"other", NULL, DJ_ARGUMENT_OBJECT, true},
      {"percent", NULL, DJ_ARGUMENT_NUMBER, false}}},
    {"call", describe_arguments, {{"f", NULL, DJ_ARGUMENT_FUNCTION, true}}},
    {NULL, NULL, {{NULL, NULL, DJ_ARGUMENT_ANY, false}}},
};

static const char class_name[] = "Thing";

/* Returns the result or the error of an expression. The expression can use two objects,
 * `o` and `p`, of class Thing. */
static const char *result_of(const char *expression)
{
    static char result[400];
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    dj_class_push(L, class_name, methods);
    for (int i = 0; i < 2; i++) {
        lua_newuserdatauv(L, 1, 0);
        luaL_setmetatable(L, class_name);
        lua_setglobal(L, i == 0 ? "o" : "p");
    }
    lua_newtable(L);
    dj_methods_set(L, class_name, methods);
    lua_setglobal(L, "Static");
    lua_pushfstring(L, "return %s", expression);
    if (luaL_dostring(L, lua_tostring(L, -1)) != LUA_OK) {
        snprintf(result, sizeof(result), "%s", lua_tostring(L, -1));
    } else {
        snprintf(result, sizeof(result), "%s", luaL_tolstring(L, -1, NULL));
    }
    lua_close(L);
    return result;
}

#define GIVES(expression, expected) cr_expect_str_eq(result_of(expression), expected)
#define SAYS(expression, part)                                                           \
    do {                                                                                 \
        const char *text = result_of(expression);                                        \
        cr_expect(strstr(text, part) != NULL, "%s said: %s", expression, text);          \
    } while (0)

Test(arguments, a_dot_and_a_colon_are_equal)
{
    GIVES("o:touch(1, 2)", "1,2,nil");
    GIVES("o.touch(1, 2)", "1,2,nil");
    GIVES("o.touch(1, 2, 'down')", "1,2,down");
    GIVES("o:none()", "");
    GIVES("o.none()", "");
    GIVES("Static.touch(3, 4)", "3,4,nil");
    GIVES("Static:touch(3, 4)", "3,4,nil");
}

Test(arguments, arguments_can_be_named)
{
    GIVES("o:touch{x = 1, y = 2}", "1,2,nil");
    GIVES("o.touch{y = 2, x = 1, type = 'up'}", "1,2,up");
    GIVES("o:touch(1, {y = 5})", "1,5,nil");
    GIVES("o:touch(1, 2, {type = 'up'})", "1,2,up");
    GIVES("o:wait{deviceIdRegex = 'e.*'}", "nil,e.*");
    GIVES("o:wait{deviceId = 'e.*', timeout = 1.5}", "1.5,e.*");
    GIVES("o:wait{}", "nil,nil");
    GIVES("o:wait()", "nil,nil");
    GIVES("o:wait(nil, 'x')", "nil,x");
}

Test(arguments, unknown_names_are_errors)
{
    SAYS("o:touch{x = 1, y = 2, z = 3}",
         "Thing.touch: no parameter 'z' (parameters: x, y, type)");
    SAYS("o:touch(1, {x = 5})", "'x' given twice");
    SAYS("o:touch({1, 2})", "got both in one table");
    SAYS("o:none{x = 1}", "too many arguments (parameters: none)");
    SAYS("o:wait{deviceId = 'a', deviceIdRegex = 'b'}", "given twice");
}

Test(arguments, missing_extra_and_wrong_arguments_are_errors)
{
    SAYS("o:touch(1)", "[string \"return o:touch(1)\"]:1: Thing.touch: 'y' must be a "
                       "whole number, got nothing");
    SAYS("o:touch()", "'x' must be a whole number, got nothing");
    SAYS("o:touch(1, 2, 'up', 4)", "too many arguments");
    SAYS("o:touch('left', 2)", "'x' must be a whole number");
    SAYS("o:touch(1, true)", "'y' must be a whole number, got boolean");
    SAYS("o:touch(0/0, 1)", "'x' must be a whole number, got number");
    SAYS("o:touch(math.huge, 1)", "'x' must be a whole number");
    SAYS("o:wait(1/0)", "'timeout' must be a number");
    SAYS("o:call('f')", "'f' must be a function");
    SAYS("o:nothing()", "Thing has no method 'nothing'");
    SAYS("o[1]", "Thing has no method ''");
}

Test(arguments, fractions_are_rounded_down)
{
    GIVES("o:touch(1081 / 2, -1 / 2)", "540,-1,nil");
}

Test(arguments, numbers_become_strings_and_zero_bytes_are_errors)
{
    GIVES("o:touch(1, 2, 82)", "1,2,82");
    SAYS("o:touch(1, 2, 'a\\0b')",
         "'type' must be a string without a zero byte, got another string");
    SAYS("o:list{'a\\0b'}", "'words' must be a table of strings");
}

Test(arguments, tables_can_be_values)
{
    GIVES("o:point{10, 20}", "2");
    GIVES("o:point{at = {10, 20, 30}}", "3");
    SAYS("o:point{10, 'x'}", "'at' must be a table of numbers such as {10, 20}");
    SAYS("o:point(10, 20)", "too many arguments");
    GIVES("o:list{'a', 'b'}", "2");
    GIVES("o:list{}", "0");
    GIVES("o:list{words = {'a'}}", "1");
    SAYS("o:list{'a', words = {'a'}}", "got both in one table");
    SAYS("o:extras('n', 5)", "'args' must be a table of names and values");
    SAYS("o:extras('n', {name = 'not a parameter here'})", "n,table");
    SAYS("o:extras{name = 'n', args = {name = 1}}", "n,table");
}

Test(arguments, an_object_can_be_its_own_argument)
{
    GIVES("o:same(o)", "true");
    GIVES("o.same(o)", "true");
    GIVES("o.same(o, 0.9)", "true");
    GIVES("o:same(p)", "false");
    GIVES("o.same(p)", "false");
    GIVES("o:same{other = o, percent = 1}", "true");
    SAYS("o:same('o')", "'other' must be Thing, got");
    SAYS("Static.same()", "'other' must be Thing, got nothing");
}

Test(arguments, a_method_can_be_stored_in_a_variable)
{
    GIVES("(function() local t = o.touch; return t(7, 8) end)()", "7,8,nil");
}
