/* Lines of triage's text, wrapped if the terminal has a width. */
#ifndef DEJANK_REPORT_TRIAGE_LINES_H
#define DEJANK_REPORT_TRIAGE_LINES_H

#include "report/terminal_page.h"

/* A terminal for triage's text; width 0: lines are not wrapped. */
struct dj_terminal dj_triage_paper(struct dj_text *text,
                                   const struct dj_terminal_style *style);

/* Appends `words` on lines that start with `first`, then `rest`, and finishes them.
 * dj_triage_say_plainly() appends a sentence without such a start. */
void dj_triage_say(struct dj_terminal *out, const char *first, const char *rest,
                   struct dj_text *words);
void dj_triage_say_plainly(struct dj_terminal *out, const char *sentence);

#endif
