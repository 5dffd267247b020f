#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/selector.h"
#include "drive/ui_tree.h"

static const char small[] =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    "<hierarchy rotation=\"1\">\n"
    " <node index=\"0\" text=\"\" class=\"android.widget.FrameLayout\" "
    "package=\"com.example\" content-desc=\"\" enabled=\"true\" "
    "bounds=\"[0,0][1920,1080]\">\n"
    "  <node index=\"3\" NAF=\"true\" text=\"A &quot;B&quot; &amp; 중 &#10;C\" "
    "resource-id=\"com.example:id/list\" class=\"android.widget.ListView\" "
    "content-desc=\"rows\" scrollable=\"true\" long-clickable=\"true\" "
    "bounds=\"[-10,210][1080,1794]\" />\n"
    " </node>\n"
    "</hierarchy>";

Test(ui_xml, a_dump_is_parsed)
{
    struct dj_ui_tree tree = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_ui_tree_read_xml(&tree, small, strlen(small), &err), 0, "%s",
                 err.message);
    cr_assert_eq(tree.count, 3);
    const struct dj_ui_node *list = &tree.nodes[2];
    cr_assert_eq(list->parent, 1);
    cr_assert_eq(list->depth, 2);
    cr_assert_eq(list->bounds.left, -10);
    cr_assert_eq(list->bounds.bottom, 1794);
    cr_assert_eq(list->flags, DJ_UI_SCROLLABLE | DJ_UI_LONG_CLICKABLE);
    cr_assert_str_eq(dj_drive_node_text(&tree, 2, DJ_UI_TEXT), "A \"B\" & 중 \nC");
    cr_assert_str_eq(dj_drive_node_text(&tree, 2, DJ_UI_ID), "com.example:id/list");
    cr_assert_str_eq(dj_drive_node_text(&tree, 2, DJ_UI_DESC), "rows");
    cr_assert_str_eq(dj_drive_node_text(&tree, 2, DJ_UI_PACKAGE), "");
    dj_drive_tree_finish(&tree);
}

static void expect_error(const char *xml, int code, const char *says)
{
    struct dj_ui_tree tree = {0};
    struct dj_error err = {0};
    cr_expect_eq(dj_ui_tree_read_xml(&tree, xml, strlen(xml), &err), code, "%s gave %d",
                 xml, err.code);
    cr_expect(strstr(err.message, says) != NULL, "'%s' has no '%s'", err.message, says);
    dj_drive_tree_finish(&tree);
}

Test(ui_xml, errors_have_line_and_column)
{
    expect_error("", DJ_E_TRUNCATED, "line 1, column 1");
    expect_error("<html/>", DJ_E_INVALID, "expected <hierarchy>, found <html");
    expect_error("<hierarchy>\n <view/></hierarchy>", DJ_E_INVALID,
                 "line 2, column 2: expected <node>, found <view");
    expect_error("<hierarchy>\n<node bounds='[0,0][1'/></hierarchy>", DJ_E_INVALID,
                 "line 2, column 1: expected bounds=");
    expect_error("<hierarchy><node bounds='[0,0][99999999999,1]'/></hierarchy>",
                 DJ_E_INVALID, "expected bounds=");
    expect_error("<hierarchy><node enabled='yes'/></hierarchy>", DJ_E_INVALID,
                 "expected true or false, found yes");
    expect_error("<hierarchy><node></hierarchy>", DJ_E_INVALID, "mismatched tag");
    expect_error("ERROR: could not get idle state.", DJ_E_INVALID, "line 1, column 1");
}

/* A dump that is truncated at any byte is an error and never crashes the parser. */
Test(ui_xml, a_truncated_dump_is_an_error)
{
    for (size_t length = 0; length < strlen(small); length++) {
        struct dj_ui_tree tree = {0};
        struct dj_error err = {0};
        cr_assert_eq(dj_ui_tree_read_xml(&tree, small, length, &err), DJ_E_TRUNCATED,
                     "cut at %zu: %s", length, err.message);
        dj_drive_tree_finish(&tree);
    }
}

Test(ui_xml, too_many_or_too_deep_nodes_are_refused)
{
    struct dj_text xml = {0};
    dj_text_add(&xml, "<hierarchy>");
    for (int i = 0; i <= DJ_UI_DEPTH_MAX; i++) {
        dj_text_add(&xml, "<node>");
    }
    expect_error(dj_text_get(&xml), DJ_E_LIMIT, "more views than a screen can have");
    dj_text_finish(&xml);
}

static char *read_file(const char *folder, const char *name, size_t *length)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 20);
    cr_assert_not_null(file);
    *length = fread(bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return bytes;
}

/* Counts tags of a real dump without an XML parser, to compare with the parsed tree. */
static size_t count_substrings(const char *bytes, const char *what)
{
    size_t count = 0;
    while ((bytes = strstr(bytes, what)) != NULL) {
        count++;
        bytes += strlen(what);
    }
    return count;
}

static size_t count_flag(const struct dj_ui_tree *tree, unsigned flag)
{
    size_t count = 0;
    for (size_t i = 0; i < tree->count; i++) {
        count += (tree->nodes[i].flags & flag) != 0;
    }
    return count;
}

static void expect_whole(const char *folder, const char *name)
{
    struct dj_ui_tree tree = {0};
    struct dj_error err = {0};
    size_t length;
    char *bytes = read_file(folder, name, &length);
    cr_assert_eq(dj_ui_tree_read_xml(&tree, bytes, length, &err), 0, "%s: %s", name,
                 err.message);
    cr_expect_eq(tree.count - 1, count_substrings(bytes, "<node"), "%s", name);
    cr_expect_eq(count_flag(&tree, DJ_UI_SCROLLABLE),
                 count_substrings(bytes, " scrollable=\"true\""), "%s", name);
    cr_expect_eq(count_flag(&tree, DJ_UI_CLICKABLE),
                 count_substrings(bytes, " clickable=\"true\""), "%s", name);
    dj_drive_tree_finish(&tree);
    free(bytes);
}

Test(ui_xml, real_dumps_are_parsed_completely)
{
    char folder[512];
    const char *corpus = getenv("DEJANK_CORPUS");
    if (corpus == NULL) {
        cr_skip("DEJANK_CORPUS names no folder of real dumps");
    }
    snprintf(folder, sizeof(folder), "%s/uiautomator", corpus);
    DIR *listing = opendir(folder);
    cr_assert_not_null(listing, "%s", folder);
    size_t read = 0;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (strstr(entry->d_name, ".xml") != NULL) {
            expect_whole(folder, entry->d_name);
            read++;
        }
    }
    closedir(listing);
    cr_assert_geq(read, 5);
}
