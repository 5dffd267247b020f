#include "xpresent/display.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/present.h>
#include <xcb/res.h>

/* Maximum length of a title in words of 32 bits. */
enum { TITLE_WORDS = 64 };

static const char *get_display_name(void)
{
    const char *name = getenv("DISPLAY");
    return name != NULL ? name : "";
}

/* Returns true if the display name means a connection on this machine. Only then does the
 * server use the clock and the process ids of this machine. */
static bool is_local(const char *name)
{
    char *host = NULL;
    int display = 0;
    bool local = xcb_parse_display(name, &host, &display, NULL) != 0 &&
                 (host[0] == '\0' || host[0] == '/' || strcmp(host, "unix") == 0);
    free(host);
    return local;
}

static int check_extensions(struct dj_xpresent_display *display, struct dj_error *err)
{
    xcb_prefetch_extension_data(display->x, &xcb_present_id);
    xcb_prefetch_extension_data(display->x, &xcb_res_id);
    const xcb_query_extension_reply_t *present =
        xcb_get_extension_data(display->x, &xcb_present_id);
    const xcb_query_extension_reply_t *resource =
        xcb_get_extension_data(display->x, &xcb_res_id);
    if (present == NULL || !present->present) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "the X server at DISPLAY='%s' lacks the extension Present, "
                            "which reports frames",
                            get_display_name());
    }
    if (resource == NULL || !resource->present) {
        return dj_error_set(
            err, DJ_E_UNSUPPORTED,
            "the X server at DISPLAY='%s' lacks the extension X-Resource, "
            "which names the process of a window",
            get_display_name());
    }
    display->present_opcode = present->major_opcode;
    xcb_connection_t *x = display->x;
    free(xcb_present_query_version_reply(x, xcb_present_query_version(x, 1, 2), NULL));
    free(xcb_res_query_version_reply(x, xcb_res_query_version(x, 1, 2), NULL));
    return 0;
}

static xcb_atom_t find_atom(xcb_connection_t *x, const char *name)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        x, xcb_intern_atom(x, 0, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t atom = reply != NULL ? reply->atom : (xcb_atom_t)XCB_ATOM_NONE;
    free(reply);
    return atom;
}

int dj_xpresent_display_open(struct dj_xpresent_display *display, struct dj_error *err)
{
    *display = (struct dj_xpresent_display){.x = xcb_connect(NULL, NULL)};
    int code = 0;
    if (xcb_connection_has_error(display->x)) {
        code = dj_error_set(err, DJ_E_NOT_FOUND,
                            "no X server answers at DISPLAY='%s'. Only 'dejank record "
                            "-- CMD' records programs that draw with Wayland, not with X",
                            get_display_name());
    } else if (!is_local(get_display_name())) {
        code = dj_error_set(err, DJ_E_UNSUPPORTED,
                            "the X server at DISPLAY='%s' is on another machine, so its "
                            "clock cannot be compared",
                            get_display_name());
    } else {
        code = check_extensions(display, err);
    }
    if (code != 0) {
        dj_xpresent_display_close(display);
        return code;
    }
    display->client_mask = ~xcb_get_setup(display->x)->resource_id_mask;
    display->title = find_atom(display->x, "_NET_WM_NAME");
    display->utf8 = find_atom(display->x, "UTF8_STRING");
    return 0;
}

void dj_xpresent_display_close(struct dj_xpresent_display *display)
{
    xcb_disconnect(display->x);
    display->x = NULL;
}

int64_t dj_xpresent_display_find_pid(const struct dj_xpresent_display *display,
                                     xcb_window_t window)
{
    const xcb_res_client_id_spec_t wanted = {window,
                                             XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
    xcb_res_query_client_ids_reply_t *reply = xcb_res_query_client_ids_reply(
        display->x, xcb_res_query_client_ids(display->x, 1, &wanted), NULL);
    int64_t pid = 0;
    if (reply != NULL) {
        xcb_res_client_id_value_iterator_t ids =
            xcb_res_query_client_ids_ids_iterator(reply);
        for (; ids.rem > 0 && pid == 0; xcb_res_client_id_value_next(&ids)) {
            if ((ids.data->spec.mask & XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID) != 0 &&
                xcb_res_client_id_value_value_length(ids.data) > 0) {
                pid = (int32_t)xcb_res_client_id_value_value(ids.data)[0];
            }
        }
    }
    free(reply);
    return pid > 0 ? pid : 0;
}

static void append_property(const struct dj_xpresent_display *display,
                            xcb_window_t window, xcb_atom_t property, xcb_atom_t type,
                            struct dj_text *title)
{
    xcb_get_property_reply_t *reply = xcb_get_property_reply(
        display->x,
        xcb_get_property(display->x, 0, window, property, type, 0, TITLE_WORDS), NULL);
    if (reply != NULL && reply->format == 8) {
        const char *bytes = xcb_get_property_value(reply);
        dj_text_append(title, bytes,
                       strnlen(bytes, (size_t)xcb_get_property_value_length(reply)));
    }
    free(reply);
}

void dj_xpresent_display_read_title(const struct dj_xpresent_display *display,
                                    xcb_window_t window, struct dj_text *title)
{
    append_property(display, window, display->title, display->utf8, title);
    if (title->length == 0) {
        append_property(display, window, XCB_ATOM_WM_NAME, XCB_GET_PROPERTY_TYPE_ANY,
                        title);
    }
}

bool dj_xpresent_display_is_viewable(const struct dj_xpresent_display *display,
                                     xcb_window_t window)
{
    xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
        display->x, xcb_get_window_attributes(display->x, window), NULL);
    bool viewable = reply != NULL && reply->map_state == XCB_MAP_STATE_VIEWABLE &&
                    reply->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;
    free(reply);
    return viewable;
}
