#include "script/monkey/view_tree.h"

#include <lauxlib.h>
#include <string.h>

#include "drive/screen.h"
#include "script/state.h"

const char dj_view_class[] = "MonkeyView";
static const char tree_class[] = "dejank.tree";

static int finish_tree(lua_State *L)
{
    dj_drive_tree_finish(luaL_checkudata(L, 1, tree_class));
    return 0;
}

static struct dj_ui_tree *push_tree(lua_State *L)
{
    struct dj_ui_tree *tree = lua_newuserdatauv(L, sizeof(*tree), 0);
    *tree = (struct dj_ui_tree){.count = 0};
    if (luaL_newmetatable(L, tree_class)) {
        lua_pushcfunction(L, finish_tree);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return tree;
}

struct dj_ui_tree *dj_view_tree_read(lua_State *L, struct dj_monkey_device *self,
                                     const char *what)
{
    struct dj_ui_tree *tree = push_tree(L);
    struct dj_error err = {0};
    dj_monkey_device_acquire(L, self);
    if (self->injector != NULL && self->injector->holds_tree) {
        dj_drive_injector_close(self->injector);
        self->injector = NULL;
    }
    int code = dj_drive_read_tree(self->device, tree, &err);
    dj_monkey_device_release(L, self);
    dj_script_throw_failure(L, code, what, &err);
    return tree;
}

void dj_view_push(lua_State *L, int tree, size_t node)
{
    if (node == 0) {
        lua_pushnil(L);
        return;
    }
    tree = lua_absindex(L, tree);
    struct dj_script_view *view = lua_newuserdatauv(L, sizeof(*view), 1);
    *view = (struct dj_script_view){luaL_checkudata(L, tree, tree_class), node};
    /* The view refers to the tree, so the garbage collector does not free the tree. */
    lua_pushvalue(L, tree);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, dj_view_class);
}

struct dj_script_view dj_view_check(lua_State *L, int at)
{
    return *(const struct dj_script_view *)luaL_checkudata(L, at, dj_view_class);
}

/* Returns "name" for "com.example:id/name", "id/name" and "name". */
static const char *get_bare_id(const char *id)
{
    const char *at = strstr(id, "id/");
    bool is_prefix = at != NULL && (at == id || at[-1] == ':' || at[-1] == '+');
    return is_prefix ? at + 3 : id;
}

/* Returns whether the id is the wanted one. Scripts write ids as "id/name", "name" or
 * "pkg:id/name". */
static bool id_matches(const char *wanted, const char *id)
{
    if (id[0] == '\0' || wanted[0] == '\0') {
        return false;
    }
    return strchr(wanted, ':') != NULL
               ? strcmp(wanted, id) == 0
               : strcmp(get_bare_id(wanted), get_bare_id(id)) == 0;
}

size_t dj_view_find_id(const struct dj_ui_tree *tree, const char *wanted)
{
    for (size_t i = 1; i < tree->count; i++) {
        if (id_matches(wanted, dj_drive_node_text(tree, i, DJ_UI_ID))) {
            return i;
        }
    }
    return 0;
}

bool dj_view_center(struct dj_script_view view, int *x, int *y)
{
    struct dj_ui_rect seen = dj_drive_node_visible_area(view.tree, view.node);
    *x = seen.left + dj_drive_rect_width(&seen) / 2;
    *y = seen.top + dj_drive_rect_height(&seen) / 2;
    return dj_drive_rect_width(&seen) > 0 && dj_drive_rect_height(&seen) > 0;
}

void dj_point_push(lua_State *L, int x, int y)
{
    lua_createtable(L, 2, 2);
    lua_pushinteger(L, x);
    lua_rawseti(L, -2, 1);
    lua_pushinteger(L, y);
    lua_rawseti(L, -2, 2);
    dj_script_set_integer(L, "x", x);
    dj_script_set_integer(L, "y", y);
}
