/* The cairo side of a canvas: only canvas.c and picture.c know it. */
#ifndef DEJANK_REPORT_CANVAS_CAIRO_H
#define DEJANK_REPORT_CANVAS_CAIRO_H

#include "report/canvas.h"
#include "report/canvas_calls.h"

struct dj_canvas {
    cairo_t *cairo; /* keeps its first error */
};

/* A canvas on a surface, which stays the caller's. */
void dj_canvas_init(struct dj_canvas *canvas, cairo_surface_t *surface, double scale);
void dj_canvas_finish(struct dj_canvas *canvas);

#endif
