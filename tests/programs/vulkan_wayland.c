#define VK_USE_PLATFORM_WAYLAND_KHR
#include <string.h>
#include <wayland-client.h>

#include "vulkan_scene.h"
#include "xdg-shell-client-protocol.h"

static struct wl_display *connection;
static struct wl_compositor *compositor;
static struct xdg_wm_base *shell;
static bool configured;

static void ping(void *data, struct xdg_wm_base *base, uint32_t serial)
{
    (void)data;
    xdg_wm_base_pong(base, serial);
}

static const struct xdg_wm_base_listener shell_listener = {.ping = ping};

static void global(void *data, struct wl_registry *registry, uint32_t name,
                   const char *interface, uint32_t version)
{
    (void)data;
    (void)version;
    if (strcmp(interface, wl_compositor_interface.name) == 0) {
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
    } else if (strcmp(interface, xdg_wm_base_interface.name) == 0) {
        shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
        xdg_wm_base_add_listener(shell, &shell_listener, NULL);
    }
}

static void global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
    (void)data;
    (void)registry;
    (void)name;
}

static const struct wl_registry_listener registry_listener = {global, global_remove};

static void configure(void *data, struct xdg_surface *xdg, uint32_t serial)
{
    (void)data;
    xdg_surface_ack_configure(xdg, serial);
    configured = true;
}

static const struct xdg_surface_listener surface_listener = {.configure = configure};

static void toplevel_configure(void *data, struct xdg_toplevel *toplevel, int32_t width,
                               int32_t height, struct wl_array *states)
{
    (void)data;
    (void)toplevel;
    (void)width;
    (void)height;
    (void)states;
}

static void toplevel_close(void *data, struct xdg_toplevel *toplevel)
{
    (void)data;
    (void)toplevel;
}

static const struct xdg_toplevel_listener toplevel_listener = {
    .configure = toplevel_configure, .close = toplevel_close};

static bool open_display(void)
{
    connection = wl_display_connect(NULL);
    if (connection == NULL) {
        return false;
    }
    struct wl_registry *registry = wl_display_get_registry(connection);
    wl_registry_add_listener(registry, &registry_listener, NULL);
    wl_display_roundtrip(connection);
    return compositor != NULL && shell != NULL;
}

static bool add_window(VkInstance instance, VkSurfaceKHR *surface)
{
    struct wl_surface *wl = wl_compositor_create_surface(compositor);
    struct xdg_surface *xdg = xdg_wm_base_get_xdg_surface(shell, wl);
    xdg_surface_add_listener(xdg, &surface_listener, NULL);
    xdg_toplevel_add_listener(xdg_surface_get_toplevel(xdg), &toplevel_listener, NULL);
    wl_surface_commit(wl);
    configured = false;
    while (!configured && wl_display_dispatch(connection) >= 0) {
    }
    const VkWaylandSurfaceCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
        .display = connection,
        .surface = wl,
    };
    return vkCreateWaylandSurfaceKHR(instance, &info, NULL, surface) == VK_SUCCESS;
}

static void dispatch(void)
{
    wl_display_dispatch_pending(connection);
}

const struct vulkan_display vulkan_wayland = {
    .name = "wayland",
    .extension = VK_KHR_WAYLAND_SURFACE_EXTENSION_NAME,
    .open = open_display,
    .add_window = add_window,
    .dispatch = dispatch,
};
