#include "script/arguments.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static size_t count_of(const struct dj_method *method)
{
    size_t count = 0;
    while (count < DJ_PARAMETERS_MAX && method->parameters[count].name != NULL) {
        count++;
    }
    return count;
}

static bool is_string(lua_State *L, int at)
{
    size_t length;
    if (lua_type(L, at) != LUA_TSTRING && lua_type(L, at) != LUA_TNUMBER) {
        return false;
    }
    const char *string = lua_tolstring(L, at, &length);
    return strlen(string) == length;
}

static bool is_number(lua_State *L, int at)
{
    return lua_type(L, at) == LUA_TNUMBER && isfinite(lua_tonumber(L, at));
}

static bool is_integer(lua_State *L, int at)
{
    if (lua_isinteger(L, at)) {
        return true;
    }
    if (!is_number(L, at) || fabs(lua_tonumber(L, at)) >= 0x1p53) {
        return false;
    }
    lua_pushinteger(L, (lua_Integer)floor(lua_tonumber(L, at)));
    lua_replace(L, at);
    return true;
}

static bool is_table_of(lua_State *L, int at, bool (*is)(lua_State *L, int at))
{
    if (lua_type(L, at) != LUA_TTABLE) {
        return false;
    }
    lua_Integer length = (lua_Integer)lua_rawlen(L, at);
    for (lua_Integer i = 1; i <= length; i++) {
        lua_rawgeti(L, at, i);
        bool fine = is(L, lua_gettop(L));
        lua_pop(L, 1);
        if (!fine) {
            return false;
        }
    }
    return true;
}

static bool is_numbers(lua_State *L, int at)
{
    return is_table_of(L, at, is_number);
}

static bool is_strings(lua_State *L, int at)
{
    return is_table_of(L, at, is_string);
}

static bool is_map(lua_State *L, int at)
{
    return lua_type(L, at) == LUA_TTABLE;
}

static bool is_function(lua_State *L, int at)
{
    bool callable = luaL_getmetafield(L, at, "__call") != LUA_TNIL;
    if (callable) {
        lua_pop(L, 1);
    }
    return callable || lua_isfunction(L, at);
}

static bool is_any(lua_State *L, int at)
{
    return !lua_isnone(L, at);
}

/* Functions that check each kind of argument. `is` is NULL for an object of the class.
 * `table` is true if the value may be a table. */
static const struct {
    bool (*is)(lua_State *L, int at);
    const char *expected;
    bool table;
} kinds[] = {
    [DJ_ARGUMENT_STRING] = {is_string, "a string without a zero byte", false},
    [DJ_ARGUMENT_INTEGER] = {is_integer, "a whole number", false},
    [DJ_ARGUMENT_NUMBER] = {is_number, "a number", false},
    [DJ_ARGUMENT_NUMBERS] = {is_numbers, "a table of numbers such as {10, 20}", true},
    [DJ_ARGUMENT_STRINGS] = {is_strings, "a table of strings", true},
    [DJ_ARGUMENT_LIST] = {is_map, "a table", true},
    [DJ_ARGUMENT_MAP] = {is_map, "a table of names and values", true},
    [DJ_ARGUMENT_FUNCTION] = {is_function, "a function", false},
    [DJ_ARGUMENT_OBJECT] = {NULL, NULL, false},
    [DJ_ARGUMENT_ANY] = {is_any, "a value", true},
};

/* Returns the stack index of the parameter's argument, or 0 if there is no parameter with
 * this name. */
static int find_parameter(const struct dj_method *method, const char *name)
{
    for (size_t i = 0; i < count_of(method); i++) {
        const struct dj_parameter *parameter = &method->parameters[i];
        if (strcmp(parameter->name, name) == 0 ||
            (parameter->also != NULL && strcmp(parameter->also, name) == 0)) {
            return (int)i + 1;
        }
    }
    return 0;
}

static bool has_parameters_name(lua_State *L, int at, const struct dj_method *method)
{
    lua_pushnil(L);
    while (lua_next(L, at) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING &&
            find_parameter(method, lua_tostring(L, -1)) > 0) {
            lua_pop(L, 1);
            return true;
        }
    }
    return false;
}

/* Returns whether the last argument is a table of named arguments. */
static bool names_arguments(lua_State *L, const struct dj_method *method, int given)
{
    if (given == 0 || lua_type(L, given) != LUA_TTABLE) {
        return false;
    }
    if ((size_t)given > count_of(method)) {
        return has_parameters_name(L, given, method);
    }
    const struct dj_parameter *own = &method->parameters[given - 1];
    if (!kinds[own->kind].table) {
        return true;
    }
    return own->kind != DJ_ARGUMENT_MAP && has_parameters_name(L, given, method);
}

static int throw_refusal(lua_State *L, const char *class_name,
                         const struct dj_method *method, const char *what)
{
    luaL_Buffer buffer;
    /* luaL_buffinit() needs free stack space, so `what` is pushed first. */
    lua_pushstring(L, what);
    luaL_buffinit(L, &buffer);
    for (size_t i = 0; i < count_of(method); i++) {
        luaL_addstring(&buffer, i > 0 ? ", " : "");
        luaL_addstring(&buffer, method->parameters[i].name);
    }
    if (count_of(method) == 0) {
        luaL_addstring(&buffer, "none");
    }
    luaL_pushresult(&buffer);
    return luaL_error(L, "%s.%s: %s (parameters: %s)", class_name, method->name, what,
                      lua_tostring(L, -1));
}

