#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>
#include <wayland-egl.h>

#include "scene.h"
#include "xdg-shell-client-protocol.h"

static struct wl_display *connection;
static struct wl_compositor *compositor;
static struct xdg_wm_base *shell;
static struct wl_output *output; /* The output that was bound last. */
static bool configured;
static EGLDisplay egl;
static EGLSurface surface;
static EGLContext context;

static void ping(void *data, struct xdg_wm_base *base, uint32_t serial)
{
    (void)data;
    xdg_wm_base_pong(base, serial);
}

static const struct xdg_wm_base_listener shell_listener = {.ping = ping};

static void ignore_geometry(void *data, struct wl_output *shown, int32_t x, int32_t y,
                            int32_t width_mm, int32_t height_mm, int32_t subpixel,
                            const char *make, const char *model, int32_t transform)
{
    (void)data, (void)shown, (void)x, (void)y, (void)width_mm, (void)height_mm;
    (void)subpixel, (void)make, (void)model, (void)transform;
}

static void ignore_mode(void *data, struct wl_output *shown, uint32_t flags,
                        int32_t width, int32_t height, int32_t millihertz)
{
    (void)data, (void)shown, (void)flags, (void)width, (void)height, (void)millihertz;
}

static const struct wl_output_listener output_listener = {.geometry = ignore_geometry,
                                                          .mode = ignore_mode};

/* Ends the program if the surface enters an output that the program has not bound. */
static void enter_output(void *data, struct wl_surface *wl, struct wl_output *entered)
{
    (void)data, (void)wl;
    if (wl_proxy_get_listener((struct wl_proxy *)entered) != &output_listener ||
        wl_output_get_user_data(entered) != &output) {
        fprintf(stderr, "scene: the surface has entered an unknown output\n");
        exit(1);
    }
}

static void leave_output(void *data, struct wl_surface *wl, struct wl_output *left)
{
    (void)data, (void)wl, (void)left;
}

static const struct wl_surface_listener output_changes = {.enter = enter_output,
                                                          .leave = leave_output};

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
    } else if (strcmp(interface, wl_output_interface.name) == 0) {
        output = wl_registry_bind(registry, name, &wl_output_interface, 1);
        wl_output_add_listener(output, &output_listener, &output);
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

static bool open_egl(struct wl_surface *wl)
{
    static const EGLint config_attributes[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT,
                                               EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                                               EGL_NONE};
    static const EGLint context_attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint count;
    egl = eglGetDisplay((EGLNativeDisplayType)connection);
    if (!eglInitialize(egl, NULL, NULL) ||
        !eglChooseConfig(egl, config_attributes, &config, 1, &count) || count < 1) {
        return false;
    }
    eglBindAPI(EGL_OPENGL_ES_API);
    context = eglCreateContext(egl, config, EGL_NO_CONTEXT, context_attributes);
    struct wl_egl_window *native = wl_egl_window_create(wl, 320, 240);
    surface = eglCreateWindowSurface(egl, config, (EGLNativeWindowType)native, NULL);
    return eglMakeCurrent(egl, surface, surface, context) && eglSwapInterval(egl, 1);
}

static bool open_window(void)
{
    connection = wl_display_connect(NULL);
    if (connection == NULL) {
        return false;
    }
    struct wl_registry *registry = wl_display_get_registry(connection);
    wl_registry_add_listener(registry, &registry_listener, NULL);
    wl_display_roundtrip(connection);
    if (compositor == NULL || shell == NULL) {
        return false;
    }
    struct wl_surface *wl = wl_compositor_create_surface(compositor);
    wl_surface_add_listener(wl, &output_changes, NULL);
    struct xdg_surface *xdg = xdg_wm_base_get_xdg_surface(shell, wl);
    xdg_surface_add_listener(xdg, &surface_listener, NULL);
    struct xdg_toplevel *toplevel = xdg_surface_get_toplevel(xdg);
    xdg_toplevel_add_listener(toplevel, &toplevel_listener, NULL);
    xdg_toplevel_set_title(toplevel, "a scene");
    wl_surface_commit(wl);
    while (!configured && wl_display_dispatch(connection) >= 0) {
    }
    return configured && open_egl(wl);
}

static void make_current(bool current)
{
    EGLSurface drawn = current ? surface : EGL_NO_SURFACE;
    eglMakeCurrent(egl, drawn, drawn, current ? context : EGL_NO_CONTEXT);
}

static void draw_and_swap(void)
{
    static float shade;
    shade = shade > 0.99F ? 0 : shade + 0.01F;
    glClearColor(shade, 0.3F, 0.5F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    eglSwapBuffers(egl, surface);
    wl_display_dispatch_pending(connection);
}

static void round_trip(double least_ms)
{
    (void)least_ms;
    wl_display_roundtrip(connection);
}

/* Closes the connection without destroying the window's Wayland objects. These objects
 * must not cause a failure later. */
static void close_window(void)
{
    eglMakeCurrent(egl, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(egl, surface);
    eglTerminate(egl);
    wl_display_disconnect(connection);
    configured = false;
}

const struct scene_display scene_wayland = {
    .name = "wayland",
    .open = open_window,
    .make_current = make_current,
    .draw_and_swap = draw_and_swap,
    .round_trip = round_trip,
    .close = close_window,
};
