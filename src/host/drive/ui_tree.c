#include "drive/ui_tree.h"

#include "base/array.h"
#include "base/str.h"

static const struct {
    const char *name;
    unsigned flag;
} flags[] = {
    {"checkable", DJ_UI_CHECKABLE},   {"checked", DJ_UI_CHECKED},
    {"clickable", DJ_UI_CLICKABLE},   {"enabled", DJ_UI_ENABLED},
    {"focusable", DJ_UI_FOCUSABLE},   {"focused", DJ_UI_FOCUSED},
    {"scrollable", DJ_UI_SCROLLABLE}, {"long-clickable", DJ_UI_LONG_CLICKABLE},
    {"password", DJ_UI_PASSWORD},     {"selected", DJ_UI_SELECTED},
};

unsigned dj_ui_tree_find_flag(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        if (dj_str_is((struct dj_str){name, length}, flags[i].name)) {
            return flags[i].flag;
        }
    }
    return 0;
}

struct dj_ui_rect dj_drive_rect_intersect(struct dj_ui_rect a, struct dj_ui_rect b)
{
    struct dj_ui_rect both = {
        .left = a.left > b.left ? a.left : b.left,
        .top = a.top > b.top ? a.top : b.top,
        .right = a.right < b.right ? a.right : b.right,
        .bottom = a.bottom < b.bottom ? a.bottom : b.bottom,
    };
    bool empty = both.left >= both.right || both.top >= both.bottom;
    return empty ? (struct dj_ui_rect){0} : both;
}

void dj_drive_tree_finish(struct dj_ui_tree *tree)
{
    free(tree->nodes);
    dj_text_finish(&tree->strings);
    *tree = (struct dj_ui_tree){0};
}

struct dj_ui_node *dj_ui_tree_add_node(struct dj_ui_tree *tree, size_t parent)
{
    if (tree->count == 0) {
        /* The first string is empty. All text fields of a new node refer to it. */
        dj_text_append(&tree->strings, "", 1);
    }
    if (tree->strings.failed || tree->count >= DJ_UI_NODES_MAX ||
        !DJ_ARRAY_ROOM(tree->nodes, tree->count)) {
        return NULL;
    }
    struct dj_ui_node *node = &tree->nodes[tree->count];
    *node = (struct dj_ui_node){.parent = parent};
    if (tree->count > 0) {
        node->depth = tree->nodes[parent].depth + 1;
    }
    tree->count++;
    return node;
}

bool dj_ui_tree_add_string(struct dj_ui_tree *tree, const char *string, size_t length,
                           size_t *kept)
{
    *kept = length > 0 ? tree->strings.length : 0;
    if (length > 0) {
        dj_text_append(&tree->strings, string, length);
        dj_text_append(&tree->strings, "", 1);
    }
    return !tree->strings.failed;
}

const char *dj_drive_node_text(const struct dj_ui_tree *tree, size_t node,
                               enum dj_ui_field field)
{
    return tree->strings.data + tree->nodes[node].field[field];
}

static bool has_area(const struct dj_ui_rect *rect)
{
    return rect->left < rect->right && rect->top < rect->bottom;
}

struct dj_ui_rect dj_drive_node_visible_area(const struct dj_ui_tree *tree, size_t node)
{
    struct dj_ui_rect seen = tree->nodes[node].bounds;
    while (node != 0) {
        node = tree->nodes[node].parent;
        /* Ancestors without bounds are ignored, because some containers do not report
         * bounds. */
        if (has_area(&tree->nodes[node].bounds)) {
            seen = dj_drive_rect_intersect(seen, tree->nodes[node].bounds);
        }
    }
    return seen;
}
