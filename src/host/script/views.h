/* What is on a device's screen, for scripts: trees as they were when they were read. */
#ifndef DEJANK_SCRIPT_VIEWS_H
#define DEJANK_SCRIPT_VIEWS_H

#include <lua.h>

#include "drive/ui_tree.h"
#include "script/monkey_device.h"

extern const char dj_view_class[]; /* "MonkeyView" */

/* Reads the device's tree and pushes it; Lua frees it. `what` names the method. */
struct dj_ui_tree *dj_views_read(lua_State *L, struct dj_monkey_device *self,
                                 const char *what);

/* Pushes a view of the tree at `tree`; nil of node 0. */
void dj_view_push(lua_State *L, int tree, size_t node);

struct dj_view {
    const struct dj_ui_tree *tree;
    size_t node; /* of the tree */
};

/* The view at that index; throws where it is none. */
struct dj_view dj_view_check(lua_State *L, int at);

/* The method getText() of a view, which is the first argument (monkey_view.c). */
int dj_view_get_text(lua_State *L);

/* The first view of that id, in document order; 0: none. */
size_t dj_view_find_id(const struct dj_ui_tree *tree, const char *wanted);

/* Where it can be touched: the middle of what of it can be seen. False: nothing can. */
bool dj_view_center(struct dj_view view, int *x, int *y);

/* Pushes {x, y}, with x and y as fields, too: Java's Point had them. */
void dj_point_push(lua_State *L, int x, int y);

#endif
