/* A surface to draw on: rectangles, lines and text over cairo, in the colours of the
 * report. Lengths are in px of a picture that is DJ_CANVAS_WIDTH wide. */
#ifndef DEJANK_REPORT_PICTURE_CANVAS_H
#define DEJANK_REPORT_PICTURE_CANVAS_H

#include <stdbool.h>

#include "base/text.h"
#include "frame/stages.h"

enum { DJ_CANVAS_WIDTH = 1200, DJ_CANVAS_MARGIN = 40 };

struct dj_canvas;

/* The colours of the HTML page on a light background (web/report.css). The colour of a
 * stage is DJ_INK_STAGE + stage. */
enum dj_ink {
    DJ_INK_TEXT,
    DJ_INK_MUTED,
    DJ_INK_GRID,
    DJ_INK_EDGE,
    DJ_INK_PAPER,
    DJ_INK_CARD,
    DJ_INK_DEADLINE,
    DJ_INK_GOOD,
    DJ_INK_BAD,
    DJ_INK_STAGE,
    DJ_INK_COUNT = DJ_INK_STAGE + DJ_STAGE_COUNT
};

struct dj_canvas_rect {
    double x, y, width, height;
};

enum dj_align { DJ_ALIGN_LEFT, DJ_ALIGN_CENTER, DJ_ALIGN_RIGHT };

struct dj_canvas_font {
    double size;
    enum dj_ink ink;
    enum dj_align align; /* Position of x in the text. */
    bool bold;
    /* Maximum width in px, or 0. The middle of wider text is replaced by "…". */
    double max_width;
};

/* Drawing between these two calls is invisible. Callers use this to measure the height of
 * a block. Pairs of calls may nest. */
void dj_canvas_hide(struct dj_canvas *canvas);
void dj_canvas_show(struct dj_canvas *canvas);

/* Fills a rectangle. */
void dj_canvas_fill_rect(struct dj_canvas *canvas, const struct dj_canvas_rect *rect,
                         enum dj_ink ink);

/* Draws a horizontal or vertical line of 1 px, or a thicker dashed one. */
void dj_canvas_draw_line(struct dj_canvas *canvas, double x0, double y0, double x1,
                         double y1, enum dj_ink ink);
void dj_canvas_draw_dashes(struct dj_canvas *canvas, double x0, double y0, double x1,
                           double y1, enum dj_ink ink);

/* Draws a line of 2 px between any two points, and a dot. */
void dj_canvas_draw_segment(struct dj_canvas *canvas, double x0, double y0, double x1,
                            double y1, enum dj_ink ink);
void dj_canvas_draw_dot(struct dj_canvas *canvas, double x, double y, double radius,
                        enum dj_ink ink);

/* Draws one line of text on the base line y. Invalid UTF-8, control characters and
 * characters without a glyph are escaped. */
void dj_canvas_draw_text(struct dj_canvas *canvas, double x, double y,
                         const struct dj_canvas_font *type, const char *string);

/* Returns the width in px of the line that dj_canvas_draw_text() would draw, after it was
 * shortened to type->max_width. */
double dj_canvas_measure_text(struct dj_canvas *canvas, const struct dj_canvas_font *type,
                              const char *string);

/* Draws text in lines of at most type->max_width px. The base of the first line is one
 * line height below y. Returns the lower end. */
double dj_canvas_draw_paragraph(struct dj_canvas *canvas, double x, double y,
                                const struct dj_canvas_font *type, const char *string);

#endif
