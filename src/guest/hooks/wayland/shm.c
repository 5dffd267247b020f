/* Frames of programs that draw with the CPU into shared memory. A wl_surface.commit with
 * a new wl_shm buffer presents. Buffers of GL and Vulkan drivers are of another kind, or
 * are committed inside a swap. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "hooks/export.h"
#include "hooks/titles.h"
#include "hooks/wayland/connection.h"
#include "recorder/software.h"
#include "recorder/thread.h"

/* A set of proxies. Each is at its hash or in one of the next elements. */
enum { PROXIES = 512, PROBES = 16 };
struct proxies {
    _Atomic(const void *) proxy[PROXIES];
};

static struct proxies buffers; /* The wl_buffer objects of wl_shm. */
static struct proxies cursors; /* The wl_surface objects that are pointers' pictures. */

static _Atomic(const void *) *get_place(struct proxies *set, const void *proxy,
                                        unsigned probe)
{
    uintptr_t hash = (uintptr_t)proxy / 16 * 2654435761U;
    return &set->proxy[(hash / 4096 + probe) % PROXIES];
}

static bool has_proxy(struct proxies *set, const void *proxy)
{
    for (unsigned i = 0; i < PROBES && proxy != NULL; i++) {
        if (atomic_load_explicit(get_place(set, proxy, i), memory_order_relaxed) ==
            proxy) {
            return true;
        }
    }
    return false;
}

static void add_proxy(struct proxies *set, const void *proxy)
{
    for (unsigned i = 0; i < PROBES && !has_proxy(set, proxy); i++) {
        const void *none = NULL;
        if (atomic_compare_exchange_strong(get_place(set, proxy, i), &none, proxy)) {
            return;
        }
    }
}

static void remove_proxy(struct proxies *set, const void *proxy)
{
    for (unsigned i = 0; i < PROBES; i++) {
        const void *expected = proxy;
        atomic_compare_exchange_strong(get_place(set, proxy, i), &expected, NULL);
    }
}

/* Surfaces with a new shm buffer that the thread has not committed yet. */
enum { PENDING = 4 };
static _Thread_local struct pending {
    const void *surface; /* The surface, or NULL if this entry is free. */
    uint64_t area;       /* The place of the last damage, or 0. */
} pending[PENDING] DJ_STATIC_TLS;

static struct pending *find_pending(const void *surface)
{
    for (size_t i = 0; i < PENDING; i++) {
        if (pending[i].surface == surface) {
            return &pending[i];
        }
    }
    return NULL;
}

static void attach(const struct dj_wayland_request *request)
{
    struct pending *entry = find_pending(request->proxy);
    bool is_shm = has_proxy(&buffers, request->arguments[0].o) &&
                  !has_proxy(&cursors, request->proxy);
    if (entry == NULL && is_shm) {
        entry = find_pending(NULL);
        entry = entry != NULL ? entry : &pending[0];
    }
    if (entry != NULL) {
        *entry = (struct pending){.surface = is_shm ? request->proxy : NULL};
    }
}

/* 16 bits each of x, y, width and height. */
static void add_damage(const struct dj_wayland_request *request)
{
    struct pending *entry = find_pending(request->proxy);
    for (size_t i = 0; i < 4 && entry != NULL; i++) {
        entry->area = entry->area << 16 | (request->arguments[i].u & 0xFFFF);
    }
}

static void begin_commit(const struct dj_wayland_request *request,
                         struct dj_wayland_image *image)
{
    struct pending *entry = find_pending(request->proxy);
    if (entry != NULL) {
        image->begin_ns = dj_recorder_begin_image();
        image->area = entry->area;
        *entry = (struct pending){0};
    }
}

enum {
    SURFACE_DESTROY = 0,
    SURFACE_ATTACH = 1,
    SURFACE_DAMAGE = 2,
    SURFACE_COMMIT = 6,
    SURFACE_DAMAGE_BUFFER = 9
};

static void begin_surface_request(const struct dj_wayland_request *request,
                                  struct dj_wayland_image *image)
{
    switch (request->opcode) {
    case SURFACE_DESTROY:
        remove_proxy(&cursors, request->proxy);
        break;
    case SURFACE_ATTACH:
        attach(request);
        break;
    case SURFACE_DAMAGE:
    case SURFACE_DAMAGE_BUFFER:
        add_damage(request);
        break;
    case SURFACE_COMMIT:
        begin_commit(request, image);
        break;
    default:
        break;
    }
}

bool dj_wayland_shm_is_watched(uint32_t opcode)
{
    return opcode <= SURFACE_DAMAGE || opcode == SURFACE_COMMIT ||
           opcode == SURFACE_DAMAGE_BUFFER;
}

void dj_wayland_shm_begin_request(const struct dj_wayland_request *request,
                                  struct dj_wayland_image *image)
{
    enum { BUFFER_DESTROY = 0, POINTER_SET_CURSOR = 0 };
    if (strcmp(request->class_name, "wl_surface") == 0) {
        begin_surface_request(request, image);
    } else if (request->opcode == BUFFER_DESTROY &&
               strcmp(request->class_name, "wl_buffer") == 0) {
        remove_proxy(&buffers, request->proxy);
    } else if (request->opcode == POINTER_SET_CURSOR &&
               strcmp(request->class_name, "wl_pointer") == 0 &&
               request->arguments[1].o != NULL) {
        add_proxy(&cursors, request->arguments[1].o);
    }
}

void dj_wayland_shm_add_buffer(const struct dj_wayland_request *request, const void *made)
{
    enum { POOL_CREATE_BUFFER = 0 };
    if (made != NULL && request->opcode == POOL_CREATE_BUFFER &&
        strcmp(request->class_name, "wl_shm_pool") == 0) {
        add_proxy(&buffers, made);
    }
}

void dj_wayland_shm_end_commit(const struct dj_wayland_image *image, uint64_t window)
{
    struct dj_surface surface = {DJ_PIPELINE_SOFTWARE, window};
    dj_titles_set_surface(surface, DJ_NAMER_WAYLAND, window);
    dj_recorder_end_image(image->begin_ns,
                          &(struct dj_software_image){.surface = surface,
                                                      .area = image->area,
                                                      .way = DJ_PIPELINE_WAYLAND_SHM});
}
