#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "drive/selector.h"

struct view {
    size_t parent;
    const char *text, *id, *class_name;
    unsigned flags;
};

/* A settings screen. Node 1 is a frame, 2 a list, 3 and 6 rows with a label and a switch,
 * and 9 a button. */
static const struct view views[] = {
    {0, "", "", "android.widget.FrameLayout", DJ_UI_ENABLED},
    {1, "", "com.example:id/list", "androidx.recyclerview.widget.RecyclerView",
     DJ_UI_ENABLED | DJ_UI_SCROLLABLE},
    {2, "", "com.example:id/row", "android.widget.LinearLayout", DJ_UI_CLICKABLE},
    {3, "Wi-Fi", "android:id/title", "android.widget.TextView", 0},
    {3, "", "android:id/switch", "android.widget.Switch", DJ_UI_CHECKED},
    {2, "", "com.example:id/row", "android.widget.LinearLayout", DJ_UI_CLICKABLE},
    {6, "蓝牙 \"BT\"", "android:id/title", "android.widget.TextView", 0},
    {6, "", "android:id/switch", "android.widget.Switch", 0},
    {1, "Wi-Fi calling", "com.example:id/more", "android.widget.Button", DJ_UI_CLICKABLE},
};

static void build(struct dj_ui_tree *tree)
{
    cr_assert_not_null(dj_ui_tree_add_node(tree, 0));
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        const struct view *view = &views[i];
        size_t text, id, name;
        cr_assert(dj_ui_tree_add_string(tree, view->text, strlen(view->text), &text) &&
                  dj_ui_tree_add_string(tree, view->id, strlen(view->id), &id) &&
                  dj_ui_tree_add_string(tree, view->class_name, strlen(view->class_name),
                                        &name));
        struct dj_ui_node *node = dj_ui_tree_add_node(tree, view->parent);
        cr_assert_not_null(node);
        node->field[DJ_UI_TEXT] = text;
        node->field[DJ_UI_ID] = id;
        node->field[DJ_UI_CLASS] = name;
        node->flags = view->flags;
    }
}

/* Fails the test unless the selector finds the nodes with these numbers, such as "4
 * 7". */
static void expect(const char *text, const char *nodes)
{
    struct dj_ui_tree tree = {0};
    struct dj_selector *selector;
    struct dj_error err = {0};
    unsigned char matched[32] = {0};
    char found[64] = "";
    build(&tree);
    cr_assert_eq(dj_drive_selector_parse(text, strlen(text), &selector, &err), 0,
                 "%s: %s", text, err.message);
    cr_assert(dj_drive_selector_match(selector, &tree, matched));
    for (size_t i = 0; i < tree.count; i++) {
        if (matched[i]) {
            size_t used = strlen(found);
            snprintf(found + used, sizeof(found) - used, "%s%zu", used ? " " : "", i);
        }
    }
    cr_expect_str_eq(found, nodes, "%s gave '%s', expected '%s'", text, found, nodes);
    cr_expect_str_eq(dj_drive_selector_text(selector), text);
    dj_drive_selector_destroy(selector);
    dj_drive_tree_finish(&tree);
}

Test(selector, texts_are_compared_as_requested)
{
    expect("text=\"Wi-Fi\"", "4");
    expect("text=Wi-Fi", "4");
    expect("text^='Wi'", "4 9");
    expect("text*=call", "9");
    expect("text$=-Fi", "4");
    expect("text~='^Wi.Fi( calling)?$'", "4 9");
    expect("text~=\"[[:digit:]]\"", "");
    expect("text~='^.. .BT.$'", "7"); /* A dot matches a character, not a byte. */
    expect("text~='^[蓝红]牙'", "7");
    expect("text~='^[[:alpha:]]{2} '", "7");
    expect("text='蓝牙 \"BT\"'", "7");
    expect("text=\"蓝牙 \\\"BT\\\"\"", "7");
    expect("text^=蓝", "7");
    expect("!text=''", "4 7 9");
}

Test(selector, ids_and_classes_match_short_forms)
{
    expect("id=\"com.example:id/list\"", "2");
    expect("id=list", "2");
    expect("class=RecyclerView", "2");
    expect("class=android.widget.Switch", "5 8");
    expect("class=Switch", "5 8");
    expect("class=widget.Switch", "");
    expect("text=calling", "");
}

