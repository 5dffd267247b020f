/* The charts of a picture. */
#ifndef DEJANK_REPORT_PICTURE_CHARTS_H
#define DEJANK_REPORT_PICTURE_CHARTS_H

#include "report/picture/canvas.h"
#include "report/view/view.h"

/* Draws a view, from its head to its notes, below y. Returns the lower end. */
double dj_picture_draw_view(struct dj_canvas *canvas, const struct dj_view *view,
                            double y);

/* Each draws from y on and returns its lower end, which is y if there is nothing to draw.
 */
double dj_picture_draw_histograms(struct dj_canvas *canvas, const struct dj_view *view,
                                  double y);
double dj_picture_draw_stages(struct dj_canvas *canvas, const struct dj_view *view,
                              double y);
double dj_picture_draw_profile(struct dj_canvas *canvas, const struct dj_view *view,
                               double y);

#endif
