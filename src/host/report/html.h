/* The report as one HTML file. It works offline: style and scripts are inlined. */
#ifndef DEJANK_REPORT_HTML_H
#define DEJANK_REPORT_HTML_H

#include "report/page.h"
#include "report/view.h"

/* Appends `string` with & < > " ' as character references, and otherwise as
 * dj_text_escaped() does. */
void dj_html_escape(struct dj_text *text, const char *string);

/* The same of a text, which is empty then. */
void dj_html_put(struct dj_text *text, struct dj_text *words);

/* Appends the page with these parts in its slots: a title and a plain form that are
 * escaped, data that holds no '<'. */
void dj_html_page(struct dj_text *text, const struct dj_text parts[DJ_PAGE_END]);

/* Appends the whole file, or nothing if there are no views. */
void dj_report_html(struct dj_text *text, const struct dj_views *views);

#endif
