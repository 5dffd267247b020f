/* The part of libwayland-client's public ABI that the hooks use. The build therefore
 * needs no headers of libwayland. */
#ifndef DEJANK_HOOKS_WAYLAND_ABI_H
#define DEJANK_HOOKS_WAYLAND_ABI_H

#include <stdbool.h>
#include <stdint.h>

struct wl_interface;

struct wl_message {
    const char *name;
    const char *signature;
    const struct wl_interface **types;
};

struct wl_interface {
    const char *name;
    int version;
    int method_count;
    const struct wl_message *methods;
    int event_count;
    const struct wl_message *events;
};

union wl_argument {
    int32_t i;
    uint32_t u;
    const char *s;
    void *o;
    uint32_t n;
};

typedef int wl_dispatcher(const void *implementation, void *target, uint32_t opcode,
                          const struct wl_message *message, union wl_argument *arguments);

/* Functions and interfaces of libwayland-client, which are looked up once. */
struct dj_wayland {
    void *(*marshal)(void *proxy, uint32_t opcode, const struct wl_interface *interface,
                     uint32_t version, uint32_t flags, union wl_argument *arguments);
    const char *(*class_of)(void *proxy);
    uint32_t (*version_of)(void *proxy);
    uint32_t (*id_of)(void *proxy);
    void (*destroy)(void *proxy);
    void (*set_queue)(void *proxy, void *queue);
    int (*add_dispatcher)(void *proxy, wl_dispatcher *dispatcher,
                          const void *implementation, void *data);
    void *(*create_wrapper)(void *proxy);
    void (*destroy_wrapper)(void *wrapper);
    void *(*create_queue)(void *display);
    void (*destroy_queue)(void *queue);
    int (*dispatch_pending)(void *display, void *queue);
    const struct wl_interface *registry_interface;
};

/* Returns the functions, or NULL if the loaded library lacks one of them (before
 * 1.20). `caller` has the same meaning as for dj_real(). */
const struct dj_wayland *dj_wayland_functions(const void *caller);

extern const struct wl_interface dj_presentation_interface;
extern const struct wl_interface dj_feedback_interface;

#endif
