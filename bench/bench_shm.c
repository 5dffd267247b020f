/* A program with very short frames, so that the cost of a recorder shows: each is a poll
 * and a commit of a small wl_shm buffer. Prints the median length of a frame in ns.
 * bench/run starts it alternately with and without the recorder. */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

#include "frame_times.h"

/* libwayland collects requests in its buffer. PER_ROUND frames fit into it, and the
 * compositor reads them between the frames, so that no frame contains a write. */
enum {
    FRAMES = 50000,
    WARM_UP = 1024,
    PER_ROUND = 16,
    SIZE = 4,
    BYTES = SIZE * SIZE * 4
};

static struct wl_compositor *compositor;
static struct wl_shm *shm;

static void add_global(void *data, struct wl_registry *registry, uint32_t name,
                       const char *interface, uint32_t version)
{
    (void)data;
    (void)version;
    if (strcmp(interface, wl_compositor_interface.name) == 0) {
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
    } else if (strcmp(interface, wl_shm_interface.name) == 0) {
        shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
    }
}

static void remove_global(void *data, struct wl_registry *registry, uint32_t name)
{
    (void)data;
    (void)registry;
    (void)name;
}

static void create_buffers(struct wl_buffer *buffers[2])
{
    int fd = memfd_create("frames", 0);
    if (fd < 0 || ftruncate(fd, 2 * BYTES) != 0) {
        perror("bench_shm: memfd");
        exit(1);
    }
    struct wl_shm_pool *pool = wl_shm_create_pool(shm, fd, 2 * BYTES);
    for (int i = 0; i < 2; i++) {
        buffers[i] = wl_shm_pool_create_buffer(pool, i * BYTES, SIZE, SIZE, SIZE * 4,
                                               WL_SHM_FORMAT_XRGB8888);
    }
    wl_shm_pool_destroy(pool);
    close(fd);
}

static struct wl_display *connect_compositor(void)
{
    static const struct wl_registry_listener listener = {add_global, remove_global};
    struct wl_display *display = wl_display_connect(NULL);
    if (display != NULL) {
        wl_registry_add_listener(wl_display_get_registry(display), &listener, NULL);
        wl_display_roundtrip(display);
    }
    return compositor != NULL && shm != NULL ? display : NULL;
}

int main(void)
{
    static int64_t frame_ns[FRAMES];
    struct wl_buffer *buffers[2];
    struct wl_display *display = connect_compositor();
    if (display == NULL) {
        fputs("bench_shm: no Wayland compositor\n", stderr);
        return 1;
    }
    create_buffers(buffers);
    struct wl_surface *surface = wl_compositor_create_surface(compositor);
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "", 1) != 1) {
        perror("bench_shm: pipe");
        return 1;
    }
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    for (int i = -WARM_UP; i < FRAMES; i++) {
        if (i % PER_ROUND == 0 && wl_display_roundtrip(display) < 0) {
            fputs("bench_shm: the compositor has ended\n", stderr);
            return 1;
        }
        int64_t start_ns = now_ns();
        poll(&ready, 1, 0);
        wl_surface_attach(surface, buffers[i & 1], 0, 0);
        wl_surface_damage(surface, 0, 0, SIZE, SIZE);
        wl_surface_commit(surface);
        if (i >= 0) {
            frame_ns[i] = now_ns() - start_ns;
        }
    }
    print_median(frame_ns, FRAMES);
    wl_display_disconnect(display);
    return 0;
}
