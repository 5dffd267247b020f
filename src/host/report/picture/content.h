/* Writes a drawing as SVG and as PNG. */
#ifndef DEJANK_REPORT_PICTURE_CONTENT_H
#define DEJANK_REPORT_PICTURE_CONTENT_H

#include "base/error.h"
#include "report/picture/canvas.h"

/* The content of a picture. */
struct dj_picture_content {
    /* Draws from the upper edge until `most` px are full, or everything if `most` is 0.
     * Returns the height. */
    double (*draw)(struct dj_canvas *canvas, const void *what, double most);
    /* Appends the title as escaped XML. */
    void (*title)(struct dj_text *text, const void *what);
    const void *what;
};

/* Appends the whole SVG file. Returns 0 or an error as in picture.h. */
int dj_picture_write_svg(struct dj_text *text, const struct dj_picture_content *content,
                         struct dj_error *err);

/* Appends the whole PNG file. Returns 0 or an error as in picture.h. */
int dj_picture_write_png(struct dj_text *text, const struct dj_picture_content *content,
                         struct dj_error *err);

#endif
