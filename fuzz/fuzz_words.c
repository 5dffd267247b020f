/* Reads any bytes as input of the drivers. The first byte selects the reader of the
 * remaining bytes: a tree of views, a selector, gestures, or a flow. Error offsets must
 * be within the input. Touch points must be within their area. If a selector finds
 * something, this must be a view. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "drive/flows.h"
#include "drive/gesture/list.h"
#include "drive/touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char screen[] =
    "<hierarchy rotation='0'><node text='a' class='x.A' bounds='[0,0][100,200]'>"
    "<node text='b' resource-id='p:id/b' scrollable='true' bounds='[10,20][90,180]'/>"
    "<node text='c' clickable='true' bounds='[-5,190][50,230]'/></node></hierarchy>";

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_error(const struct dj_error *err, size_t size)
{
    check(err->code < 0 && err->message[0] != '\0');
    check(!err->has_offset || (err->offset >= 0 && (size_t)err->offset <= size));
}

static void check_tree(const struct dj_ui_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct dj_ui_node *node = &tree->nodes[i];
        check(i == 0 ||
              (node->parent < i && node->depth == tree->nodes[node->parent].depth + 1));
        for (int k = 0; k < DJ_UI_FIELDS; k++) {
            check(node->field[k] < tree->strings.length);
        }
        dj_drive_node_visible_area(tree, i);
    }
}

static void read_tree(const char *text, size_t size)
{
    struct dj_ui_tree tree = {0};
    struct dj_error err = {0};
    int code = dj_ui_tree_read_xml(&tree, text, size, &err);
    check(code == 0 || code == err.code);
    check_tree(&tree);
    dj_drive_tree_finish(&tree);
}

static void find(const struct dj_selector *selector)
{
    struct dj_ui_tree tree = {0};
    struct dj_error err = {0};
    size_t node = 0;
    if (dj_ui_tree_read_xml(&tree, screen, sizeof(screen) - 1, &err) == 0) {
        int code = dj_drive_selector_find(selector, &tree, &node, &err);
        check(code == 0 ? node > 0 && node < tree.count : code == DJ_E_NOT_FOUND);
    }
    dj_drive_tree_finish(&tree);
}

static void read_selector(const char *text, size_t size)
{
    struct dj_selector *selector;
    struct dj_error err = {0};
    if (dj_drive_selector_parse(text, size, &selector, &err) != 0) {
        check_error(&err, size);
        return;
    }
    find(selector);
    dj_drive_selector_destroy(selector);
}

static void plan(const struct dj_gesture *gesture)
{
    static const struct dj_ui_rect areas[] = {{0, 0, 1080, 2400}, {7, 9, 8, 10}};
    for (size_t i = 0; i < 2; i++) {
        struct dj_touch_plan made = {0};
        struct dj_error err = {0};
        if (dj_touch_plan_gesture(gesture, &areas[i], &made, &err) == 0) {
            check(made.count >= 2);
            for (size_t k = 0; k < made.count; k++) {
                const struct dj_touch_event *event = &made.events[k];
                check(event->x >= areas[i].left && event->x < areas[i].right);
                check(event->y >= areas[i].top && event->y < areas[i].bottom);
                check(k == 0 || event->at_ns >= made.events[k - 1].at_ns);
            }
        } else {
            check(err.code < 0);
        }
        dj_touch_plan_finish(&made);
    }
}

static void read_gestures(const char *text, size_t size)
{
    struct dj_gesture_list gestures = {0};
    struct dj_error err = {0};
    if (dj_gesture_parse_list(text, size, &gestures, &err) != 0) {
        check_error(&err, size);
    } else {
        check(gestures.count > 0);
        for (size_t i = 0; i < gestures.count; i++) {
            plan(&gestures.items[i]);
        }
    }
    dj_gesture_finish_list(&gestures);
}

static void read_flow(const char *text, size_t size)
{
    const struct dj_flow *flow;
    struct dj_text gestures = {0};
    struct dj_error err = {0};
    if (dj_flows_expand(text, size, &flow, &gestures, &err) != 0) {
        check_error(&err, size);
    } else {
        read_gestures(dj_text_get(&gestures), gestures.length);
    }
    dj_text_finish(&gestures);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(const char *, size_t) = {read_tree, read_selector,
                                                            read_gestures, read_flow};
    if (size == 0 || size > 20000) {
        return 0;
    }
    /* A copy without a NUL after the text. */
    char *text = malloc(size > 1 ? size - 1 : 1);
    memcpy(text, data + 1, size - 1);
    readers[data[0] % 4](text, size - 1);
    free(text);
    return 0;
}
