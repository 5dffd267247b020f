/* EasyMonkeyDevice, By and HierarchyViewer, which find views by id. Each call reads the
 * tree of views again. */
#include <lauxlib.h>
#include <string.h>

#include "drive/selector.h"
#include "script/libraries.h"
#include "script/monkey/device_methods.h"
#include "script/monkey/view_tree.h"
#include "script/state.h"

static const char easy_class[] = "EasyMonkeyDevice";
static const char viewer_class[] = "HierarchyViewer";
static const char by_class[] = "By";

/* A criterion by which a view is found. */
struct by {
    /* True if `text` is a selector as in `dejank run --gesture`, false if it is an id. */
    bool selector;
    char text[];
};

static int push_by(lua_State *L, bool selector)
{
    size_t length;
    const char *text = lua_tolstring(L, 1, &length);
    struct by *by = lua_newuserdatauv(L, sizeof(*by) + length + 1, 0);
    by->selector = selector;
    memcpy(by->text, text, length + 1);
    luaL_setmetatable(L, by_class);
    return 1;
}

static int by_id(lua_State *L)
{
    return push_by(L, false);
}

static int by_selector(lua_State *L)
{
    struct dj_selector *selector = NULL;
    struct dj_error err = {0};
    size_t length;
    const char *text = lua_tolstring(L, 1, &length);
    int code = dj_drive_selector_parse(text, length, &selector, &err);
    dj_drive_selector_destroy(selector);
    return code == 0 ? push_by(L, true) : dj_script_throw(L, "By.selector", &err);
}

/* Sets view->node to the view that is found. */
static int find_view(const struct by *by, struct dj_script_view *view,
                     struct dj_error *err)
{
    if (!by->selector) {
        view->node = dj_view_find_id(view->tree, by->text);
        return view->node != 0 ? 0
                               : dj_error_set(err, DJ_E_NOT_FOUND,
                                              "no view has the id '%s'", by->text);
    }
    struct dj_selector *selector = NULL;
    int code = dj_drive_selector_parse(by->text, strlen(by->text), &selector, err);
    code =
        code != 0 ? code : dj_drive_selector_find(selector, view->tree, &view->node, err);
    dj_drive_selector_destroy(selector);
    return code;
}

/* Returns the device of an EasyMonkeyDevice or HierarchyViewer, which is the object's
 * user value. */
static struct dj_monkey_device *get_device(lua_State *L, int at)
{
    lua_getiuservalue(L, at, 1);
    struct dj_monkey_device *self = dj_monkey_device_check(L, -1);
    return self;
}

/* Pushes a new object of the class. The object gets the device at the index `device_at`.
 */
static int push_for_device(lua_State *L, int device_at, const char *class_name)
{
    lua_newuserdatauv(L, 1, 1);
    lua_pushvalue(L, device_at);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, class_name);
    return 1;
}

/* Reads the tree and finds the view that the first argument describes. err->code is 0 if
 * the view was found. */
static struct dj_script_view read_view(lua_State *L, int self_at, const char *what,
                                       struct dj_error *err)
{
    const struct by *by = luaL_checkudata(L, 1, by_class);
    struct dj_script_view view = {.tree =
                                      dj_view_tree_read(L, get_device(L, self_at), what)};
    err->code = find_view(by, &view, err);
    return view;
}

/* Reads the tree and computes where to touch the view that the first argument describes.
 * Throws if the view is not visible. */
static void locate_view(lua_State *L, int self_at, const char *what, int *x, int *y)
{
    struct dj_error err = {0};
    struct dj_script_view view = read_view(L, self_at, "EasyMonkeyDevice", &err);
    dj_script_throw_failure(L, err.code, what, &err);
    if (!dj_view_center(view, x, y)) {
        const struct by *by = lua_touserdata(L, 1);
        dj_script_fail(L, what, DJ_E_NO_DATA, "no part of '%s' is visible", by->text);
    }
}

/* Calls a method of the device with the values from the stack index `from` on as
 * arguments. */
static void call_device(lua_State *L, int self_at, const char *method, int from)
{
    lua_getiuservalue(L, self_at, 1);
    lua_getfield(L, -1, method);
    lua_remove(L, -2);
    lua_insert(L, from);
    lua_call(L, lua_gettop(L) - from, 0);
}

static void touch_view(lua_State *L, int self_at, const char *type)
{
    int x = 0, y = 0;
    locate_view(L, self_at, "touch", &x, &y);
    int from = lua_gettop(L) + 1;
    lua_pushinteger(L, x);
    lua_pushinteger(L, y);
    lua_pushstring(L, type);
    call_device(L, self_at, "touch", from);
}

static int easy_touch(lua_State *L)
{
    touch_view(L, 3, luaL_optstring(L, 2, "downAndUp"));
    return 0;
}

static int easy_type(lua_State *L)
{
    touch_view(L, 3, "downAndUp");
    int from = lua_gettop(L) + 1;
    lua_pushvalue(L, 2);
    call_device(L, 3, "type", from);
    return 0;
}

static int easy_locate(lua_State *L)
{
    int x = 0, y = 0;
    locate_view(L, 2, "locate", &x, &y);
    dj_point_push(L, x, y);
    return 1;
}

static int easy_exists(lua_State *L)
{
    struct dj_error err = {0};
    read_view(L, 2, "exists", &err);
    lua_pushboolean(L, err.code == 0);
    return 1;
}

