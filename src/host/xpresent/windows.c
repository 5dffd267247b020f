/* Follows the tree of windows, and requests reports of presents from the X server. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/present.h>

#include "memory/memory.h"
#include "xpresent/session.h"

struct dj_xpresent_window *
dj_xpresent_windows_find(const struct dj_xpresent_session *session, xcb_window_t id)
{
    for (size_t i = session->window_count; i-- > 0;) {
        if (session->windows[i].id == id) {
            return &session->windows[i];
        }
    }
    return NULL;
}

/* Finds the process that created the window. All windows of a client have ids with the
 * same leading bits. */
static struct dj_xpresent_process *find_process(struct dj_xpresent_session *session,
                                                xcb_window_t id)
{
    uint32_t mask = session->display.client_mask;
    for (size_t i = 0; i < session->window_count; i++) {
        const struct dj_xpresent_window *window = &session->windows[i];
        if ((window->id & mask) == (id & mask) && window->process != NULL) {
            return window->process;
        }
    }
    int64_t pid = dj_xpresent_display_find_pid(&session->display, id);
    return pid > 0 && pid != getpid() ? dj_xpresent_processes_get(session, pid) : NULL;
}

/* Requests events of a window: new and destroyed child windows, changed properties, and
 * presents. If the window no longer exists, the server sends an error event, which is
 * ignored. */
static void select_events(struct dj_xpresent_session *session,
                          const struct dj_xpresent_window *window)
{
    xcb_connection_t *x = session->display.x;
    const uint32_t mask =
        XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_change_window_attributes(x, window->id, XCB_CW_EVENT_MASK, &mask);
    if (window->process != NULL &&
        (window->process->is_selected || session->options->window != NULL)) {
        xcb_present_select_input(x, xcb_generate_id(x), window->id,
                                 XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY);
    }
}

static void add_window(struct dj_xpresent_session *session, xcb_window_t id,
                       xcb_window_t parent)
{
    struct dj_text title = {0};
    struct dj_xpresent_window window = {.id = id, .parent = parent};
    if (parent != 0) {
        window.process = find_process(session, id);
        dj_xpresent_display_read_title(&session->display, id, &title);
    }
    window.title = dj_xtext_detach(&title);
    DJ_XPUSH(session->windows, session->window_count, window);
    select_events(session, &window);
}

/* Adds a window and all of its child windows that are not known yet. Requests the events
 * before it reads the list of child windows, so that no new child is missed. */
static void add_tree(struct dj_xpresent_session *session, xcb_window_t id,
                     xcb_window_t parent)
{
    if (dj_xpresent_windows_find(session, id) != NULL) {
        return;
    }
    if (session->window_count == DJ_XPRESENT_WINDOWS_MAX) {
        dj_message(session->options->messages,
                   "the X server has more than %d windows: new ones are not recorded",
                   DJ_XPRESENT_WINDOWS_MAX);
        return;
    }
    add_window(session, id, parent);
    xcb_connection_t *x = session->display.x;
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(x, xcb_query_tree(x, id), NULL);
    int count = tree != NULL ? xcb_query_tree_children_length(tree) : 0;
    const xcb_window_t *children = tree != NULL ? xcb_query_tree_children(tree) : NULL;
    for (int i = 0; i < count; i++) {
        add_tree(session, children[i], id);
    }
    free(tree);
}

void dj_xpresent_windows_scan(struct dj_xpresent_session *session)
{
    xcb_screen_iterator_t screens =
        xcb_setup_roots_iterator(xcb_get_setup(session->display.x));
    for (; screens.rem > 0; xcb_screen_next(&screens)) {
        add_tree(session, screens.data->root, 0);
    }
    xcb_flush(session->display.x);
}

void dj_xpresent_windows_finish(struct dj_xpresent_session *session)
{
    for (size_t i = 0; i < session->window_count; i++) {
        free(session->windows[i].title);
    }
    free(session->windows);
    session->windows = NULL;
    session->window_count = 0;
}

static void remove_window(struct dj_xpresent_session *session, xcb_window_t id)
{
    struct dj_xpresent_window *window = dj_xpresent_windows_find(session, id);
    if (window != NULL) {
        free(window->title);
        *window = session->windows[--session->window_count];
    }
}

static void move_window(struct dj_xpresent_session *session, xcb_window_t id,
                        xcb_window_t parent)
{
    struct dj_xpresent_window *window = dj_xpresent_windows_find(session, id);
    if (window != NULL) {
        window->parent = parent;
    }
}

static void handle_property(struct dj_xpresent_session *session,
                            const xcb_property_notify_event_t *event)
{
    struct dj_xpresent_window *window = dj_xpresent_windows_find(session, event->window);
    if (window != NULL && window->parent != 0 &&
        (event->atom == session->display.title || event->atom == XCB_ATOM_WM_NAME)) {
        dj_xpresent_titles_update(session, window);
    }
}

void dj_xpresent_windows_handle(struct dj_xpresent_session *session,
                                const xcb_generic_event_t *event)
{
    const void *bytes = event;
    const xcb_create_notify_event_t *created = bytes;
    const xcb_destroy_notify_event_t *destroyed = bytes;
    const xcb_reparent_notify_event_t *moved = bytes;
    switch (event->response_type & 0x7F) {
    case XCB_CREATE_NOTIFY:
        add_tree(session, created->window, created->parent);
        xcb_flush(session->display.x);
        break;
    case XCB_DESTROY_NOTIFY:
        remove_window(session, destroyed->window);
        break;
    case XCB_REPARENT_NOTIFY:
        move_window(session, moved->window, moved->parent);
        break;
    case XCB_PROPERTY_NOTIFY:
        handle_property(session, bytes);
        break;
    default:
        break;
    }
}
