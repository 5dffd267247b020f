/* The report of dumps as a picture: for each window the verdict, six figures, the most
 * severe findings, the worst frames, the histogram of frame times and the stages. SVG and
 * PNG show the same drawing; the same input gives the same bytes. */
#ifndef DEJANK_REPORT_PICTURE_H
#define DEJANK_REPORT_PICTURE_H

#include "report/view/view.h"

/* Loads cairo. Returns 0, or DJ_E_UNSUPPORTED with the command that installs it in `err`.
 */
int dj_report_load_cairo(struct dj_error *err);

/* Appends the whole file, or nothing if there are no views. Returns 0, DJ_E_UNSUPPORTED
 * as above, or DJ_E_OUTPUT. A PNG contains what fits in 16 000 px, and says so if that is
 * not everything. */
int dj_report_write_svg(struct dj_text *text, const struct dj_views *views,
                        struct dj_error *err);
int dj_report_write_png(struct dj_text *text, const struct dj_views *views,
                        struct dj_error *err);

#endif
