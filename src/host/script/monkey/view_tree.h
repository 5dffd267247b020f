/* The views on a device's screen, for scripts. A tree does not change after it was
 * read. */
#ifndef DEJANK_SCRIPT_MONKEY_VIEW_TREE_H
#define DEJANK_SCRIPT_MONKEY_VIEW_TREE_H

#include <lua.h>

#include "drive/ui_tree.h"
#include "script/monkey/device.h"

/* The name of the Lua class of a view: "MonkeyView". */
extern const char dj_view_class[];

/* Reads the device's tree and pushes it. Lua frees the tree. `what` is the name of the
 * method for errors. */
struct dj_ui_tree *dj_view_tree_read(lua_State *L, struct dj_monkey_device *self,
                                     const char *what);

/* Pushes a view of the tree at the stack index `tree`, or nil for node 0. */
void dj_view_push(lua_State *L, int tree, size_t node);

struct dj_script_view {
    const struct dj_ui_tree *tree;
    size_t node; /* Index in tree->nodes. */
};

/* Returns the view at the index `at`. Throws if there is another value. */
struct dj_script_view dj_view_check(lua_State *L, int at);

/* Implements getText() for the view in the first argument. Defined in view.c. */
int dj_view_get_text(lua_State *L);

/* Returns the node of the first view with this id in document order, or 0. */
size_t dj_view_find_id(const struct dj_ui_tree *tree, const char *wanted);

/* Computes the center of the visible part of a view. Returns false if nothing of the view
 * is visible. */
bool dj_view_center(struct dj_script_view view, int *x, int *y);

/* Pushes a table {x, y} that also has the fields x and y, like Java's Point. */
void dj_point_push(lua_State *L, int x, int y);

#endif