/* Moves the named arguments in the table on top of the stack to the stack indexes of
 * their parameters. */
static void read_named_arguments(lua_State *L, const char *class_name,
                                 const struct dj_method *method)
{
    int names = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, names) != 0) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            throw_refusal(
                L, class_name, method,
                "expected arguments by name or by position, got both in one table");
        }
        const char *name = lua_tostring(L, -2);
        int position = find_parameter(method, name);
        if (position == 0) {
            throw_refusal(L, class_name, method,
                          lua_pushfstring(L, "no parameter '%s'", name));
        }
        if (!lua_isnil(L, position)) {
            throw_refusal(L, class_name, method,
                          lua_pushfstring(L, "'%s' given twice", name));
        }
        lua_replace(L, position);
    }
}

static bool is_of_kind(lua_State *L, int at, enum dj_argument_kind kind,
                       const char *class_name)
{
    return kind == DJ_ARGUMENT_OBJECT ? luaL_testudata(L, at, class_name) != NULL
                                      : kinds[kind].is(L, at);
}

static void check_argument(lua_State *L, const char *class_name,
                           const struct dj_method *method)
{
    for (size_t i = 0; i < count_of(method); i++) {
        const struct dj_parameter *parameter = &method->parameters[i];
        int at = (int)i + 1;
        bool absent = lua_isnil(L, at);
        if (absent ? parameter->required
                   : !is_of_kind(L, at, parameter->kind, class_name)) {
            const char *expected = kinds[parameter->kind].expected;
            const char *found =
                lua_type(L, at) == LUA_TSTRING ? "another string" : luaL_typename(L, at);
            throw_refusal(L, class_name, method,
                          lua_pushfstring(L, "'%s' must be %s, got %s", parameter->name,
                                          expected != NULL ? expected : class_name,
                                          absent ? "nothing" : found));
        }
    }
}

/* Returns whether the first value on the stack is the object itself, as for o:m(…), and
 * must be removed. If the first parameter of the method is an object, the only object in
 * o.m(o) is the argument. */
static bool has_object_in_front(lua_State *L, const struct dj_method *method)
{
    if (!lua_rawequal(L, 1, lua_upvalueindex(3))) {
        return false;
    }
    bool takes_object =
        count_of(method) > 0 && method->parameters[0].kind == DJ_ARGUMENT_OBJECT;
    return !takes_object || !(lua_isnoneornil(L, 2) || lua_type(L, 2) == LUA_TNUMBER);
}

static int dispatch(lua_State *L)
{
    const struct dj_method *method = lua_touserdata(L, lua_upvalueindex(1));
    const char *class_name = lua_touserdata(L, lua_upvalueindex(2));
    if (has_object_in_front(L, method)) {
        lua_remove(L, 1);
    }
    int given = lua_gettop(L);
    int count = (int)count_of(method);
    bool names = names_arguments(L, method, given);
    if (given - (names ? 1 : 0) > count) {
        return throw_refusal(L, class_name, method, "too many arguments");
    }
    luaL_checkstack(L, DJ_PARAMETERS_MAX + LUA_MINSTACK, "arguments");
    if (names) {
        lua_insert(L, 1);
        lua_settop(L, count + 1);
        lua_pushvalue(L, 1);
        lua_remove(L, 1);
        read_named_arguments(L, class_name, method);
    }
    lua_settop(L, count);
    check_argument(L, class_name, method);
    lua_pushvalue(L, lua_upvalueindex(3));
    return method->call(L);
}

void dj_method_push(lua_State *L, const char *class_name, const struct dj_method *method,
                    int object)
{
    object = lua_absindex(L, object);
    lua_pushlightuserdata(L, (void *)method);
    lua_pushlightuserdata(L, (void *)class_name);
    lua_pushvalue(L, object);
    lua_pushcclosure(L, dispatch, 3);
}

void dj_methods_set(lua_State *L, const char *class_name, const struct dj_method *methods)
{
    for (; methods->name != NULL; methods++) {
        dj_method_push(L, class_name, methods, -1);
        lua_setfield(L, -2, methods->name);
    }
}

const struct dj_method *dj_method_find(const struct dj_method *methods, const char *name)
{
    for (; methods->name != NULL; methods++) {
        if (strcmp(methods->name, name) == 0) {
            return methods;
        }
    }
    return NULL;
}

static int index_object(lua_State *L)
{
    const struct dj_method *methods = lua_touserdata(L, lua_upvalueindex(1));
    const char *class_name = lua_touserdata(L, lua_upvalueindex(2));
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const struct dj_method *method = dj_method_find(methods, name);
    if (method == NULL) {
        return luaL_error(L, "%s has no method '%s'", class_name, name);
    }
    dj_method_push(L, class_name, method, 1);
    return 1;
}

void dj_class_push(lua_State *L, const char *class_name, const struct dj_method *methods)
{
    luaL_newmetatable(L, class_name);
    lua_pushlightuserdata(L, (void *)methods);
    lua_pushlightuserdata(L, (void *)class_name);
    lua_pushcclosure(L, index_object, 2);
    lua_setfield(L, -2, "__index");
}
