#include "script/monkey/device.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "script/libraries.h"
#include "script/monkey/device_match.h"
#include "script/monkey/device_methods.h"
#include "script/state.h"

const char dj_monkey_device_class[] = "MonkeyDevice";

static void push_device(lua_State *L, struct dj_device *device, bool lent)
{
    struct dj_monkey_device *self = lua_newuserdatauv(L, sizeof(*self), 0);
    *self = (struct dj_monkey_device){.device = device, .lent = lent};
    luaL_setmetatable(L, dj_monkey_device_class);
}

void dj_monkey_device_push(lua_State *L, struct dj_device *device)
{
    device->interrupt = dj_script_get(L)->interrupt;
    push_device(L, device, false);
}

void dj_monkey_device_push_lent(lua_State *L, struct dj_device *device,
                                const char *wanted)
{
    struct dj_error err = {0};
    if (wanted != NULL && strcmp(wanted, device->name) != 0) {
        int code = dj_monkey_device_match(wanted, device->name, &err);
        if (code != 0) {
            dj_error_prepend(
                &err, "within 'dejank run', a script can use only the device of the run");
            dj_script_throw(L, "waitForConnection", &err);
        }
    }
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, device) == LUA_TNIL) {
        lua_pop(L, 1);
        push_device(L, device, true);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, device);
    }
}

struct dj_monkey_device *dj_monkey_device_check(lua_State *L, int at)
{
    struct dj_monkey_device *self = luaL_checkudata(L, at, dj_monkey_device_class);
    if (self->device == NULL) {
        luaL_error(L, "this MonkeyDevice is closed");
    }
    return self;
}

void dj_monkey_device_acquire(lua_State *L, struct dj_monkey_device *self)
{
    dj_script_check_interrupt(L);
    if (self->busy) {
        luaL_error(L, "%s is in use by another thread of this script",
                   self->device->name);
    }
    self->busy = true;
    dj_script_wait_begin(L);
}

void dj_monkey_device_release(lua_State *L, struct dj_monkey_device *self)
{
    dj_script_wait_end(L);
    self->busy = false;
}

int dj_monkey_device_shell(lua_State *L, struct dj_monkey_device *self,
                           const char *const *argv, int64_t timeout_ns,
                           struct dj_device_result *result, struct dj_error *err)
{
    dj_monkey_device_acquire(L, self);
    int code = dj_device_run(self->device, argv, timeout_ns, result, err);
    dj_monkey_device_release(L, self);
    return code;
}

int64_t dj_monkey_device_clock(lua_State *L, struct dj_monkey_device *self,
                               const char *what, int64_t *uncertainty_ns)
{
    int64_t dev_ns = 0;
    struct dj_error err = {0};
    dj_monkey_device_acquire(L, self);
    int code = dj_device_read_clock(self->device, &dev_ns, uncertainty_ns, &err);
    dj_monkey_device_release(L, self);
    dj_script_throw_failure(L, code, what, &err);
    return dev_ns;
}

void dj_monkey_device_push_output(lua_State *L, const struct dj_device_result *result)
{
    luaL_Buffer output;
    luaL_buffinit(L, &output);
    luaL_addlstring(&output, dj_text_get(&result->out), result->out.length);
    luaL_addlstring(&output, dj_text_get(&result->err), result->err.length);
    while (luaL_bufflen(&output) > 0 &&
           isspace((unsigned char)luaL_buffaddr(&output)[luaL_bufflen(&output) - 1])) {
        luaL_buffsub(&output, 1);
    }
    luaL_pushresult(&output);
}

int dj_monkey_device_run(lua_State *L, struct dj_monkey_device *self, const char *what,
                         const char *const *argv, int64_t timeout_ns)
{
    struct dj_device_result result = {0};
    struct dj_error err = {0};
    int code = dj_monkey_device_shell(L, self, argv, timeout_ns, &result, &err);
    dj_monkey_device_push_output(L, &result);
    int exit_code = result.exit_code;
    dj_device_result_finish(&result);
    return code == 0 ? exit_code : dj_script_throw(L, what, &err);
}

static int close_device(lua_State *L)
{
    struct dj_monkey_device *self = luaL_checkudata(L, 1, dj_monkey_device_class);
    dj_drive_injector_close(self->injector);
    self->injector = NULL;
    if (!self->lent) {
        dj_device_close(self->device);
    }
    self->device = NULL;
    return 0;
}

