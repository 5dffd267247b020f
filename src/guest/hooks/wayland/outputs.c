/* Finds the display's refresh interval from the current modes of the outputs that the app
 * itself has bound. The listener of such an output is replaced by one that notes the mode
 * and calls the app's listener.
 *
 * An output of the recorder's own would be visible to the app: compositors name every
 * output object of a client in wl_surface.enter, and apps take the user data of any of
 * them for their own (mpv and kitty crash). */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "hooks/export.h"
#include "hooks/wayland/connection.h"

/* Version 4 of wl_output has these events. */
enum { LAST_VERSION = 4 };
struct listener {
    void (*geometry)(void *data, void *output, int32_t x, int32_t y, int32_t width_mm,
                     int32_t height_mm, int32_t subpixel, const char *make,
                     const char *model, int32_t transform);
    void (*mode)(void *data, void *output, uint32_t flags, int32_t width, int32_t height,
                 int32_t millihertz);
    void (*done)(void *data, void *output);
    void (*scale)(void *data, void *output, int32_t factor);
    void (*name)(void *data, void *output, const char *name);
    void (*description)(void *data, void *output, const char *description);
};

enum { OUTPUTS = 32 };
static struct output {
    _Atomic(void *) proxy; /* The app's wl_output, or NULL if this entry is free. */
    _Atomic(const void *) display;
    _Atomic(const struct listener *) listener; /* Listener of the app. */
    /* Frame interval of the output in ns, or 0 if unknown. */
    _Atomic int64_t interval_ns;
} outputs[OUTPUTS];

static struct output *find_output(const void *proxy)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (atomic_load(&outputs[i].proxy) == proxy) {
            return &outputs[i];
        }
    }
    return NULL;
}

/* The app may have destroyed an output at this address without a request. */
static struct output *claim_output(void *proxy)
{
    struct output *output = find_output(proxy);
    for (size_t i = 0; i < OUTPUTS && output == NULL; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&outputs[i].proxy, &none, proxy)) {
            output = &outputs[i];
        }
    }
    return output;
}

#define PASS_ON(event, ...)                                                              \
    do {                                                                                 \
        struct output *output = find_output(proxy);                                      \
        if (output != NULL) {                                                            \
            atomic_load(&output->listener)->event(data, proxy, ##__VA_ARGS__);           \
        }                                                                                \
    } while (0)

static void handle_geometry(void *data, void *proxy, int32_t x, int32_t y,
                            int32_t width_mm, int32_t height_mm, int32_t subpixel,
                            const char *make, const char *model, int32_t transform)
{
    PASS_ON(geometry, x, y, width_mm, height_mm, subpixel, make, model, transform);
}

static void handle_mode(void *data, void *proxy, uint32_t flags, int32_t width,
                        int32_t height, int32_t millihertz)
{
    enum { CURRENT = 1 };
    struct output *noted = find_output(proxy);
    if (noted != NULL && (flags & CURRENT) != 0 && millihertz >= 1000 &&
        millihertz <= 1000000) {
        atomic_store(&noted->interval_ns, INT64_C(1000000000000) / millihertz);
    }
    PASS_ON(mode, flags, width, height, millihertz);
}

static void handle_done(void *data, void *proxy)
{
    PASS_ON(done);
}

static void handle_scale(void *data, void *proxy, int32_t factor)
{
    PASS_ON(scale, factor);
}

static void handle_name(void *data, void *proxy, const char *name)
{
    PASS_ON(name, name);
}

static void handle_description(void *data, void *proxy, const char *description)
{
    PASS_ON(description, description);
}

static const struct listener noting = {handle_geometry, handle_mode, handle_done,
                                       handle_scale,    handle_name, handle_description};

EXPORT int wl_proxy_add_listener(void *proxy, void (**listener)(void), void *data)
{
    __typeof__(wl_proxy_add_listener) *real = REAL(wl_proxy_add_listener);
    const struct dj_wayland *wayland = dj_wayland_functions(CALLER);
    if (wayland == NULL || listener == NULL ||
        strcmp(wayland->class_of(proxy), "wl_output") != 0 ||
        wayland->version_of(proxy) > LAST_VERSION) {
        return real(proxy, listener, data);
    }
    struct output *output = claim_output(proxy);
    if (output == NULL) {
        return real(proxy, listener, data);
    }
    const struct listener *before = atomic_load(&output->listener);
    atomic_store(&output->display, dj_wayland_get_display(proxy));
    atomic_store(&output->listener, (const struct listener *)(const void *)listener);
    int result = real(proxy, (void (**)(void))(uintptr_t)&noting, data);
    if (result != 0) {
        /* The proxy has a listener already, which stays. */
        atomic_store(&output->listener, before);
    } else {
        atomic_store(&output->interval_ns, 0);
    }
    return result;
}

/* Toolkits compare the listener with their own to recognise their outputs. */
EXPORT const void *wl_proxy_get_listener(void *proxy)
{
    const void *listener = REAL(wl_proxy_get_listener)(proxy);
    struct output *output = listener == &noting ? find_output(proxy) : NULL;
    return output != NULL ? atomic_load(&output->listener) : listener;
}

void dj_wayland_outputs_read_request(const struct dj_wayland_request *request)
{
    enum { RELEASE = 0 };
    if (request->opcode == RELEASE && strcmp(request->class_name, "wl_output") == 0) {
        struct output *output = find_output(request->proxy);
        if (output != NULL) {
            atomic_store(&output->proxy, NULL);
        }
    }
}

void dj_wayland_outputs_forget(const void *display)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (atomic_load(&outputs[i].display) == display) {
            atomic_store(&outputs[i].proxy, NULL);
        }
    }
}

int64_t dj_wayland_outputs_interval_ns(const void *display)
{
    int64_t common_ns = 0;
    for (size_t i = 0; i < OUTPUTS; i++) {
        struct output *output = &outputs[i];
        if (atomic_load(&output->proxy) == NULL ||
            atomic_load(&output->display) != display) {
            continue;
        }
        int64_t interval_ns = atomic_load(&output->interval_ns);
        if (interval_ns == 0 || (common_ns != 0 && common_ns != interval_ns)) {
            return 0;
        }
        common_ns = interval_ns;
    }
    return common_ns;
}
