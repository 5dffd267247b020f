#include "hooks/wayland/abi.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/count_of.h"
#include "hooks/hooks.h"

/* The interfaces of the protocol presentation-time, version 1. libwayland allows omitting
 * the types of arguments, so the types of surfaces and outputs are omitted. */
static const struct wl_interface *no_types[7];
static const struct wl_interface *feedback_types[] = {NULL, &dj_feedback_interface};

static const struct wl_message presentation_requests[] = {
    {"destroy", "", no_types},
    {"feedback", "on", feedback_types},
};
static const struct wl_message presentation_events[] = {{"clock_id", "u", no_types}};
static const struct wl_message feedback_events[] = {
    {"sync_output", "o", no_types},
    {"presented", "uuuuuuu", no_types},
    {"discarded", "", no_types},
};

const struct wl_interface dj_presentation_interface = {
    "wp_presentation", 1, 2, presentation_requests, 1, presentation_events};
const struct wl_interface dj_feedback_interface = {
    "wp_presentation_feedback", 1, 0, NULL, 3, feedback_events};

static bool find_functions(struct dj_wayland *found, const void *caller)
{
    const struct {
        const char *name;
        void *destination;
    } wanted[] = {
        {"wl_proxy_marshal_array_flags", &found->marshal},
        {"wl_proxy_get_class", &found->class_of},
        {"wl_proxy_get_version", &found->version_of},
        {"wl_proxy_get_id", &found->id_of},
        {"wl_proxy_destroy", &found->destroy},
        {"wl_proxy_set_queue", &found->set_queue},
        {"wl_proxy_add_dispatcher", &found->add_dispatcher},
        {"wl_proxy_create_wrapper", &found->create_wrapper},
        {"wl_proxy_wrapper_destroy", &found->destroy_wrapper},
        {"wl_display_create_queue", &found->create_queue},
        {"wl_event_queue_destroy", &found->destroy_queue},
        {"wl_display_dispatch_queue_pending", &found->dispatch_pending},
        {"wl_registry_interface", &found->registry_interface},
    };
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        void *symbol = dj_real_find(wanted[i].name, caller);
        if (symbol == NULL) {
            return false;
        }
        *(void **)wanted[i].destination = symbol;
    }
    return true;
}

const struct dj_wayland *dj_wayland_functions(const void *caller)
{
    static struct dj_wayland functions;
    static _Atomic int
        state; /* 0: not looked up, 1: being looked up, 2: complete, 3: incomplete. */
    int seen = 0;
    if (atomic_compare_exchange_strong(&state, &seen, 1)) {
        seen = find_functions(&functions, caller) ? 2 : 3;
        atomic_store_explicit(&state, seen, memory_order_release);
    }
    return seen == 2 ? &functions : NULL;
}
