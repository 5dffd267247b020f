/* MonkeyRunner: waits, talks to the user, and finds a device. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "script/arguments.h"
#include "script/libraries.h"
#include "script/monkey/device.h"
#include "script/monkey/device_match.h"
#include "script/monkey/image.h"
#include "script/state.h"

/* Shows a text to the user. MonkeyRunner showed windows. */
static void show(lua_State *L, const char *text)
{
    struct dj_script *script = dj_script_get(L);
    const struct dj_script_dialogs *dialogs = script->options->dialogs;
    if (dialogs != NULL) {
        dj_script_wait_begin(L);
        dj_script_lock_acquire(&script->dialog_lock);
        dialogs->show(dialogs->user, text);
        dj_script_lock_release(&script->dialog_lock);
        dj_script_wait_end(L);
    }
}

/* Pushes the line and returns true. Returns false if the user cancelled. */
static bool read_line(lua_State *L, const char *prompt)
{
    struct dj_script *script = dj_script_get(L);
    const struct dj_script_dialogs *dialogs = script->options->dialogs;
    struct dj_text line = {0};
    struct dj_error err = {0};
    int code = DJ_E_NO_DATA;
    dj_script_check_interrupt(L);
    if (dialogs != NULL) {
        dj_script_wait_begin(L);
        dj_script_lock_acquire(&script->dialog_lock);
        code = dialogs->read_line(dialogs->user, prompt, &line, &err);
        dj_script_lock_release(&script->dialog_lock);
        dj_script_wait_end(L);
    }
    if (code == 0) {
        lua_pushlstring(L, dj_xtext(&line), line.length);
    }
    dj_text_finish(&line);
    dj_script_check_interrupt(L);
    if (code != 0 && code != DJ_E_NO_DATA) {
        dj_script_throw(L, NULL, &err);
    }
    return code == 0;
}

static int alert(lua_State *L)
{
    show(L,
         lua_pushfstring(L, "%s: %s", luaL_optstring(L, 2, "Alert"), lua_tostring(L, 1)));
    read_line(L, lua_pushfstring(L, "[%s] ", luaL_optstring(L, 3, "OK")));
    return 0;
}

static int input(lua_State *L)
{
    const char *initial = luaL_optstring(L, 2, "");
    const char *prompt =
        lua_pushfstring(L, initial[0] != '\0' ? "%s: %s [%s] " : "%s: %s ",
                        luaL_optstring(L, 3, "Input"), lua_tostring(L, 1), initial);
    if (!read_line(L, prompt)) {
        lua_pushnil(L);
        return 1;
    }
    if (lua_rawlen(L, -1) == 0) {
        lua_pushstring(L, initial);
    }
    return 1;
}

static int choice(lua_State *L)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    luaL_Buffer list;
    const char *title = luaL_optstring(L, 3, "Input");
    luaL_buffinit(L, &list);
    lua_pushfstring(L, "%s: %s", title, lua_tostring(L, 1));
    luaL_addvalue(&list);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, 2, i + 1);
        lua_pushfstring(L, "\n  %I  %s", i, lua_tostring(L, -1));
        lua_remove(L, -2);
        luaL_addvalue(&list);
    }
    luaL_pushresult(&list);
    show(L, lua_tostring(L, -1));
    while (read_line(L, "number: ")) {
        lua_Integer number;
        int fine = 0;
        number = lua_tointegerx(L, -1, &fine);
        if (fine && number >= 0 && number < count) {
            lua_pushinteger(L, number);
            return 1;
        }
        lua_pop(L, 1);
    }
    lua_pushinteger(L, -1);
    return 1;
}

static int help(lua_State *L)
{
    const char *format = luaL_optstring(L, 1, "text");
    if (strcmp(format, "text") != 0 && strcmp(format, "html") != 0) {
        return luaL_error(L, "help: format must be 'text' or 'html', not '%s'", format);
    }
    dj_libraries_push_reference(L, strcmp(format, "html") == 0);
    return 1;
}

static int sleep_seconds(lua_State *L)
{
    lua_Number seconds = lua_tonumber(L, 1);
    if (seconds < 0 || seconds > 1e9) {
        return luaL_error(L, "sleep: expected seconds from 0 to 1e9");
    }
    dj_script_sleep(L, (int64_t)llround(seconds * 1e9));
    return 0;
}

