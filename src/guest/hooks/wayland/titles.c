/* Finds the window of each xdg_toplevel object, whose title the app sets. An
 * xdg_toplevel belongs to an xdg_surface, which belongs to a wl_surface. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "hooks/busy.h"
#include "hooks/titles.h"
#include "hooks/wayland/connection.h"

enum { ROLES = 32 };

/* The windows of xdg_surface and xdg_toplevel objects. If the array is full, a new object
 * replaces the oldest one. This loses few titles, because an app sets a title soon after
 * it has made the object. */
static struct {
    atomic_flag busy;
    unsigned next;
    struct {
        const void *proxy;
        uint64_t window;
    } role[ROLES];
} roles = {.busy = ATOMIC_FLAG_INIT};

static void store_role(const void *proxy, uint64_t window)
{
    if (!dj_busy_try_enter(&roles.busy)) {
        return;
    }
    size_t slot = 0;
    while (slot < ROLES && roles.role[slot].proxy != proxy) {
        slot++;
    }
    if (slot == ROLES) {
        slot = roles.next++ % ROLES;
    }
    roles.role[slot].proxy = proxy;
    roles.role[slot].window = window;
    dj_busy_leave(&roles.busy);
}

/* Returns the window of the object, or 0 if unknown. */
static uint64_t find_window(const void *proxy)
{
    uint64_t window = 0;
    if (!dj_busy_try_enter(&roles.busy)) {
        return 0;
    }
    for (size_t i = 0; i < ROLES; i++) {
        if (roles.role[i].proxy == proxy) {
            window = roles.role[i].window;
        }
    }
    dj_busy_leave(&roles.busy);
    return window;
}

uint64_t dj_wayland_get_window(uint32_t connection, uint32_t surface)
{
    return (uint64_t)(connection + 1) << 32 | surface;
}

void dj_wayland_read_title(const struct dj_wayland_request *request)
{
    enum { SET_TITLE = 2 };
    if (request->opcode != SET_TITLE ||
        strcmp(request->class_name, "xdg_toplevel") != 0 ||
        request->arguments[0].s == NULL) {
        return;
    }
    uint64_t window = find_window(request->proxy);
    if (window != 0) {
        const char *title = request->arguments[0].s;
        dj_titles_set_name(DJ_NAMER_WAYLAND, window, title, strlen(title));
    }
}

void dj_wayland_add_role(const struct dj_wayland *wayland, uint32_t connection,
                         const struct dj_wayland_request *request, const void *made)
{
    enum { GET_XDG_SURFACE = 2, GET_TOPLEVEL = 1 };
    if (request->opcode == GET_XDG_SURFACE &&
        strcmp(request->class_name, "xdg_wm_base") == 0) {
        void *surface = request->arguments[1].o;
        store_role(made, dj_wayland_get_window(connection, wayland->id_of(surface)));
    } else if (request->opcode == GET_TOPLEVEL &&
               strcmp(request->class_name, "xdg_surface") == 0) {
        store_role(made, find_window(request->proxy));
    }
}
