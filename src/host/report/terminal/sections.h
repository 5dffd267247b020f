/* Sections of the report of a view, with headings. Each appends nothing if the view lacks
 * its data. */
#ifndef DEJANK_REPORT_TERMINAL_SECTIONS_H
#define DEJANK_REPORT_TERMINAL_SECTIONS_H

#include "report/terminal_page.h"
#include "report/view.h"

void dj_terminal_figures(struct dj_terminal *out, const struct dj_view *view);

/* Findings of the rows, and the rules without a finding; the longest rows. */
void dj_terminal_findings(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_longest(struct dj_terminal *out, const struct dj_view *view);

/* Histogram of the rows; and of all counted frames, if there are more. */
void dj_terminal_histogram_exact(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_histogram_hwui(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_stages(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_profile(struct dj_terminal *out, const struct dj_view *view);

#endif