static int easy_visible(lua_State *L)
{
    int x, y;
    struct dj_error err = {0};
    struct dj_script_view view = read_view(L, 2, "visible", &err);
    lua_pushboolean(L, err.code == 0 && dj_view_center(view, &x, &y));
    return 1;
}

static int easy_get_text(lua_State *L)
{
    struct dj_error err = {0};
    struct dj_script_view view = read_view(L, 2, "getText", &err);
    dj_script_throw_failure(L, err.code, "getText", &err);
    lua_pushstring(L, dj_drive_node_text(view.tree, view.node, DJ_UI_TEXT));
    return 1;
}

static int easy_get_focused_window(lua_State *L)
{
    dj_monkey_device_push_front(L, get_device(L, 1));
    return 1;
}

static const struct dj_method easy_methods[] = {
    {"exists", easy_exists, {DJ_REQUIRED("by", ANY)}},
    {"getFocusedWindowId", easy_get_focused_window, {DJ_NOTHING}},
    {"getText", easy_get_text, {DJ_REQUIRED("by", ANY)}},
    {"locate", easy_locate, {DJ_REQUIRED("by", ANY)}},
    {"touch", easy_touch, {DJ_REQUIRED("by", ANY), DJ_OPTIONAL("type", STRING)}},
    {"type", easy_type, {DJ_REQUIRED("by", ANY), DJ_REQUIRED("text", STRING)}},
    {"visible", easy_visible, {DJ_REQUIRED("by", ANY)}},
    {NULL, NULL, {DJ_NOTHING}},
};

/* Calls the device's method of the same name. The call may have a colon or a dot. */
static int forward_call(lua_State *L)
{
    if (lua_rawequal(L, 1, lua_upvalueindex(1))) {
        lua_remove(L, 1);
    }
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* Looks up a method. If EasyMonkeyDevice does not have the method, returns the method of
 * the device. */
static int index_easy(lua_State *L)
{
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const struct dj_method *own = dj_method_find(easy_methods, name);
    if (own != NULL) {
        dj_method_push(L, easy_class, own, 1);
        return 1;
    }
    lua_pushvalue(L, 1);
    lua_getiuservalue(L, 1, 1);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    lua_pushcclosure(L, forward_call, 2);
    return 1;
}

static int create_easy(lua_State *L)
{
    /* Called as EasyMonkeyDevice(device), so the first argument is the class's table. */
    dj_monkey_device_check(L, 2);
    return push_for_device(L, 2, easy_class);
}

static void make_callable(lua_State *L)
{
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, create_easy);
    lua_setfield(L, -2, "__call");
    lua_setmetatable(L, -2);
}

static const luaL_Reg easy_metamethods[] = {{"__index", index_easy}, {NULL, NULL}};

const struct dj_script_library dj_easy_device_library = {.name = easy_class,
                                                         .methods = easy_methods,
                                                         .metamethods = easy_metamethods,
                                                         .extend = make_callable};

static const struct dj_method by_functions[] = {
    {"id", by_id, {DJ_REQUIRED("id", STRING)}},
    {"selector", by_selector, {DJ_REQUIRED("words", STRING)}},
    {NULL, NULL, {DJ_NOTHING}},
};

/* Adds the functions here and not in the library's table, because the reference does not
 * list them. */
static void add_by_functions(lua_State *L)
{
    luaL_newmetatable(L, by_class);
    lua_pop(L, 1);
    dj_methods_set(L, by_class, by_functions);
}

const struct dj_script_library dj_by_library = {.name = by_class,
                                                .extend = add_by_functions};

static int viewer_find(lua_State *L)
{
    const struct dj_ui_tree *tree =
        dj_view_tree_read(L, get_device(L, 2), "findViewById");
    dj_view_push(L, -1, dj_view_find_id(tree, lua_tostring(L, 1)));
    return 1;
}

static int viewer_position(lua_State *L)
{
    struct dj_script_view view = dj_view_check(L, 1);
    dj_point_push(L, view.tree->nodes[view.node].bounds.left,
                  view.tree->nodes[view.node].bounds.top);
    return 1;
}

static int viewer_center(lua_State *L)
{
    struct dj_script_view view = dj_view_check(L, 1);
    const struct dj_ui_rect *bounds = &view.tree->nodes[view.node].bounds;
    dj_point_push(L, bounds->left + dj_drive_rect_width(bounds) / 2,
                  bounds->top + dj_drive_rect_height(bounds) / 2);
    return 1;
}

static int viewer_visible(lua_State *L)
{
    int x, y;
    struct dj_script_view view = dj_view_check(L, 1);
    lua_pushboolean(L, dj_view_center(view, &x, &y));
    return 1;
}

static const struct dj_method viewer_methods[] = {
    {"findViewById", viewer_find, {DJ_REQUIRED("id", STRING)}},
    {"getAbsoluteCenterOfView", viewer_center, {DJ_REQUIRED("view", ANY)}},
    {"getAbsolutePositionOfView", viewer_position, {DJ_REQUIRED("view", ANY)}},
    {"getFocusedWindowName", easy_get_focused_window, {DJ_NOTHING}},
    {"getText", dj_view_get_text, {DJ_REQUIRED("view", ANY)}},
    {"visible", viewer_visible, {DJ_REQUIRED("view", ANY)}},
    {NULL, NULL, {DJ_NOTHING}},
};

const struct dj_script_library dj_hierarchy_viewer_library = {.name = viewer_class,
                                                              .methods = viewer_methods};

int dj_monkey_device_get_hierarchy_viewer(lua_State *L)
{
    dj_monkey_device_check(L, 1);
    return push_for_device(L, 1, viewer_class);
}
