/* The report as Markdown, for a merge request or an issue: verdict, figures, a small
 * histogram, findings, the worst frames, notes. */
#ifndef DEJANK_REPORT_MARKDOWN_H
#define DEJANK_REPORT_MARKDOWN_H

#include "report/view.h"

/* Appends `string` as a code span, in which nothing is markup (except a bar in a table,
 * so do not use it there). Control characters are escaped as in dj_name_append(). */
void dj_markdown_code(struct dj_text *text, const char *string);

/* Appends `string` with a backslash before every character that could be markup. */
void dj_markdown_escape(struct dj_text *text, const char *string);

/* Appends `words` escaped in the same way, then finishes them. */
void dj_markdown_put(struct dj_text *text, struct dj_text *words);

/* Appends the report of all views in the dialect of GitHub and GitLab. */
void dj_report_markdown(struct dj_text *text, const struct dj_views *views);

#endif
