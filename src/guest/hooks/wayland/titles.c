/* Assigns each xdg_toplevel to its window: from wl_surface through xdg_surface to the
 * title. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "hooks/busy.h"
#include "hooks/titles.h"
#include "hooks/wayland/connection.h"

enum { ROLES = 32 };

/* An xdg_surface or xdg_toplevel. New ones replace the oldest: they are named soon
 * after they are made. */
static struct {
    atomic_flag busy;
    unsigned next;
    struct {
        const void *proxy;
        uint64_t window;
    } role[ROLES];
} roles = {.busy = ATOMIC_FLAG_INIT};

static void remember(const void *proxy, uint64_t window)
{
    if (!dj_busy_try_enter(&roles.busy)) {
        return;
    }
    size_t place = 0;
    while (place < ROLES && roles.role[place].proxy != proxy) {
        place++;
    }
    if (place == ROLES) {
        place = roles.next++ % ROLES;
    }
    roles.role[place].proxy = proxy;
    roles.role[place].window = window;
    dj_busy_leave(&roles.busy);
}

/* Returns 0 if it is unknown. */
static uint64_t window_of(const void *proxy)
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

uint64_t dj_wayland_window(uint32_t connection, uint32_t surface)
{
    return (uint64_t)(connection + 1) << 32 | surface;
}

void dj_wayland_names(const struct dj_wayland_request *request)
{
    enum { SET_TITLE = 2 };
    if (request->opcode != SET_TITLE ||
        strcmp(request->class_name, "xdg_toplevel") != 0 ||
        request->arguments[0].s == NULL) {
        return;
    }
    uint64_t window = window_of(request->proxy);
    if (window != 0) {
        const char *title = request->arguments[0].s;
        dj_titles_set_name(DJ_NAMER_WAYLAND, window, title, strlen(title));
    }
}

void dj_wayland_made(const struct dj_wayland *wayland, uint32_t connection,
                     const struct dj_wayland_request *request, const void *made)
{
    enum { GET_XDG_SURFACE = 2, GET_TOPLEVEL = 1 };
    if (request->opcode == GET_XDG_SURFACE &&
        strcmp(request->class_name, "xdg_wm_base") == 0) {
        void *surface = request->arguments[1].o;
        remember(made, dj_wayland_window(connection, wayland->id_of(surface)));
    } else if (request->opcode == GET_TOPLEVEL &&
               strcmp(request->class_name, "xdg_surface") == 0) {
        remember(made, window_of(request->proxy));
    }
}
