#include <criterion/criterion.h>
#include <string.h>

#include "drive/ui_tree.h"

static size_t add(struct dj_ui_tree *tree, size_t parent, struct dj_ui_rect bounds)
{
    struct dj_ui_node *node = dj_ui_tree_add_node(tree, parent);
    cr_assert_not_null(node);
    node->bounds = bounds;
    return tree->count - 1;
}

Test(ui_tree, areas_outside_of_ancestors_are_not_visible)
{
    struct dj_ui_tree tree = {0};
    add(&tree, 0, (struct dj_ui_rect){0});
    size_t screen = add(&tree, 0, (struct dj_ui_rect){0, 0, 1080, 1920});
    size_t nowhere = add(&tree, screen, (struct dj_ui_rect){0});
    size_t list = add(&tree, nowhere, (struct dj_ui_rect){0, 200, 1080, 1800});
    size_t row = add(&tree, list, (struct dj_ui_rect){0, 1700, 1080, 2100});
    struct dj_ui_rect seen = dj_drive_node_visible_area(&tree, row);
    cr_assert_eq(seen.top, 1700);
    cr_assert_eq(seen.bottom, 1800);
    dj_drive_tree_finish(&tree);
}

Test(ui_tree, separate_rectangles_have_an_empty_intersection)
{
    struct dj_ui_rect none = dj_drive_rect_intersect((struct dj_ui_rect){0, 0, 10, 10},
                                                     (struct dj_ui_rect){10, 0, 20, 10});
    cr_assert_eq(dj_drive_rect_width(&none), 0);
    cr_assert_eq(none.left, 0);
}

Test(ui_tree, texts_are_stored_separately)
{
    struct dj_ui_tree tree = {0};
    size_t one, two, none;
    struct dj_ui_node *node = dj_ui_tree_add_node(&tree, 0);
    cr_assert(dj_ui_tree_add_string(&tree, "받은편지함", 15, &one));
    cr_assert(dj_ui_tree_add_string(&tree, "", 0, &none));
    cr_assert(dj_ui_tree_add_string(&tree, "b", 1, &two));
    node->field[DJ_UI_TEXT] = one;
    node->field[DJ_UI_DESC] = two;
    node->field[DJ_UI_ID] = none;
    cr_assert_str_eq(dj_drive_node_text(&tree, 0, DJ_UI_TEXT), "받은편지함");
    cr_assert_str_eq(dj_drive_node_text(&tree, 0, DJ_UI_DESC), "b");
    cr_assert_str_eq(dj_drive_node_text(&tree, 0, DJ_UI_ID), "");
    cr_assert_str_eq(dj_drive_node_text(&tree, 0, DJ_UI_CLASS), "");
    dj_drive_tree_finish(&tree);
}

Test(ui_tree, properties_are_named_as_in_a_dump)
{
    cr_assert_eq(dj_ui_tree_find_flag("long-clickable", 14), DJ_UI_LONG_CLICKABLE);
    cr_assert_eq(dj_ui_tree_find_flag("clickable", 9), DJ_UI_CLICKABLE);
    cr_assert_eq(dj_ui_tree_find_flag("click", 5), 0);
    cr_assert_eq(dj_ui_tree_find_flag("clickables", 10), 0);
}
