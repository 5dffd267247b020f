/* Draws charts and tables with cairo. */
#ifndef DEJANK_REPORT_DOCUMENT_PICTURE_CHART_H
#define DEJANK_REPORT_DOCUMENT_PICTURE_CHART_H

#include "report/document.h"
#include "report/picture/canvas.h"

/* Draws the chart with its title, axes and legend. Its upper end is at y. Returns its
 * lower end. */
double dj_chart_draw(struct dj_canvas *canvas, const struct dj_chart *chart, double y);

/* Draws the table unless it is too wide for the picture. Its upper end is at y. Returns
 * its lower end. */
double dj_table_draw(struct dj_canvas *canvas, const struct dj_table *table, double y);

#endif
