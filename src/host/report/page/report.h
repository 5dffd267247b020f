/* The report as one HTML file. It works offline: style and scripts are inlined. */
#ifndef DEJANK_REPORT_PAGE_REPORT_H
#define DEJANK_REPORT_PAGE_REPORT_H

#include "report/view/view.h"

/* Appends the whole file, or nothing if there are no views. */
void dj_report_write_html(struct dj_text *text, const struct dj_views *views);

#endif
