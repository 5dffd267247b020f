/* The report as Markdown, for a merge request or an issue: verdict, figures, a small
 * histogram, findings, the worst frames, notes. */
#ifndef DEJANK_REPORT_DUMP_MARKDOWN_H
#define DEJANK_REPORT_DUMP_MARKDOWN_H

#include "report/view/view.h"

/* Appends the report of all views in the dialect of GitHub and GitLab. */
void dj_report_write_markdown(struct dj_text *text, const struct dj_views *views);

#endif
