/* Frames of programs that draw with the CPU and send images to the X server (Qt Widgets,
 * SDL 1.2 and others), or draw a pixmap and copy it to a window (Tk, Firefox). An image
 * that is sent to a pixmap is no frame, so the windows of the process are noted as they
 * are created. */
#include <stdatomic.h>
#include <stddef.h>

#include "hooks/export.h"
#include "hooks/titles.h"
#include "recorder/software.h"
#include "recorder/thread.h"

/* The windows of the process, each at its hash or in the next free element. */
enum { WINDOWS = 1024, PROBES = 16 };
static _Atomic uint32_t windows[WINDOWS];

static _Atomic uint32_t *get_place(uint32_t window, unsigned probe)
{
    return &windows[(window * 2654435761U / 4096 + probe) % WINDOWS];
}

static void note_window(unsigned long created)
{
    uint32_t window = (uint32_t)created;
    for (unsigned i = 0; i < PROBES && window != 0; i++) {
        uint32_t none = 0;
        _Atomic uint32_t *place = get_place(window, i);
        if (atomic_load(place) == window ||
            atomic_compare_exchange_strong(place, &none, window)) {
            return;
        }
    }
}

static bool is_window(uint32_t drawable)
{
    for (unsigned i = 0; i < PROBES; i++) {
        uint32_t found =
            atomic_load_explicit(get_place(drawable, i), memory_order_relaxed);
        if (found == drawable || found == 0) {
            return found == drawable && drawable != 0;
        }
    }
    return false;
}

static int64_t begin_image(unsigned long drawable)
{
    return is_window((uint32_t)drawable) ? dj_recorder_begin_image() : 0;
}

/* The place of an image in the window: 16 bits each of x, y, width and height. */
static uint64_t get_area(int x, int y, unsigned width, unsigned height)
{
    return (uint64_t)(x & 0xFFFF) << 48 | (uint64_t)(y & 0xFFFF) << 32 |
           (uint64_t)(width & 0xFFFF) << 16 | (height & 0xFFFF);
}

static void end_image(int64_t begin_ns, enum dj_pipeline way, unsigned long window,
                      uint64_t area)
{
    struct dj_software_image image = {
        .surface = {DJ_PIPELINE_SOFTWARE, window}, .area = area, .way = way};
    if (begin_ns != 0) {
        dj_titles_set_surface(image.surface, DJ_NAMER_X11, window);
        dj_recorder_end_image(begin_ns, &image);
    }
}

EXPORT unsigned long XCreateWindow(void *display, unsigned long parent, int x, int y,
                                   unsigned width, unsigned height, unsigned border,
                                   int depth, unsigned class, void *visual,
                                   unsigned long mask, void *attributes)
{
    unsigned long window =
        REAL(XCreateWindow)(display, parent, x, y, width, height, border, depth, class,
                            visual, mask, attributes);
    note_window(window);
    return window;
}

EXPORT unsigned long XCreateSimpleWindow(void *display, unsigned long parent, int x,
                                         int y, unsigned width, unsigned height,
                                         unsigned border, unsigned long border_color,
                                         unsigned long background)
{
    unsigned long window = REAL(XCreateSimpleWindow)(display, parent, x, y, width, height,
                                                     border, border_color, background);
    note_window(window);
    return window;
}

/* Same layout as xcb_void_cookie_t: a struct with one word. */
struct cookie {
    unsigned sequence;
};

#define CREATE_WINDOW(name)                                                              \
    EXPORT struct cookie name(void *connection, uint8_t depth, uint32_t window,          \
                              uint32_t parent, int16_t x, int16_t y, uint16_t width,     \
                              uint16_t height, uint16_t border, uint16_t class,          \
                              uint32_t visual, uint32_t mask, const void *values)        \
    {                                                                                    \
        note_window(window);                                                             \
        return REAL(name)(connection, depth, window, parent, x, y, width, height,        \
                          border, class, visual, mask, values);                          \
    }
CREATE_WINDOW(xcb_create_window)
CREATE_WINDOW(xcb_create_window_checked)
CREATE_WINDOW(xcb_create_window_aux)
CREATE_WINDOW(xcb_create_window_aux_checked)

