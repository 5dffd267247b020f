/* Sections of the report of a view, with headings. Each appends nothing if the view lacks
 * its data. */
#ifndef DEJANK_REPORT_TERMINAL_SECTIONS_H
#define DEJANK_REPORT_TERMINAL_SECTIONS_H

#include "report/terminal/lines.h"
#include "report/view/view.h"

void dj_terminal_write_figures(struct dj_terminal *out, const struct dj_view *view);

/* Findings of the rows, and the rules without a finding; the longest rows. */
void dj_terminal_write_findings(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_write_longest(struct dj_terminal *out, const struct dj_view *view);

/* Histogram of the rows; and of all counted frames, if there are more. */
void dj_terminal_write_exact_histogram(struct dj_terminal *out,
                                       const struct dj_view *view);
void dj_terminal_write_hwui_histogram(struct dj_terminal *out,
                                      const struct dj_view *view);
void dj_terminal_write_stages(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_write_profile(struct dj_terminal *out, const struct dj_view *view);

#endif
