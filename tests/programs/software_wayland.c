/* Draws frames with the CPU at about 60 Hz into wl_shm buffers. Some frames are late on
 * purpose. Each frame may be committed in several parts.
 *
 *   software_wayland FRAMES LATE_EVERY PARTS [cursor]
 *
 * Every LATE_EVERY-th frame takes 40 ms (0: none). Each part damages different lines.
 * After each frame, the program commits the surface without a new buffer. This commit is
 * not a frame. With "cursor", each frame also commits the surface of the pointer's
 * picture. Prints "drawn N late M". */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <wayland-client.h>

#include "xdg-shell-client-protocol.h"

enum { WIDTH = 160, HEIGHT = 120, BYTES = WIDTH * HEIGHT * 4, BUFFERS = 4, LATE_MS = 40 };
static const int64_t interval_ns = 16666667;

static struct wl_display *display;
static struct wl_compositor *compositor;
static struct wl_shm *shm;
static struct wl_seat *seat;
static struct xdg_wm_base *shell;
static struct wl_buffer *buffers[BUFFERS];
static bool configured;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void global(void *data, struct wl_registry *registry, uint32_t name,
                   const char *interface, uint32_t version)
{
    (void)data;
    (void)version;
    if (strcmp(interface, wl_compositor_interface.name) == 0) {
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
    } else if (strcmp(interface, wl_shm_interface.name) == 0) {
        shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
    } else if (strcmp(interface, wl_seat_interface.name) == 0) {
        seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
    } else if (strcmp(interface, xdg_wm_base_interface.name) == 0) {
        shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
    }
}

static void global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
    (void)data;
    (void)registry;
    (void)name;
}

static const struct wl_registry_listener registry_listener = {global, global_remove};

static void ping(void *data, struct xdg_wm_base *base, uint32_t serial)
{
    (void)data;
    xdg_wm_base_pong(base, serial);
}

static const struct xdg_wm_base_listener shell_listener = {.ping = ping};

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

static void create_buffers(void)
{
    int fd = memfd_create("frames", 0);
    if (ftruncate(fd, BUFFERS * BYTES) != 0) {
        exit(3);
    }
    struct wl_shm_pool *pool = wl_shm_create_pool(shm, fd, BUFFERS * BYTES);
    for (int i = 0; i < BUFFERS; i++) {
        buffers[i] = wl_shm_pool_create_buffer(pool, i * BYTES, WIDTH, HEIGHT, WIDTH * 4,
                                               WL_SHM_FORMAT_XRGB8888);
    }
    wl_shm_pool_destroy(pool);
    close(fd);
}

static struct wl_surface *open_window(void)
{
    display = wl_display_connect(NULL);
    if (display == NULL) {
        return NULL;
    }
    wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
    wl_display_roundtrip(display);
    if (compositor == NULL || shm == NULL || shell == NULL) {
        return NULL;
    }
    xdg_wm_base_add_listener(shell, &shell_listener, NULL);
    struct wl_surface *surface = wl_compositor_create_surface(compositor);
    struct xdg_surface *xdg = xdg_wm_base_get_xdg_surface(shell, surface);
    xdg_surface_add_listener(xdg, &surface_listener, NULL);
    struct xdg_toplevel *toplevel = xdg_surface_get_toplevel(xdg);
    xdg_toplevel_add_listener(toplevel, &toplevel_listener, NULL);
    xdg_toplevel_set_title(toplevel, "shared memory");
    wl_surface_commit(surface);
    while (!configured && wl_display_dispatch(display) >= 0) {
    }
    create_buffers();
    return surface;
}

/* Reads events until this time. */
static void wait_until(int64_t at_ns)
{
    int64_t left_ns;
    while ((left_ns = at_ns - now_ns()) > 1000000) {
        struct pollfd fd = {wl_display_get_fd(display), POLLIN, 0};
        while (wl_display_prepare_read(display) != 0) {
            wl_display_dispatch_pending(display);
        }
        wl_display_flush(display);
        if (poll(&fd, 1, (int)(left_ns / 1000000)) > 0) {
            wl_display_read_events(display);
        } else {
            wl_display_cancel_read(display);
        }
        wl_display_dispatch_pending(display);
    }
}

static void work(int ms)
{
    int64_t end_ns = now_ns() + (int64_t)ms * 1000000;
    while (now_ns() < end_ns) {
    }
}

static void commit(struct wl_surface *surface, int frame, int part, int parts)
{
    wl_surface_attach(surface, buffers[frame % BUFFERS], 0, 0);
    wl_surface_damage(surface, 0, part * HEIGHT / parts, WIDTH, HEIGHT / parts);
    wl_surface_commit(surface);
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 60, every = argc > 2 ? atoi(argv[2]) : 0;
    int parts = argc > 3 ? atoi(argv[3]) : 1, late = 0;
    struct wl_surface *surface = open_window();
    if (surface == NULL) {
        fprintf(stderr, "software_wayland: no Wayland compositor\n");
        return 2;
    }
    struct wl_surface *picture = NULL;
    if (argc > 4 && seat == NULL) {
        fprintf(stderr, "software_wayland: the compositor has no pointer\n");
        return 3;
    }
    if (argc > 4) {
        picture = wl_compositor_create_surface(compositor);
        /* Without a pointer, the compositor ignores the request. */
        wl_pointer_set_cursor(wl_seat_get_pointer(seat), 0, picture, 0, 0);
    }
    int64_t next_ns = now_ns();
    for (int i = 1; i <= frames; i++) {
        bool is_late = every > 0 && i % every == 0;
        next_ns += interval_ns;
        wait_until(next_ns);
        late += is_late;
        work(is_late ? LATE_MS : 2);
        for (int part = 0; part < parts; part++) {
            commit(surface, i, part, parts);
        }
        wl_surface_commit(surface);
        if (picture != NULL) {
            commit(picture, i, 0, 1);
        }
        wl_display_flush(display);
        if (is_late) {
            next_ns = now_ns();
        }
    }
    wait_until(now_ns() + 50000000);
    printf("drawn %d late %d\n", frames, late);
    wl_display_disconnect(display);
    return 0;
}
