/* Window titles and the display's refresh rate for X11. This file sends no request to the
 * server. It only sees the titles that the app sets and the rates that the app queries
 * with RandR. Titles that another process sets, and rates that the app never queries,
 * remain unknown. libX11 sets WM_NAME through XChangeProperty() for each of its title
 * functions. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"
#include "hooks/export.h"
#include "hooks/sources.h"
#include "hooks/titles.h"
#include "recorder/thread.h"
#include "segment/layout.h"

enum { XA_STRING = 31, XA_WM_NAME = 39, REPLACE = 0 };

/* The atom _NET_WM_NAME on this server, or 0 if the app has not requested it. */
static _Atomic unsigned long net_wm_name;

/* Converts Latin-1 (the property type STRING) to UTF-8. Returns the length of the
 * result, which is truncated to `size`. */
static size_t convert_latin1(char *utf8, size_t size, const unsigned char *latin1,
                             size_t length)
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 2 <= size; i++) {
        used += dj_utf8_write(utf8 + used, latin1[i]);
    }
    return used;
}

struct property {
    unsigned long window, name, type;
    int format, mode;
    const unsigned char *data;
    size_t length;
};

/* The hooks cannot convert COMPOUND_TEXT, which switches character sets with ESC. */
static bool is_compound_text(const struct property *set)
{
    return memchr(set->data, '\033', set->length) != NULL;
}

static void store_title(const struct property *set)
{
    unsigned long net = atomic_load_explicit(&net_wm_name, memory_order_relaxed);
    bool is_title = set->name == XA_WM_NAME || (net != 0 && set->name == net);
    if (!is_title || set->format != 8 || set->mode != REPLACE || set->data == NULL) {
        return;
    }
    if (set->type == XA_STRING) {
        char utf8[DJ_SEGMENT_NAME];
        size_t length = convert_latin1(utf8, sizeof(utf8), set->data, set->length);
        dj_titles_set_name(DJ_NAMER_X11, set->window, utf8, length);
    } else if (!is_compound_text(set)) {
        dj_titles_set_name(DJ_NAMER_X11, set->window, (const char *)set->data,
                           set->length);
    }
}

EXPORT int XChangeProperty(void *display, unsigned long window, unsigned long name,
                           unsigned long type, int format, int mode,
                           const unsigned char *data, int count)
{
    struct property set = {window, name, type, format, mode, data, (size_t)count};
    if (count > 0) {
        store_title(&set);
    }
    return REAL(XChangeProperty)(display, window, name, type, format, mode, data, count);
}

EXPORT unsigned long XInternAtom(void *display, const char *name, int only_if_exists)
{
    unsigned long atom = REAL(XInternAtom)(display, name, only_if_exists);
    if (atom != 0 && name != NULL && strcmp(name, "_NET_WM_NAME") == 0) {
        atomic_store_explicit(&net_wm_name, atom, memory_order_relaxed);
    }
    return atom;
}

/* Same layout as xcb_void_cookie_t: a struct with one word. */
struct x11_cookie {
    unsigned sequence;
};

EXPORT struct x11_cookie xcb_change_property(void *connection, uint8_t mode,
                                             uint32_t window, uint32_t name,
                                             uint32_t type, uint8_t format,
                                             uint32_t count, const void *data)
{
    struct property set = {window, name, type, format, mode, data, count};
    if (count > 0) {
        store_title(&set);
    }
    return REAL(xcb_change_property)(connection, mode, window, name, type, format, count,
                                     data);
}

/* Largest possible XID, which has 29 bits. In other window systems, `window` is an
 * address, and addresses are larger. */
enum { XID_MOST = 0x1FFFFFFF };

EXPORT void *eglCreateWindowSurface(void *display, void *config, uintptr_t window,
                                    const int *attributes)
{
    void *surface = REAL(eglCreateWindowSurface)(display, config, window, attributes);
    if (surface != NULL && window != 0 && window <= XID_MOST) {
        dj_titles_set_surface((struct dj_surface){DJ_PIPELINE_EGL, (uintptr_t)surface},
                              DJ_NAMER_X11, window);
    }
    return surface;
}

EXPORT unsigned long glXCreateWindow(void *display, void *config, unsigned long window,
                                     const int *attributes)
{
    unsigned long drawable = REAL(glXCreateWindow)(display, config, window, attributes);
    if (drawable != 0) {
        dj_titles_set_surface((struct dj_surface){DJ_PIPELINE_GLX, drawable},
                              DJ_NAMER_X11, window);
    }
    return drawable;
}

/* The first members of libXrandr's structures, up to the last one that is needed to
 * compute a rate. */
struct randr_mode {
    unsigned long id;
    unsigned width, height;
    unsigned long dots_per_second;
    unsigned h_sync_start, h_sync_end, h_total, h_skew;
    unsigned v_sync_start, v_sync_end, v_total;
    char *name;
    unsigned name_length;
    unsigned long flags;
};
struct randr_resources {
    unsigned long timestamp, config_timestamp;
    int crtc_count;
    unsigned long *crtcs;
    int output_count;
    unsigned long *outputs;
    int mode_count;
    struct randr_mode *modes;
};
struct randr_crtc {
    unsigned long timestamp;
    int x, y;
    unsigned width, height;
    unsigned long mode;
};

/* Frame interval that all CRTCs queried by the app have in common, 0 if none was
 * queried, or −1 if they differ. */
static _Atomic int64_t interval_ns;

static int64_t compute_interval(const struct randr_mode *mode)
{
    enum { INTERLACED = 0x10, DOUBLE_SCAN = 0x20 };
    uint64_t dots = (uint64_t)mode->h_total * mode->v_total;
    if (dots == 0 || mode->dots_per_second == 0 || dots > UINT32_MAX) {
        return 0;
    }
    dots = (mode->flags & DOUBLE_SCAN) != 0 ? dots * 2 : dots;
    dots = (mode->flags & INTERLACED) != 0 ? dots / 2 : dots;
    return (int64_t)(dots * 1000000000 / mode->dots_per_second);
}

static void store_interval(const struct randr_resources *resources, unsigned long id)
{
    for (int i = 0; i < resources->mode_count; i++) {
        int64_t one_ns =
            resources->modes[i].id == id ? compute_interval(&resources->modes[i]) : 0;
        int64_t before_ns = 0;
        if (one_ns >= 1000000 && one_ns <= 1000000000 &&
            !atomic_compare_exchange_strong(&interval_ns, &before_ns, one_ns) &&
            before_ns != one_ns) {
            atomic_store(&interval_ns, -1);
        }
    }
}

EXPORT struct randr_crtc *XRRGetCrtcInfo(void *display, struct randr_resources *resources,
                                         unsigned long crtc)
{
    struct randr_crtc *info = REAL(XRRGetCrtcInfo)(display, resources, crtc);
    if (info != NULL && resources != NULL && info->mode != 0) {
        store_interval(resources, info->mode);
    }
    return info;
}

/* Reports the interval, but only for GLX surfaces, because EGL and SDL surfaces may
 * belong to Wayland. */
void dj_x11_frame_ended(const struct dj_recorded_frame *recorded)
{
    static _Thread_local struct dj_surface reported DJ_STATIC_TLS;
    int64_t now_ns = atomic_load_explicit(&interval_ns, memory_order_relaxed);
    struct dj_surface surface = recorded->surface;
    if (now_ns <= 0 || !recorded->valid || surface.pipeline != DJ_PIPELINE_GLX ||
        dj_recorder_surface_is_equal(reported, surface)) {
        return;
    }
    if (dj_recorder_set_interval(surface, now_ns)) {
        reported = surface;
    }
}
