/* What the HTML page draws: its frames, figures and notes as one JSON value. */
#ifndef DEJANK_REPORT_PAGE_DATA_H
#define DEJANK_REPORT_PAGE_DATA_H

#include "report/view.h"

/* Appends the data, as JSON that holds no '<': schema "dejank.report-page/1", private to
 * the page. */
void dj_report_json(struct dj_text *text, const struct dj_views *views);

#endif
