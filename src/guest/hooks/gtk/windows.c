/* Properties of GTK's windows: titles, visibility, and number of widgets. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hooks/gtk/frame_clock.h"

enum { MOST_WIDGETS = 10000, DEEPEST = 100 };
static const int64_t second_ns = 1000000000;

static struct {
    bool found; /* True if GTK's functions were found. */
    size_t window, container;
} types;

/* Returns the mapped window with this clock, or NULL. A mapped window exists until its
 * unmap signal, so no reference is needed. */
static void *find_window(const void *clock)
{
    void *found = NULL;
    struct dj_gtk_list *windows = dj_gtk.gtk_window_list_toplevels();
    for (struct dj_gtk_list *at = windows; at != NULL && found == NULL; at = at->next) {
        if (dj_gtk.gtk_widget_get_mapped(at->data) &&
            dj_gtk.gtk_widget_get_frame_clock(at->data) == clock) {
            found = at->data;
        }
    }
    dj_gtk.g_list_free(windows);
    return found;
}

/* Counts the widgets of a tree without recursion. */
static uint32_t count_by_siblings(void *root)
{
    uint32_t count = 0;
    void *at = root;
    while (at != NULL && count < MOST_WIDGETS) {
        count++;
        void *next = dj_gtk.gtk_widget_get_first_child(at);
        while (next == NULL && at != root && at != NULL) {
            next = dj_gtk.gtk_widget_get_next_sibling(at);
            at = next == NULL ? dj_gtk.gtk_widget_get_parent(at) : at;
        }
        at = next;
    }
    return count;
}

struct walk {
    uint32_t count;
    unsigned depth;
};

static void count_widget(void *widget, void *data)
{
    struct walk *walk = data;
    if (walk->count >= MOST_WIDGETS || walk->depth >= DEEPEST) {
        return;
    }
    walk->count++;
    if (dj_gtk.g_type_check_instance_is_a(widget, types.container)) {
        walk->depth++;
        dj_gtk.gtk_container_forall(widget, count_widget, walk);
        walk->depth--;
    }
}

static uint32_t count_widgets(void *window)
{
    if (dj_gtk.gtk_widget_get_first_child != NULL &&
        dj_gtk.gtk_widget_get_next_sibling != NULL &&
        dj_gtk.gtk_widget_get_parent != NULL) {
        return count_by_siblings(window);
    }
    struct walk walk = {0};
    if (dj_gtk.gtk_container_forall != NULL && types.container != 0) {
        count_widget(window, &walk);
    }
    return walk.count;
}

static void report_title(struct dj_gtk_clock *clock)
{
    const char *title = dj_gtk.gtk_window_get_title(clock->window);
    if (title == NULL || title[0] == '\0' ||
        strncmp(title, clock->title, sizeof(clock->title) - 1) == 0 ||
        !dj_recorder_set_title(clock->surface, title)) {
        return;
    }
    snprintf(clock->title, sizeof(clock->title), "%s", title);
}

void dj_gtk_report_window(struct dj_gtk_clock *clock, int64_t now_ns)
{
    if (!types.found) {
        return;
    }
    if (!clock->known) {
        clock->window = find_window(clock->clock);
        clock->known = true;
    }
    if (clock->window == NULL) {
        return;
    }
    report_title(clock);
    if (now_ns - clock->counted_ns >= second_ns) {
        clock->counted_ns = now_ns;
        uint32_t count = count_widgets(clock->window);
        if (count != 0) {
            dj_recorder_set_views(clock->surface, count);
        }
    }
}

static void handle_map(void *window)
{
    struct dj_gtk_clock *clock =
        dj_gtk_find_clock(dj_gtk.gtk_widget_get_frame_clock(window));
    if (clock != NULL && clock->window == NULL) {
        clock->window = window;
        clock->known = true;
        dj_recorder_set_visibility(clock->surface, DJ_VISIBLE);
    }
}

/* Reports the window as DJ_GONE, as Android does for the views of an app that is not
 * visible. */
static void handle_unmap(const void *window)
{
    struct dj_gtk_clock *clock = dj_gtk_find_clock_of_window(window);
    if (clock != NULL) {
        clock->window = NULL;
        dj_recorder_set_visibility(clock->surface, DJ_GONE);
    }
}

/* Handles the map and unmap signals. These signals are emitted for every widget, but only
 * windows matter. Unlike the signals of frames, they must be handled even inside another
 * hook. Otherwise the address of a destroyed window would remain in the table. */
static int on_mapped(void *hint, unsigned count, const struct dj_gtk_value *values,
                     void *data)
{
    (void)hint;
    (void)count;
    int saved_errno = errno;
    void *widget = dj_gtk.g_value_peek_pointer(values);
    if (dj_gtk.g_type_check_instance_is_a(widget, types.window)) {
        if (data != NULL) {
            handle_map(widget);
        } else {
            handle_unmap(widget);
        }
    }
    errno = saved_errno;
    return 1;
}

void dj_gtk_watch_windows(void)
{
    if (!dj_gtk_load_window_functions()) {
        return;
    }
    size_t widget = dj_gtk.g_type_from_name("GtkWidget");
    types.window = dj_gtk.g_type_from_name("GtkWindow");
    types.container = dj_gtk.g_type_from_name("GtkContainer");
    types.found = types.window != 0 &&
                  dj_gtk_hook_signal(widget, "unmap", on_mapped, NULL) &&
                  dj_gtk_hook_signal(widget, "map", on_mapped, &types);
}
