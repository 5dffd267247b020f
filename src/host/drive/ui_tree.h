/*
 * The tree of views on a screen, from `uiautomator dump` of Android or from AT-SPI. Nodes
 * are in document order, so parents come before their children. Node 0 is the root, which
 * is not a view.
 */
#ifndef DEJANK_DRIVE_UI_TREE_H
#define DEJANK_DRIVE_UI_TREE_H

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_UI_NODES_MAX = 100000,
    DJ_UI_DEPTH_MAX = 1000,
    DJ_UI_XML_MAX = 32 * 1024 * 1024 /* Maximum number of bytes of a dump. */
};

/* The text fields of a view. Each comment gives the value on Android first, and then the
 * value in AT-SPI. */
enum dj_ui_field {
    DJ_UI_TEXT,
    DJ_UI_DESC, /* Android: the content description. AT-SPI: the description. */
    /* Android: the resource id, "package:id/name". AT-SPI: the accessible id. */
    DJ_UI_ID,
    /* Android: the class, "android.widget.TextView". AT-SPI: the name of the role. */
    DJ_UI_CLASS,
    DJ_UI_PACKAGE, /* Android: the package. AT-SPI: the name of the application. */
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

/* Returns the bit for an attribute of a dump, such as "long-clickable", or 0. */
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

/* Returns the intersection. All fields are 0 if the intersection is empty. */
struct dj_ui_rect dj_drive_rect_intersect(struct dj_ui_rect a, struct dj_ui_rect b);

struct dj_ui_node {
    size_t parent; /* Index of the parent. The root is its own parent. */
    int depth;     /* Depth of the node: 0 for the root, 1 for its children, and so on. */
    unsigned flags;
    struct dj_ui_rect bounds;
    size_t field[DJ_UI_FIELDS]; /* Offsets of the text fields in dj_ui_tree.strings. */
};

/* A tree of views. Zero the struct before use. Finish it after use, also after an
 * error. */
struct dj_ui_tree {
    struct dj_ui_node *nodes;
    size_t count;
    struct dj_text strings; /* All strings, each with a NUL at its end. */
};

void dj_drive_tree_finish(struct dj_ui_tree *tree);

/* Appends a node without texts. Returns NULL if memory ran out or there are
 * DJ_UI_NODES_MAX nodes. The pointer is valid until the next call. */
struct dj_ui_node *dj_ui_tree_add_node(struct dj_ui_tree *tree, size_t parent);

/* Stores a string and sets *kept to its offset in tree->strings. Returns false if memory
 * ran out. */
bool dj_ui_tree_add_string(struct dj_ui_tree *tree, const char *string, size_t length,
                           size_t *kept);

/* Returns a text field of a node, or "" if the node has none. Valid until the tree
 * grows. */
const char *dj_drive_node_text(const struct dj_ui_tree *tree, size_t node,
                               enum dj_ui_field field);

/* Returns the visible area of a node, which is the intersection of its bounds with the
 * bounds of all ancestors. */
struct dj_ui_rect dj_drive_node_visible_area(const struct dj_ui_tree *tree, size_t node);

/*
 * Reads the XML of `uiautomator dump`. Ignores unknown attributes. Returns DJ_E_INVALID
 * for other data (the message has line and column, from 1), DJ_E_TRUNCATED if the XML is
 * incomplete, or DJ_E_LIMIT.
 */
int dj_ui_tree_read_xml(struct dj_ui_tree *tree, const char *xml, size_t length,
                        struct dj_error *err);

#endif
