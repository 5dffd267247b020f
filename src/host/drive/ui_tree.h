/*
 * The tree of views on a screen, from `uiautomator dump` of Android or from AT-SPI. Nodes
 * are in document order, parents before children. Node 0 is the root, which is not a
 * view.
 */
#ifndef DEJANK_DRIVE_UI_TREE_H
#define DEJANK_DRIVE_UI_TREE_H

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_UI_NODES_MAX = 100000,
    DJ_UI_DEPTH_MAX = 1000,
    DJ_UI_XML_MAX = 32 * 1024 * 1024 /* bytes of a dump */
};

/* The texts of a view. */
enum dj_ui_field {
    DJ_UI_TEXT,
    DJ_UI_DESC,    /* content description; AT-SPI: description */
    DJ_UI_ID,      /* "package:id/name"; AT-SPI: the accessible id */
    DJ_UI_CLASS,   /* "android.widget.TextView"; AT-SPI: the role's name */
    DJ_UI_PACKAGE, /* AT-SPI: the application's name */
    DJ_UI_FIELDS
};

/* Bits of dj_ui_node.flags. */
enum dj_ui_flag {
    DJ_UI_CHECKABLE = 1 << 0,
    DJ_UI_CHECKED = 1 << 1,
    DJ_UI_CLICKABLE = 1 << 2,
    DJ_UI_ENABLED = 1 << 3,
    DJ_UI_FOCUSABLE = 1 << 4,
    DJ_UI_FOCUSED = 1 << 5,
    DJ_UI_SCROLLABLE = 1 << 6,
    DJ_UI_LONG_CLICKABLE = 1 << 7,
    DJ_UI_PASSWORD = 1 << 8,
    DJ_UI_SELECTED = 1 << 9
};

/* Returns the bit with this name in a dump ("long-clickable"), or 0. */
unsigned dj_ui_tree_find_flag(const char *name, size_t length);

/* A rectangle on the screen in pixels. `right` and `bottom` are exclusive. */
struct dj_ui_rect {
    int left, top, right, bottom;
};

static inline int dj_drive_rect_width(const struct dj_ui_rect *rect)
{
    return rect->right - rect->left;
}

static inline int dj_drive_rect_height(const struct dj_ui_rect *rect)
{
    return rect->bottom - rect->top;
}

/* Returns the intersection, or all 0 if it is empty. */
struct dj_ui_rect dj_drive_rect_intersect(struct dj_ui_rect a, struct dj_ui_rect b);

struct dj_ui_node {
    size_t parent; /* of the root: itself */
    int depth;     /* of the root: 0 */
    unsigned flags;
    struct dj_ui_rect bounds;
    size_t field[DJ_UI_FIELDS]; /* offset in dj_ui_tree.strings */
};

/* Zero it. Finish it also after an error. */
struct dj_ui_tree {
    struct dj_ui_node *nodes;
    size_t count;
    struct dj_text strings; /* terminated by NUL, one after the other */
};

void dj_drive_tree_finish(struct dj_ui_tree *tree);

/* Appends a node without texts. NULL: out of memory, or DJ_UI_NODES_MAX. Valid until the
 * next call. */
struct dj_ui_node *dj_ui_tree_add_node(struct dj_ui_tree *tree, size_t parent);

/* Stores a string for a node and sets *kept to its offset. Returns false if memory ran
 * out. */
bool dj_ui_tree_add_string(struct dj_ui_tree *tree, const char *string, size_t length,
                           size_t *kept);

/* Returns a text of a node, or "" if it has none. Valid until the tree grows. */
const char *dj_drive_node_text(const struct dj_ui_tree *tree, size_t node,
                               enum dj_ui_field field);

/* Returns the visible area of a node: its bounds within those of all ancestors. */
struct dj_ui_rect dj_drive_node_visible_area(const struct dj_ui_tree *tree, size_t node);

/*
 * Reads the XML of `uiautomator dump`. Ignores unknown attributes. DJ_E_INVALID: it is
 * not such XML; the message has line and column, from 1. DJ_E_TRUNCATED: it is
 * incomplete. DJ_E_LIMIT.
 */
int dj_ui_tree_read_xml(struct dj_ui_tree *tree, const char *xml, size_t length,
                        struct dj_error *err);

#endif
