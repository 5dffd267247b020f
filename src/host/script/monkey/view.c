/* MonkeyView, MonkeyRect, and the methods of MonkeyDevice that return them. */
#include <lauxlib.h>
#include <string.h>

#include "script/libraries.h"
#include "script/monkey/device_methods.h"
#include "script/monkey/view_tree.h"
#include "script/state.h"

static int fail_without_ids(lua_State *L, const char *what)
{
    return dj_script_fail(L, what, DJ_E_UNSUPPORTED,
                          "uiautomator's dump has no accessibility ids: use "
                          "getViewById() or getViewsByText()");
}

/* Returns a side of a MonkeyRect, which is a table with left, top, right and bottom. */
static lua_Integer get_side(lua_State *L, const char *name)
{
    lua_getfield(L, 1, name);
    lua_Integer value = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value;
}

static int rect_width(lua_State *L)
{
    lua_pushinteger(L, get_side(L, "right") - get_side(L, "left"));
    return 1;
}

static int rect_height(lua_State *L)
{
    lua_pushinteger(L, get_side(L, "bottom") - get_side(L, "top"));
    return 1;
}

static int rect_center(lua_State *L)
{
    lua_Integer left = get_side(L, "left"), top = get_side(L, "top");
    dj_point_push(L, (int)(left + (get_side(L, "right") - left) / 2),
                  (int)(top + (get_side(L, "bottom") - top) / 2));
    return 1;
}

static const struct dj_method rect_methods[] = {
    {"getCenter", rect_center, {DJ_NOTHING}},
    {"getHeight", rect_height, {DJ_NOTHING}},
    {"getWidth", rect_width, {DJ_NOTHING}},
    {NULL, NULL, {DJ_NOTHING}},
};

static void push_rect(lua_State *L, const struct dj_ui_rect *rect)
{
    lua_createtable(L, 0, 8);
    dj_script_set_integer(L, "left", rect->left);
    dj_script_set_integer(L, "top", rect->top);
    dj_script_set_integer(L, "right", rect->right);
    dj_script_set_integer(L, "bottom", rect->bottom);
    dj_methods_set(L, "MonkeyRect", rect_methods);
}

/* Pushes a field of a MonkeyView. A view has the state at the time of reading. */
static int push_field(lua_State *L, enum dj_ui_field field)
{
    struct dj_script_view view = dj_view_check(L, 1);
    lua_pushstring(L, dj_drive_node_text(view.tree, view.node, field));
    return 1;
}

static int push_flag(lua_State *L, unsigned flag)
{
    struct dj_script_view view = dj_view_check(L, 1);
    lua_pushboolean(L, (view.tree->nodes[view.node].flags & flag) != 0);
    return 1;
}

static int get_class(lua_State *L)
{
    return push_field(L, DJ_UI_CLASS);
}

int dj_view_get_text(lua_State *L)
{
    return push_field(L, DJ_UI_TEXT);
}

static int get_id(lua_State *L)
{
    return push_field(L, DJ_UI_ID);
}

static int get_checked(lua_State *L)
{
    return push_flag(L, DJ_UI_CHECKED);
}

static int get_enabled(lua_State *L)
{
    return push_flag(L, DJ_UI_ENABLED);
}

static int get_focused(lua_State *L)
{
    return push_flag(L, DJ_UI_FOCUSED);
}

static int get_selected(lua_State *L)
{
    return push_flag(L, DJ_UI_SELECTED);
}

static int get_location(lua_State *L)
{
    struct dj_script_view view = dj_view_check(L, 1);
    push_rect(L, &view.tree->nodes[view.node].bounds);
    return 1;
}

static int get_parent(lua_State *L)
{
    struct dj_script_view view = dj_view_check(L, 1);
    lua_getiuservalue(L, 1, 1);
    dj_view_push(L, -1, view.tree->nodes[view.node].parent);
    return 1;
}

