/* Lines of triage's text, wrapped if the terminal has a width. */
#ifndef DEJANK_REPORT_TRIAGE_LINES_H
#define DEJANK_REPORT_TRIAGE_LINES_H

#include "report/terminal/lines.h"

/* A terminal for triage's text; width 0: lines are not wrapped. */
struct dj_terminal dj_report_init_triage_lines(struct dj_text *text,
                                               const struct dj_terminal_style *style);

/* Appends `words` on lines that start with `first`, then `rest`, and finishes them.
 * dj_report_write_triage_sentence() appends a sentence without such a start. */
void dj_report_write_triage_lines(struct dj_terminal *out, const char *first,
                                  const char *rest, struct dj_text *words);
void dj_report_write_triage_sentence(struct dj_terminal *out, const char *sentence);

#endif
