/* The report as text for a terminal: figures, histogram of frame times with the deadline,
 * stacked bars per stage. */
#ifndef DEJANK_REPORT_TERMINAL_H
#define DEJANK_REPORT_TERMINAL_H

#include "report/terminal/style.h"
#include "report/view/view.h"

/* Appends the report of all views. No line is wider than the style's width. */
void dj_report_write_text(struct dj_text *text, const struct dj_views *views,
                          const struct dj_terminal_style *style);

#endif
