/* Functions that the charts of a terminal share. */
#ifndef DEJANK_REPORT_DOCUMENT_TERMINAL_CHART_H
#define DEJANK_REPORT_DOCUMENT_TERMINAL_CHART_H

#include "report/document/chart.h"
#include "report/terminal/lines.h"

/* Writes the letter of the series, in its colour if the terminal has colours. */
void dj_chart_write_mark(struct dj_terminal *out, const struct dj_chart_series *series);
/* Writes the letters of all series with their names. */
void dj_chart_write_legend(struct dj_terminal *out, const struct dj_chart *chart);

/* Writes stacks as columns of letters, twelve lines high. If there are more stacks than
 * columns, each column shows the highest of several neighbouring stacks. */
void dj_chart_write_stacks(struct dj_terminal *out, const struct dj_chart *chart);

/* Writes one line for each span, with its length and its label. Lines of callees are
 * indented. A vertical threshold is a line before the spans that begin after it. */
void dj_chart_write_named_spans(struct dj_terminal *out, const struct dj_chart *chart);

#endif
