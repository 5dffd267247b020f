/* Finds the display's refresh interval from the current modes of its outputs. */
#include <stddef.h>

#include "hooks/wayland/connection.h"

static int handle_output_event(const void *implementation, void *target, uint32_t opcode,
                               const struct wl_message *message,
                               union wl_argument *arguments)
{
    enum { MODE = 1, FLAGS = 0, MILLIHERTZ = 3, CURRENT = 1 };
    const struct dj_outputs *outputs = implementation;
    (void)message;
    int32_t rate = opcode == MODE ? arguments[MILLIHERTZ].i : 0;
    if (rate < 1000 || rate > 1000000 || (arguments[FLAGS].u & CURRENT) == 0) {
        return 0;
    }
    for (size_t i = 0; i < DJ_OUTPUTS; i++) {
        struct dj_output *output = (struct dj_output *)&outputs->output[i];
        if (output->proxy == target) {
            output->interval_ns = INT64_C(1000000000000) / rate;
        }
    }
    return 0;
}

void dj_wayland_outputs_add(struct dj_outputs *outputs, const struct dj_wayland *wayland,
                            void *registry, uint32_t name)
{
    enum { BIND = 0, VERSION = 1 };
    size_t slot = 0;
    while (slot < DJ_OUTPUTS && outputs->output[slot].proxy != NULL) {
        slot++;
    }
    if (slot == DJ_OUTPUTS) {
        outputs->more = true;
        return;
    }
    union wl_argument bind[] = {
        {.u = name}, {.s = "wl_output"}, {.u = VERSION}, {.o = NULL}};
    void *proxy =
        wayland->marshal(registry, BIND, wayland->output_interface, VERSION, 0, bind);
    if (proxy != NULL) {
        outputs->output[slot] = (struct dj_output){.proxy = proxy, .name = name};
        wayland->add_dispatcher(proxy, handle_output_event, outputs, NULL);
    }
}

static void destroy_output(struct dj_output *output, const struct dj_wayland *wayland)
{
    wayland->destroy(output->proxy);
    *output = (struct dj_output){0};
}

void dj_wayland_outputs_remove(struct dj_outputs *outputs,
                               const struct dj_wayland *wayland, uint32_t name)
{
    for (size_t i = 0; i < DJ_OUTPUTS; i++) {
        if (outputs->output[i].proxy != NULL && outputs->output[i].name == name) {
            destroy_output(&outputs->output[i], wayland);
        }
    }
}

void dj_wayland_outputs_forget(struct dj_outputs *outputs,
                               const struct dj_wayland *wayland)
{
    for (size_t i = 0; i < DJ_OUTPUTS; i++) {
        if (outputs->output[i].proxy != NULL) {
            destroy_output(&outputs->output[i], wayland);
        }
    }
    outputs->more = false;
}

int64_t dj_wayland_outputs_interval_ns(const struct dj_outputs *outputs)
{
    int64_t interval_ns = 0;
    for (size_t i = 0; i < DJ_OUTPUTS; i++) {
        const struct dj_output *output = &outputs->output[i];
        if (output->proxy == NULL) {
            continue;
        }
        if (output->interval_ns == 0 ||
            (interval_ns != 0 && interval_ns != output->interval_ns)) {
            return 0;
        }
        interval_ns = output->interval_ns;
    }
    return outputs->more ? 0 : interval_ns;
}