Test(selector, all_conditions_must_match)
{
    expect("clickable", "3 6 9");
    expect("clickable class=Button", "9");
    expect("clickable !class=Button", "3 6");
    expect("class=Switch !checked", "8");
    expect("*", "1 2 3 4 5 6 7 8 9");
    expect("* scrollable", "2");
}

Test(selector, steps_follow_axes_of_the_tree)
{
    expect("id=list > clickable", "3 6");
    expect("id=list > class=Switch", "");
    expect("id=list >> class=Switch", "5 8");
    expect("text=Wi-Fi < * > class=Switch", "5");
    expect("text^=蓝 << scrollable", "2");
    expect("class=Switch << *", "1 2 3 6");
    expect("* > *", "2 3 4 5 6 7 8 9");
    expect("class=FrameLayout < *", "");
}

Test(selector, indexes_count_from_either_end)
{
    expect("class=Switch [0]", "5");
    expect("class=Switch[1]", "8");
    expect("class=Switch [-1]", "8");
    expect("class=Switch [-3]", "");
    expect("class=Switch [2]", "");
    expect("id=row [1] > class=TextView", "7");
}

Test(selector, finds_the_first_or_names_similar_views)
{
    struct dj_ui_tree tree = {0};
    struct dj_selector *selector;
    struct dj_error err = {0};
    size_t node = 0;
    build(&tree);
    const char *text = "class=Switch";
    cr_assert_eq(dj_drive_selector_parse(text, strlen(text), &selector, &err), 0);
    cr_assert_eq(dj_drive_selector_find(selector, &tree, &node, &err), 0);
    cr_assert_eq(node, 5);
    dj_drive_selector_destroy(selector);
    text = "id=list >> text=Bluetooth";
    cr_assert_eq(dj_drive_selector_parse(text, strlen(text), &selector, &err), 0);
    cr_assert_eq(dj_drive_selector_find(selector, &tree, &node, &err), DJ_E_NOT_FOUND);
    cr_assert_str_eq(err.message,
                     "no view matches id=list >> text=Bluetooth among the 9 views on the "
                     "screen (step 2, text=Bluetooth, finds nothing); the screen has "
                     "\"Wi-Fi\", \"蓝牙 \"BT\"\", \"Wi-Fi calling\"");
    dj_drive_selector_destroy(selector);
    dj_drive_tree_finish(&tree);
}

Test(selector, nothing_matches_in_an_empty_tree)
{
    struct dj_ui_tree tree = {0};
    struct dj_selector *selector;
    struct dj_error err = {0};
    size_t node;
    cr_assert_eq(dj_drive_selector_parse("*", 1, &selector, &err), 0);
    cr_assert_eq(dj_drive_selector_find(selector, &tree, &node, &err), DJ_E_NOT_FOUND);
    dj_drive_selector_destroy(selector);
}

static void refuse(const char *text, const char *says)
{
    struct dj_selector *selector;
    struct dj_error err = {0};
    cr_expect_eq(dj_drive_selector_parse(text, strlen(text), &selector, &err), DJ_E_USAGE,
                 "%s", text);
    cr_expect(strstr(err.message, says) != NULL, "%s gave '%s', not '%s'", text,
              err.message, says);
}

Test(selector, invalid_selectors_are_refused_with_their_column)
{
    refuse("", "column 1: expected a condition");
    refuse("txt=\"a\"", "column 1: expected text, desc, id");
    refuse("text", "column 5: expected =, ^=");
    refuse("text=", "column 6: expected a value");
    refuse("text=\"蓝牙", "column 6: this quote is not closed");
    refuse("text=\"蓝牙\" foo", "column 11: expected text, desc");
    refuse("text~=\"(\"", "column 7: not a regular expression: ");
    refuse("clickable >", "column 12: expected a condition");
    refuse("clickable [x]", "column 11: expected an index");
    refuse("clickable [-0]", "column 11: expected an index");
    refuse("clickable [1] text=a", "column 15: expected the end, or >");
    refuse("clickable ! ", "column 12: expected text");
    refuse("*>*>*>*>*>*>*>*>*>*>*>*>*>*>*>*>*", "too many steps");
    refuse("!a", "column 2");
}