static int describe_device(lua_State *L)
{
    const struct dj_monkey_device *self = luaL_checkudata(L, 1, dj_monkey_device_class);
    lua_pushfstring(L, "MonkeyDevice: %s",
                    self->device != NULL ? self->device->name : "closed");
    return 1;
}

#define INTENT                                                                           \
    DJ_OPTIONAL("uri", STRING), DJ_OPTIONAL("action", STRING),                           \
        DJ_OPTIONAL("data", STRING), DJ_OPTIONAL("mimetype", STRING),                    \
        DJ_OPTIONAL("categories", STRINGS), DJ_OPTIONAL("extras", MAP),                  \
        DJ_OPTIONAL("component", STRING), DJ_OPTIONAL("flags", INTEGER)

static const struct dj_method methods[] = {
    {"broadcastIntent", dj_monkey_device_broadcast_intent, {INTENT}},
    {"drag",
     dj_monkey_device_drag,
     {DJ_REQUIRED("start", NUMBERS),
      {"end", "end_", DJ_ARGUMENT_NUMBERS, true}, /* `end` is a keyword of Lua. */
      DJ_OPTIONAL("duration", NUMBER),
      DJ_OPTIONAL("steps", INTEGER)}},
    {"getHierarchyViewer", dj_monkey_device_get_hierarchy_viewer, {DJ_NOTHING}},
    {"getProperty", dj_monkey_device_get_property, {DJ_REQUIRED("key", STRING)}},
    {"getPropertyList", dj_monkey_device_get_property_list, {DJ_NOTHING}},
    {"getSystemProperty",
     dj_monkey_device_get_system_property,
     {DJ_REQUIRED("key", STRING)}},
    {"getRootView", dj_monkey_device_get_root_view, {DJ_NOTHING}},
    {"getViewByAccessibilityIds",
     dj_monkey_device_get_view_by_accessibility_ids,
     {DJ_REQUIRED("windowId", INTEGER), DJ_REQUIRED("accessibilityId", INTEGER)}},
    {"getViewById", dj_monkey_device_get_view_by_id, {DJ_REQUIRED("id", STRING)}},
    {"getViewIdList", dj_monkey_device_get_view_id_list, {DJ_NOTHING}},
    {"getViewsByText", dj_monkey_device_get_views_by_text, {DJ_REQUIRED("text", STRING)}},
    {"installPackage", dj_monkey_device_install_package, {DJ_REQUIRED("path", STRING)}},
    {"instrument",
     dj_monkey_device_instrument,
     {DJ_REQUIRED("className", STRING), DJ_OPTIONAL("args", MAP)}},
    {"press",
     dj_monkey_device_press,
     {DJ_REQUIRED("name", STRING), DJ_OPTIONAL("type", STRING)}},
    {"reboot", dj_monkey_device_reboot, {DJ_OPTIONAL("into", STRING)}},
    {"removePackage", dj_monkey_device_remove_package, {DJ_REQUIRED("package", STRING)}},
    {"shell",
     dj_monkey_device_run_shell,
     {DJ_REQUIRED("cmd", STRING), DJ_OPTIONAL("timeout", NUMBER)}},
    {"startActivity", dj_monkey_device_start_activity, {INTENT}},
    {"takeSnapshot", dj_monkey_device_take_snapshot, {DJ_NOTHING}},
    {"touch",
     dj_monkey_device_touch,
     {DJ_REQUIRED("x", INTEGER), DJ_REQUIRED("y", INTEGER), DJ_OPTIONAL("type", STRING)}},
    {"type", dj_monkey_device_type, {DJ_REQUIRED("message", STRING)}},
    {"wake", dj_monkey_device_wake, {DJ_NOTHING}},
    {NULL, NULL, {DJ_NOTHING}},
};

static const luaL_Reg metamethods[] = {
    {"__gc", close_device}, {"__tostring", describe_device}, {NULL, NULL}};

const struct dj_script_library dj_monkey_device_library = {
    .name = dj_monkey_device_class,
    .methods = methods,
    .metamethods = metamethods,
    .extend = dj_monkey_device_add_press_types};
