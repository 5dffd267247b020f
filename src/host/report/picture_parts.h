/* The charts of a picture, and what they have in common. Private to the pictures. */
#ifndef DEJANK_REPORT_PICTURE_PARTS_H
#define DEJANK_REPORT_PICTURE_PARTS_H

#include "base/error.h"
#include "report/canvas.h"
#include "report/view.h"

struct dj_batches;

/* What a picture is of. */
struct dj_picture_content {
    /* Draws from the upper edge until `most` px are full (0: all of it); returns the
     * height. */
    double (*draw)(struct dj_canvas *canvas, const void *what, double most);
    void (*title)(struct dj_text *text, const void *what); /* as escaped XML */
    const void *what;
};

/* Append the whole file; errors as in picture.h. */
int dj_picture_svg(struct dj_text *text, const struct dj_picture_content *content,
                   struct dj_error *err);
int dj_picture_png(struct dj_text *text, const struct dj_picture_content *content,
                   struct dj_error *err);

enum { DJ_PICTURE_NEWEST = 120 }; /* bars of one chart: hwui's ring */

/* Where a chart draws, and what its edges stand for. */
struct dj_plot {
    struct dj_rect rect;
    double x_first, x_last, y_last; /* y begins at 0 */
};

double dj_plot_x(const struct dj_plot *plot, double value);
double dj_plot_y(const struct dj_plot *plot, double value);

/* The least of 1, 2, 5, 10, 20, … (or of 0.1, 0.2, … where `whole` is not set) that cuts
 * `range` into at most `most` steps. */
double dj_plot_step(double range, int most, bool whole);

/* Lines and numbers from below, the axis's name turned above them. */
void dj_plot_y_axis(struct dj_canvas *canvas, const struct dj_plot *plot, double step,
                    const char *name);

/* A number below the plot, and the axis's name in the middle below these. */
void dj_plot_x_label(struct dj_canvas *canvas, const struct dj_plot *plot, double x,
                     const char *label);
void dj_plot_x_name(struct dj_canvas *canvas, const struct dj_plot *plot,
                    const char *name);

/* Samples of colour with their names, from (x, y) in as many lines as `width` asks for;
 * returns the lower end. */
struct dj_key {
    enum dj_ink ink;
    const char *name;
};
double dj_picture_legend(struct dj_canvas *canvas, double x, double y, double width,
                         const struct dj_key *keys, size_t count);

/* A chart's title; returns the lower end. */
double dj_picture_title(struct dj_canvas *canvas, double x, double y, double width,
                        const char *title);

/* Who made the picture; returns its height. */
double dj_picture_foot(struct dj_canvas *canvas, double y);

/* A view, from its head to its notes, below y; returns where it ends. */
double dj_picture_view(struct dj_canvas *canvas, const struct dj_view *view, double y);

/* Each draws from y on and returns its lower end; nothing where there is nothing to draw.
 */
double dj_picture_histograms(struct dj_canvas *canvas, const struct dj_view *view,
                             double y);
double dj_picture_stages(struct dj_canvas *canvas, const struct dj_view *view, double y);
double dj_picture_profile(struct dj_canvas *canvas, const struct dj_view *view, double y);

/* Each draws from y on and returns its lower end; nothing where there is nothing to draw.
 * All batches' frame times have one scale. */
double dj_picture_batch_histogram(struct dj_canvas *canvas,
                                  const struct dj_batches *batches, size_t index,
                                  double y);
double dj_picture_batch_stages(struct dj_canvas *canvas, const struct dj_batches *batches,
                               double y);

#endif