/* Pause between two attempts. It is the same as in MonkeyRunner. */
#define RETRY_NS (200 * DJ_MILLISECOND_NS)

/* Returns whether the same call may succeed soon, because the device may be connected or
 * authorized in a moment. */
static bool may_appear(int code)
{
    return code == DJ_E_NOT_FOUND || code == DJ_E_GONE || code == DJ_E_OWNER;
}

/* Opens the device of the --device option if it matches `wanted`. Otherwise opens the
 * first device that matches. */
static int open_wanted(const char *wanted, const char *own, struct dj_device **device,
                       struct dj_error *err)
{
    if (own != NULL &&
        (wanted == NULL || dj_monkey_device_match(wanted, own, err) == 0)) {
        return dj_monkey_device_open_match(own, false, device, err);
    }
    return dj_monkey_device_open_match(wanted, wanted != NULL, device, err);
}

static int acquire_device(lua_State *L, struct dj_device *device)
{
    struct dj_error err = {0};
    if (dj_script_lease_device(dj_script_get(L), &device, &err) != 0) {
        return dj_script_throw(L, "waitForConnection", &err);
    }
    dj_monkey_device_push(L, device);
    return 1;
}

static int wait_for_connection(lua_State *L)
{
    struct dj_script *script = dj_script_get(L);
    const char *wanted = luaL_optstring(L, 2, NULL);
    lua_Number timeout_s = luaL_optnumber(L, 1, HUGE_VAL);
    int64_t end_ns =
        timeout_s < 1e9 ? dj_host_now_ns() + (int64_t)(timeout_s * 1e9) : INT64_MAX;
    struct dj_error err = {0};
    bool is_shown = false;
    int code = wanted != NULL ? dj_monkey_device_check_pattern(wanted, &err) : 0;
    if (code != 0) {
        return dj_script_throw(L, "waitForConnection", &err);
    }
    if (script->lent != NULL) {
        dj_monkey_device_push_lent(L, script->lent, wanted);
        return 1;
    }
    for (;;) {
        struct dj_device *device = NULL;
        dj_script_check_interrupt(L);
        dj_script_wait_begin(L);
        code = open_wanted(wanted, script->options->device, &device, &err);
        dj_script_wait_end(L);
        if (code == 0) {
            return acquire_device(L, device);
        }
        if (!may_appear(code)) {
            return dj_script_throw(L, "waitForConnection", &err);
        }
        if (dj_host_now_ns() >= end_ns) {
            lua_pushnil(L);
            return 1;
        }
        if (!is_shown) {
            show(L, lua_pushfstring(L, "waiting for a device: %s", err.message));
            is_shown = true;
        }
        dj_script_sleep(L, RETRY_NS);
    }
}

static const struct dj_method functions[] = {
    {"alert",
     alert,
     {DJ_REQUIRED("message", STRING), DJ_OPTIONAL("title", STRING),
      DJ_OPTIONAL("okTitle", STRING)}},
    {"choice",
     choice,
     {DJ_REQUIRED("message", STRING), DJ_REQUIRED("choices", STRINGS),
      DJ_OPTIONAL("title", STRING)}},
    {"help", help, {DJ_OPTIONAL("format", STRING)}},
    {"input",
     input,
     {DJ_REQUIRED("message", STRING), DJ_OPTIONAL("initialValue", STRING),
      DJ_OPTIONAL("title", STRING), DJ_OPTIONAL("okTitle", STRING),
      DJ_OPTIONAL("cancelTitle", STRING)}},
    {"loadImageFromFile", dj_monkey_image_load, {DJ_REQUIRED("path", STRING)}},
    {"sleep", sleep_seconds, {DJ_REQUIRED("seconds", NUMBER)}},
    {"waitForConnection",
     wait_for_connection,
     {DJ_OPTIONAL("timeout", NUMBER),
      {"deviceId", "deviceIdRegex", DJ_ARGUMENT_STRING, false}}},
    {NULL, NULL, {DJ_NOTHING}},
};

const struct dj_script_library dj_monkey_runner_library = {.name = "MonkeyRunner",
                                                           .functions = functions};