static int get_children(lua_State *L)
{
    lua_Integer count = 0;
    struct dj_script_view view = dj_view_check(L, 1);
    lua_getiuservalue(L, 1, 1);
    lua_newtable(L);
    for (size_t i = view.node + 1; i < view.tree->count; i++) {
        if (view.tree->nodes[i].parent == view.node) {
            dj_view_push(L, -2, i);
            lua_rawseti(L, -2, ++count);
        }
    }
    return 1;
}

static int get_accessibility_ids(lua_State *L)
{
    return fail_without_ids(L, "getAccessibilityIds");
}

static int set_state(lua_State *L)
{
    return dj_script_fail(
        L, "MonkeyView", DJ_E_UNSUPPORTED,
        "a script cannot change a view directly: touch the view instead");
}

static const struct dj_method methods[] = {
    {"getAccessibilityIds", get_accessibility_ids, {DJ_NOTHING}},
    {"getChecked", get_checked, {DJ_NOTHING}},
    {"getChildren", get_children, {DJ_NOTHING}},
    {"getEnabled", get_enabled, {DJ_NOTHING}},
    {"getFocused", get_focused, {DJ_NOTHING}},
    {"getId", get_id, {DJ_NOTHING}},
    {"getLocation", get_location, {DJ_NOTHING}},
    {"getParent", get_parent, {DJ_NOTHING}},
    {"getSelected", get_selected, {DJ_NOTHING}},
    {"getText", dj_view_get_text, {DJ_NOTHING}},
    {"getViewClass", get_class, {DJ_NOTHING}},
    {"setFocused", set_state, {DJ_OPTIONAL("focused", ANY)}},
    {"setSelected", set_state, {DJ_OPTIONAL("selected", ANY)}},
    {NULL, NULL, {DJ_NOTHING}},
};

const struct dj_script_library dj_monkey_view_library = {.name = dj_view_class,
                                                         .methods = methods};

int dj_monkey_device_get_view_by_id(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 2);
    const struct dj_ui_tree *tree = dj_view_tree_read(L, self, "getViewById");
    dj_view_push(L, -1, dj_view_find_id(tree, lua_tostring(L, 1)));
    return 1;
}

int dj_monkey_device_get_views_by_text(lua_State *L)
{
    lua_Integer count = 0;
    struct dj_monkey_device *self = dj_monkey_device_check(L, 2);
    const struct dj_ui_tree *tree = dj_view_tree_read(L, self, "getViewsByText");
    lua_newtable(L);
    for (size_t i = 1; i < tree->count; i++) {
        if (strcmp(dj_drive_node_text(tree, i, DJ_UI_TEXT), lua_tostring(L, 1)) == 0) {
            dj_view_push(L, -2, i);
            lua_rawseti(L, -2, ++count);
        }
    }
    return 1;
}

int dj_monkey_device_get_view_id_list(lua_State *L)
{
    lua_Integer count = 0;
    struct dj_monkey_device *self = dj_monkey_device_check(L, 1);
    const struct dj_ui_tree *tree = dj_view_tree_read(L, self, "getViewIdList");
    /* One table for the result and one for the set of ids that were already found. */
    lua_newtable(L);
    lua_newtable(L);
    for (size_t i = 1; i < tree->count; i++) {
        const char *id = dj_drive_node_text(tree, i, DJ_UI_ID);
        if (id[0] != '\0' && lua_getfield(L, -1, id) == LUA_TNIL) {
            lua_pushstring(L, id);
            lua_rawseti(L, -4, ++count);
            lua_pushboolean(L, true);
            lua_setfield(L, -3, id);
        }
        lua_settop(L, 4);
    }
    lua_pop(L, 1);
    return 1;
}

int dj_monkey_device_get_root_view(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 1);
    const struct dj_ui_tree *tree = dj_view_tree_read(L, self, "getRootView");
    dj_view_push(L, -1, tree->count > 1 ? 1 : 0);
    return 1;
}

int dj_monkey_device_get_view_by_accessibility_ids(lua_State *L)
{
    return fail_without_ids(L, "getViewByAccessibilityIds");
}
