#include "report/picture.h"

#include <string.h>

#include "memory/memory.h"
#include "report/picture/canvas_private.h"
#include "report/picture/content.h"

DJ_LIBRARY_DEFINE(dj_cairo, DJ_CAIRO_FUNCTIONS, "libcairo.so.2", "libcairo2",
                  "pictures (.svg, .png)");

int dj_report_load_cairo(struct dj_error *err)
{
    return dj_device_library_load(&dj_cairo_library, err);
}

/* Draws once on a dummy surface to measure the height. */
static double measure_height(const struct dj_picture_content *content, double most)
{
    struct dj_canvas canvas;
    cairo_surface_t *surface =
        dj_cairo->cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    dj_canvas_init(&canvas, surface, 1);
    double height = content->draw(&canvas, content->what, most);
    dj_canvas_finish(&canvas);
    dj_cairo->cairo_surface_destroy(surface);
    return height;
}

/* Parameters of a drawing. */
struct frame {
    double height; /* Height of the content in px, before scaling. */
    double most;   /* Maximum height in px, or 0 for no maximum. */
    int scale;
};

/* Ends the program if cairo had no memory. Returns 0 if the status is a success,
 * otherwise DJ_E_OUTPUT, for example after a damaged font or a size that cairo does not
 * support. The message starts with `problem`. */
static int check_status(cairo_status_t status, const char *problem, struct dj_error *err)
{
    dj_xcheck(status != CAIRO_STATUS_NO_MEMORY);
    return status == CAIRO_STATUS_SUCCESS
               ? 0
               : dj_error_set(err, DJ_E_OUTPUT, "%s: %s", problem,
                              dj_cairo->cairo_status_to_string(status));
}

static int draw_on(cairo_surface_t *surface, const struct dj_picture_content *content,
                   const struct frame *frame, struct dj_error *err)
{
    struct dj_canvas canvas;
    dj_canvas_init(&canvas, surface, frame->scale);
    dj_canvas_fill_rect(&canvas,
                        &(struct dj_canvas_rect){0, 0, DJ_CANVAS_WIDTH, frame->height},
                        DJ_INK_PAPER);
    content->draw(&canvas, content->what, frame->most);
    int result = check_status(dj_cairo->cairo_status(canvas.cairo),
                              "cannot draw the picture", err);
    dj_canvas_finish(&canvas);
    return result;
}

static cairo_status_t append_bytes(void *closure, const unsigned char *bytes,
                                   unsigned length)
{
    dj_text_append(closure, (const char *)bytes, length);
    return CAIRO_STATUS_SUCCESS;
}

/* Appends the SVG without the ids of its surfaces. cairo numbers the surfaces of a
 * process, so the ids of a second picture would differ from those of the first. */
static void append_without_ids(struct dj_text *text, const char *svg)
{
    static const char id[] = " id=\"surface";
    const char *at = strstr(svg, id);
    const char *end = at != NULL ? strchr(at + sizeof(id), '"') : NULL;
    if (end != NULL) {
        dj_text_append(text, svg, (size_t)(at - svg));
        svg = end + 1;
    }
    dj_text_add(text, svg);
}

static void append_svg(struct dj_text *text, const struct dj_text *drawn,
                       const struct dj_picture_content *content)
{
    const char *svg = dj_xtext(drawn);
    const char *root = strstr(svg, "<svg");
    const char *inside = root != NULL ? strchr(root, '>') : NULL;
    size_t head = inside != NULL ? (size_t)(inside + 1 - svg) : 0;
    dj_text_append(text, svg, head);
    dj_text_add(text, "\n<title>");
    content->title(text, content->what);
    dj_text_add(text, "</title>");
    append_without_ids(text, svg + head);
}

int dj_picture_write_svg(struct dj_text *text, const struct dj_picture_content *content,
                         struct dj_error *err)
{
    int result = dj_report_load_cairo(err);
    if (result != 0) {
        return result;
    }
    struct dj_text drawn = {0};
    struct frame frame = {.height = measure_height(content, 0), .scale = 1};
    cairo_surface_t *surface = dj_cairo->cairo_svg_surface_create_for_stream(
        append_bytes, &drawn, DJ_CANVAS_WIDTH, frame.height);
    dj_cairo->cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    result = draw_on(surface, content, &frame, err);
    dj_cairo->cairo_surface_finish(surface);
    if (result == 0) {
        result = check_status(dj_cairo->cairo_surface_status(surface),
                              "cannot encode the picture as SVG", err);
    }
    dj_cairo->cairo_surface_destroy(surface);
    append_svg(text, &drawn, content);
    dj_text_finish(&drawn);
    return result;
}

/* Uses double resolution unless the image would exceed HEIGHT_MAX px in height: some
 * programs cannot open taller images. */
int dj_picture_write_png(struct dj_text *text, const struct dj_picture_content *content,
                         struct dj_error *err)
{
    enum { SHARP = 2, HEIGHT_MAX = 16000 };
    int result = dj_report_load_cairo(err);
    if (result != 0) {
        return result;
    }
    struct frame frame = {.height = measure_height(content, HEIGHT_MAX),
                          .most = HEIGHT_MAX};
    frame.scale = frame.height * SHARP <= HEIGHT_MAX ? SHARP : 1;
    cairo_surface_t *surface = dj_cairo->cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, DJ_CANVAS_WIDTH * frame.scale,
        (int)(frame.height * frame.scale));
    result = draw_on(surface, content, &frame, err);
    if (result == 0) {
        result = check_status(
            dj_cairo->cairo_surface_write_to_png_stream(surface, append_bytes, text),
            "cannot encode the picture as PNG", err);
    }
    dj_cairo->cairo_surface_destroy(surface);
    return result;
}
