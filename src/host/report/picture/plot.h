/* Axes, legends and titles of charts. */
#ifndef DEJANK_REPORT_PICTURE_PLOT_H
#define DEJANK_REPORT_PICTURE_PLOT_H

#include "report/picture/canvas.h"

/* Returns the smallest of the steps 1, 2, 5, 10, 20, … that divides `range` into at most
 * `most` parts. If `whole` is false, the steps 0.1, 0.2, 0.5, … are allowed too. */
double dj_plot_choose_step(double range, int most, bool whole);

/* Draws colour samples with their names, from (x, y), in as many lines as `width`
 * requires. Returns the lower end. */
struct dj_legend_key {
    enum dj_ink ink;
    const char *name;
};
double dj_picture_draw_legend(struct dj_canvas *canvas, double x, double y, double width,
                              const struct dj_legend_key *keys, size_t count);

/* Draws the title of a chart. Returns the lower end. */
double dj_picture_draw_title(struct dj_canvas *canvas, double x, double y, double width,
                             const char *title);

/* Draws the program's name below the picture. Returns the height of the picture. */
double dj_picture_draw_foot(struct dj_canvas *canvas, double y);

#endif
