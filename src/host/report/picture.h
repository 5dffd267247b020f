/* The report as a picture: per window its figures, the histogram of frame times with the
 * deadline, and the stacked bars of its stages. The same drawing as SVG and as PNG; the
 * same input gives the same bytes. */
#ifndef DEJANK_REPORT_PICTURE_H
#define DEJANK_REPORT_PICTURE_H

#include "report/view.h"

/* Whether pictures could be drawn here: DJ_E_UNSUPPORTED where cairo is not
 * installed: err says what to run. */
int dj_report_picture_ready(struct dj_error *err);

/* Appends the whole file. DJ_E_UNSUPPORTED as above; DJ_E_OUTPUT. Of no views, nothing. A
 * PNG has no more windows than 16 000 px take, and says how many it leaves out. */
int dj_report_svg(struct dj_text *text, const struct dj_views *views,
                  struct dj_error *err);
int dj_report_png(struct dj_text *text, const struct dj_views *views,
                  struct dj_error *err);

#endif
