/* Reads the area of the largest visible top-level window of the X server. */
#include "drive/desktop.h"

#include <xcb/xcb.h>

static long get_area(const struct dj_ui_rect *rect)
{
    return (long)dj_drive_rect_width(rect) * dj_drive_rect_height(rect);
}

/* Sets *area to the area of a window, in coordinates of the root window. Returns false if
 * the window is not visible. */
static bool compute_window_area(xcb_connection_t *x, xcb_window_t root,
                                xcb_window_t window, struct dj_ui_rect *area)
{
    xcb_get_window_attributes_reply_t *attributes =
        xcb_get_window_attributes_reply(x, xcb_get_window_attributes(x, window), NULL);
    xcb_get_geometry_reply_t *size =
        xcb_get_geometry_reply(x, xcb_get_geometry(x, window), NULL);
    xcb_translate_coordinates_reply_t *origin = xcb_translate_coordinates_reply(
        x, xcb_translate_coordinates(x, window, root, 0, 0), NULL);
    bool seen = attributes != NULL && size != NULL && origin != NULL &&
                attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
                attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;
    if (seen) {
        *area =
            (struct dj_ui_rect){origin->dst_x, origin->dst_y, origin->dst_x + size->width,
                                origin->dst_y + size->height};
    }
    free(attributes);
    free(size);
    free(origin);
    return seen;
}

static void find_largest(xcb_connection_t *x, const xcb_screen_t *screen,
                         struct dj_ui_rect *largest)
{
    const struct dj_ui_rect whole = {0, 0, screen->width_in_pixels,
                                     screen->height_in_pixels};
    xcb_query_tree_reply_t *tree =
        xcb_query_tree_reply(x, xcb_query_tree(x, screen->root), NULL);
    int count = tree != NULL ? xcb_query_tree_children_length(tree) : 0;
    xcb_window_t *windows = tree != NULL ? xcb_query_tree_children(tree) : NULL;
    for (int i = 0; i < count; i++) {
        struct dj_ui_rect place;
        if (compute_window_area(x, screen->root, windows[i], &place)) {
            place = dj_drive_rect_intersect(place, whole);
            *largest = get_area(&place) >= get_area(largest) ? place : *largest;
        }
    }
    free(tree);
}

int dj_desktop_read_window(struct dj_ui_rect *area, struct dj_error *err)
{
    int number = 0;
    xcb_connection_t *x = xcb_connect(NULL, &number);
    *area = (struct dj_ui_rect){0};
    if (xcb_connection_has_error(x)) {
        xcb_disconnect(x);
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "no X server answers at DISPLAY='%s'; without X, only views "
                            "given by selectors can be tapped",
                            getenv("DISPLAY") != NULL ? getenv("DISPLAY") : "");
    }
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(x));
    for (; number > 0 && screens.rem > 1; number--) {
        xcb_screen_next(&screens);
    }
    find_largest(x, screens.data, area);
    xcb_disconnect(x);
    return get_area(area) > 0
               ? 0
               : dj_error_set(err, DJ_E_NO_DATA, "there is no window on the X display");
}
