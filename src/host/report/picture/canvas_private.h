/* The parts of the canvas that need cairo. Only files that create pictures include them.
 */
#ifndef DEJANK_REPORT_PICTURE_CANVAS_PRIVATE_H
#define DEJANK_REPORT_PICTURE_CANVAS_PRIVATE_H

#include <cairo-svg.h>

#include "device/library.h"
#include "report/picture/canvas.h"

/* The functions of cairo. The library is loaded when the first picture is drawn. */
#define DJ_CAIRO_FUNCTIONS(ROW)                                                          \
    ROW(cairo_arc)                                                                       \
    ROW(cairo_clip)                                                                      \
    ROW(cairo_close_path)                                                                \
    ROW(cairo_create)                                                                    \
    ROW(cairo_destroy)                                                                   \
    ROW(cairo_fill)                                                                      \
    ROW(cairo_fill_preserve)                                                             \
    ROW(cairo_font_options_create)                                                       \
    ROW(cairo_font_options_destroy)                                                      \
    ROW(cairo_font_options_set_antialias)                                                \
    ROW(cairo_font_options_set_hint_metrics)                                             \
    ROW(cairo_font_options_set_hint_style)                                               \
    ROW(cairo_get_scaled_font)                                                           \
    ROW(cairo_glyph_free)                                                                \
    ROW(cairo_image_surface_create)                                                      \
    ROW(cairo_line_to)                                                                   \
    ROW(cairo_move_to)                                                                   \
    ROW(cairo_new_sub_path)                                                              \
    ROW(cairo_rectangle)                                                                 \
    ROW(cairo_restore)                                                                   \
    ROW(cairo_save)                                                                      \
    ROW(cairo_scale)                                                                     \
    ROW(cairo_scaled_font_text_to_glyphs)                                                \
    ROW(cairo_select_font_face)                                                          \
    ROW(cairo_set_dash)                                                                  \
    ROW(cairo_set_font_options)                                                          \
    ROW(cairo_set_font_size)                                                             \
    ROW(cairo_set_line_width)                                                            \
    ROW(cairo_set_source_rgb)                                                            \
    ROW(cairo_show_text)                                                                 \
    ROW(cairo_status)                                                                    \
    ROW(cairo_status_to_string)                                                          \
    ROW(cairo_stroke)                                                                    \
    ROW(cairo_surface_destroy)                                                           \
    ROW(cairo_surface_finish)                                                            \
    ROW(cairo_surface_status)                                                            \
    ROW(cairo_surface_write_to_png_stream)                                               \
    ROW(cairo_svg_surface_create_for_stream)                                             \
    ROW(cairo_svg_surface_set_document_unit)                                             \
    ROW(cairo_text_extents)

/* Loaded by dj_report_load_cairo(). */
DJ_LIBRARY_DECLARE(dj_cairo, DJ_CAIRO_FUNCTIONS);

struct dj_canvas {
    cairo_t *cairo; /* The cairo context, which remembers its first error. */
};

/* Starts a canvas on a surface. The surface stays the caller's. */
void dj_canvas_init(struct dj_canvas *canvas, cairo_surface_t *surface, double scale);
void dj_canvas_finish(struct dj_canvas *canvas);

#endif
