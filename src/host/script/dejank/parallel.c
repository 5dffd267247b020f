/* Implements dejank.each(). Each device has its own operating-system thread and its own
 * Lua thread. Only one thread runs Lua at a time, but all threads can wait for their
 * devices at the same time. */
#include <lauxlib.h>
#include <pthread.h>
#include <string.h>

#include "memory/memory.h"
#include "script/libraries.h"
#include "script/monkey/device.h"
#include "script/state.h"

enum { DEVICES_MAX = 256, STACK_BYTES = 512 * 1024, INSTRUCTIONS_PER_LOOK = 1000 };

enum { DEVICES = 1, FUNCTION, ON_ERROR };

static const char what[] = "dejank.each";

/* The work for one device. */
struct branch {
    /* The Lua thread of this device. Its stack has the function, the device or its
     * selector, and the device's number. After the call, it has the function's result. */
    lua_State *L;
    pthread_t thread;
    bool started;
    /* The error of the call. Its code is 0 if there was no failure. */
    struct dj_error failure;
    char name[128];
};

/* Opens the device if the value at the index `at` is a selector, and replaces the
 * selector by the device. */
static void open_device(lua_State *L, int at)
{
    struct dj_device *device = NULL;
    struct dj_error err = {0};
    if (lua_type(L, at) != LUA_TSTRING) {
        return;
    }
    const char *selector = lua_tostring(L, at);
    dj_script_check_interrupt(L);
    dj_script_wait_begin(L);
    int code = dj_device_open(selector, &device, &err);
    dj_script_wait_end(L);
    code = code == 0 ? dj_script_lease_device(dj_script_get(L), &device, &err) : code;
    dj_script_throw_failure(L, code, NULL, &err);
    dj_monkey_device_push(L, device);
    lua_replace(L, at);
}

static int call_function(lua_State *L)
{
    open_device(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

static int note_failure(lua_State *L)
{
    struct branch *branch = lua_touserdata(L, lua_upvalueindex(1));
    dj_script_describe_error(L, &branch->failure);
    return 1;
}

static void *run_branch(void *user)
{
    struct branch *branch = user;
    lua_State *L = branch->L;
    struct dj_script *script = dj_script_get(L);
    dj_script_lock_acquire(&script->lock);
    /* Changes the stack from (function, device, number) to (note_failure, call_function,
     * function, device, number). */
    lua_pushlightuserdata(L, branch);
    lua_pushcclosure(L, note_failure, 1);
    lua_insert(L, 1);
    lua_pushcfunction(L, call_function);
    lua_insert(L, 2);
    int status = lua_pcall(L, 3, 1, 1);
    if (status != LUA_OK && branch->failure.code == 0) {
        dj_error_set(&branch->failure, DJ_E_NO_MEMORY, "out of memory");
    }
    dj_script_lock_release(&script->lock);
    return NULL;
}

/* Creates the work for one device. The table at index `threads` contains the Lua thread,
 * so the garbage collector does not free it. */
static void create_branch(lua_State *L, struct branch *branches, size_t index,
                          int threads)
{
    struct branch *branch = &branches[index];
    lua_rawgeti(L, DEVICES, (lua_Integer)index + 1);
    int at = lua_gettop(L);
    struct dj_monkey_device *device = luaL_testudata(L, at, dj_monkey_device_class);
    if (device == NULL && lua_type(L, at) != LUA_TSTRING) {
        luaL_error(L, "%s: devices[%d] must be a MonkeyDevice or a device's name, got %s",
                   what, (int)index + 1, luaL_typename(L, at));
    }
    snprintf(branch->name, sizeof(branch->name), "%s",
             device != NULL ? dj_monkey_device_check(L, at)->device->name
                            : lua_tostring(L, at));
    /* The same device must not be in two branches. */
    for (size_t i = 0; i < index; i++) {
        if (strcmp(branches[i].name, branch->name) == 0) {
            luaL_error(L, "%s: device %s is listed twice", what, branch->name);
        }
    }
    branch->L = lua_newthread(L);
    lua_rawseti(L, threads, (lua_Integer)index + 1);
    lua_sethook(branch->L, lua_gethook(L), LUA_MASKCOUNT, INSTRUCTIONS_PER_LOOK);
    lua_pushvalue(L, FUNCTION);
    lua_pushvalue(L, at);
    lua_pushinteger(L, (lua_Integer)index + 1);
    lua_xmove(L, branch->L, 3);
    lua_settop(L, at - 1);
}

/* Runs all branches and waits for them. Must not throw before the last thread has
 * ended. */
static void run_all(lua_State *L, struct branch *branches, size_t count)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (size_t i = 0; i < count; i++) {
        int refused =
            pthread_create(&branches[i].thread, &attributes, run_branch, &branches[i]);
        branches[i].started = refused == 0;
        if (refused != 0) {
            dj_error_set(&branches[i].failure, DJ_E_LIMIT, "cannot start a thread: %s",
                         strerror(refused));
        }
    }
    pthread_attr_destroy(&attributes);
    dj_script_wait_begin(L);
    for (size_t i = 0; i < count; i++) {
        if (branches[i].started) {
            pthread_join(branches[i].thread, NULL);
        }
    }
    dj_script_wait_end(L);
}

static void throw_failures(lua_State *L, const struct branch *branches, size_t count)
{
    struct dj_error err = {0};
    struct dj_text list = {0};
    size_t failed = 0;
    int code = 0;
    for (size_t i = 0; i < count; i++) {
        if (branches[i].failure.code != 0) {
            code = code == 0 ? branches[i].failure.code : code;
            dj_text_format(&list, "%s%s: %s", failed++ > 0 ? "; " : "", branches[i].name,
                           branches[i].failure.message);
        }
    }
    if (failed > 0) {
        dj_error_set(&err, code, "%zu of %zu devices failed: %s", failed, count,
                     dj_xtext(&list));
    }
    dj_text_finish(&list);
    if (failed > 0) {
        dj_script_throw(L, what, &err);
    }
}

int dj_script_run_parallel(lua_State *L)
{
    size_t count = lua_rawlen(L, DEVICES);
    if (count > DEVICES_MAX) {
        return luaL_error(L, "%s: more than %d devices", what, DEVICES_MAX);
    }
    struct branch *branches = lua_newuserdatauv(L, (count + 1) * sizeof(*branches), 0);
    memset(branches, 0, (count + 1) * sizeof(*branches));
    lua_newtable(L);
    int threads = lua_gettop(L);
    for (size_t i = 0; i < count; i++) {
        create_branch(L, branches, i, threads);
    }
    run_all(L, branches, count);
    dj_script_check_interrupt(L);
    if (lua_isnil(L, ON_ERROR)) {
        throw_failures(L, branches, count);
    }
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        if (branches[i].failure.code == 0) {
            lua_xmove(branches[i].L, L, 1);
        } else {
            /* The return value of on_error replaces the result. */
            lua_pushvalue(L, ON_ERROR);
            lua_pushstring(L, branches[i].name);
            lua_pushstring(L, branches[i].failure.message);
            lua_call(L, 2, 1);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