EXPORT int XPutImage(void *display, unsigned long drawable, void *context, void *image,
                     int from_x, int from_y, int x, int y, unsigned width,
                     unsigned height)
{
    int64_t begin_ns = begin_image(drawable);
    int result = REAL(XPutImage)(display, drawable, context, image, from_x, from_y, x, y,
                                 width, height);
    end_image(begin_ns, DJ_PIPELINE_X_IMAGE, drawable, get_area(x, y, width, height));
    return result;
}

EXPORT int XShmPutImage(void *display, unsigned long drawable, void *context, void *image,
                        int from_x, int from_y, int x, int y, unsigned width,
                        unsigned height, int send_event)
{
    int64_t begin_ns = begin_image(drawable);
    int result = REAL(XShmPutImage)(display, drawable, context, image, from_x, from_y, x,
                                    y, width, height, send_event);
    end_image(begin_ns, DJ_PIPELINE_X_SHARED_IMAGE, drawable,
              get_area(x, y, width, height));
    return result;
}

#define PUT_IMAGE(name)                                                                  \
    EXPORT struct cookie name(void *connection, uint8_t format, uint32_t drawable,       \
                              uint32_t context, uint16_t width, uint16_t height,         \
                              int16_t x, int16_t y, uint8_t padding, uint8_t depth,      \
                              uint32_t length, const void *data)                         \
    {                                                                                    \
        int64_t begin_ns = begin_image(drawable);                                        \
        struct cookie result = REAL(name)(connection, format, drawable, context, width,  \
                                          height, x, y, padding, depth, length, data);   \
        end_image(begin_ns, DJ_PIPELINE_X_IMAGE, drawable,                               \
                  get_area(x, y, width, height));                                        \
        return result;                                                                   \
    }
PUT_IMAGE(xcb_put_image)
PUT_IMAGE(xcb_put_image_checked)

#define PUT_SHARED_IMAGE(name)                                                           \
    EXPORT struct cookie name(                                                           \
        void *connection, uint32_t drawable, uint32_t context, uint16_t total_width,     \
        uint16_t total_height, uint16_t from_x, uint16_t from_y, uint16_t width,         \
        uint16_t height, int16_t x, int16_t y, uint8_t depth, uint8_t format,            \
        uint8_t send_event, uint32_t segment, uint32_t offset)                           \
    {                                                                                    \
        int64_t begin_ns = begin_image(drawable);                                        \
        struct cookie result = REAL(name)(                                               \
            connection, drawable, context, total_width, total_height, from_x, from_y,    \
            width, height, x, y, depth, format, send_event, segment, offset);            \
        end_image(begin_ns, DJ_PIPELINE_X_SHARED_IMAGE, drawable,                        \
                  get_area(x, y, width, height));                                        \
        return result;                                                                   \
    }
PUT_SHARED_IMAGE(xcb_shm_put_image)
PUT_SHARED_IMAGE(xcb_shm_put_image_checked)

/* A copy within a window scrolls its contents and shows no picture. */
static int64_t begin_copy(unsigned long from, unsigned long to)
{
    return is_window((uint32_t)from) ? 0 : begin_image(to);
}

EXPORT int XCopyArea(void *display, unsigned long from, unsigned long to, void *context,
                     int from_x, int from_y, unsigned width, unsigned height, int x,
                     int y)
{
    int64_t begin_ns = begin_copy(from, to);
    int result =
        REAL(XCopyArea)(display, from, to, context, from_x, from_y, width, height, x, y);
    end_image(begin_ns, DJ_PIPELINE_X_COPY, to, get_area(x, y, width, height));
    return result;
}

#define COPY_AREA(name)                                                                  \
    EXPORT struct cookie name(void *connection, uint32_t from, uint32_t to,              \
                              uint32_t context, int16_t from_x, int16_t from_y,          \
                              int16_t x, int16_t y, uint16_t width, uint16_t height)     \
    {                                                                                    \
        int64_t begin_ns = begin_copy(from, to);                                         \
        struct cookie result = REAL(name)(connection, from, to, context, from_x, from_y, \
                                          x, y, width, height);                          \
        end_image(begin_ns, DJ_PIPELINE_X_COPY, to, get_area(x, y, width, height));      \
        return result;                                                                   \
    }
COPY_AREA(xcb_copy_area)
COPY_AREA(xcb_copy_area_checked)
