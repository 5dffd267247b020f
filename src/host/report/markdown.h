/* The report as Markdown, for a merge request or an issue: verdict, figures, a small
 * histogram, findings, the worst frames, notes. */
#ifndef DEJANK_REPORT_MARKDOWN_H
#define DEJANK_REPORT_MARKDOWN_H

#include "report/view.h"

/* Appends `string` as a code span, in which nothing is markup (but a bar in a table:
 * there it has no place); control characters are escaped as in dj_name_append(). */
void dj_markdown_code(struct dj_text *text, const char *string);

/* Appends `string` so that it reads as it stands: what could be markup has a backslash.
 */
void dj_markdown_escape(struct dj_text *text, const char *string);

/* The same of a text, which is empty then. */
void dj_markdown_put(struct dj_text *text, struct dj_text *words);

/* Appends the report of all views, GitHub's and GitLab's dialect. */
void dj_report_markdown(struct dj_text *text, const struct dj_views *views);

#endif
