/* The parts of triage's text, and how they are wrapped. */
#ifndef DEJANK_REPORT_TRIAGE_PARTS_H
#define DEJANK_REPORT_TRIAGE_PARTS_H

#include "report/terminal_page.h"
#include "report/triage.h"

/* The worst frames as bars, with a legend. */
void dj_report_triage_frames(struct dj_terminal *out,
                             const struct dj_triage_result *result);

/* One line of text: when a cause was longest, in which sections, and which thread ended
 * it. */
void dj_report_triage_evidence(struct dj_text *text,
                               const struct dj_triage_evidence *evidence);

/* A terminal for triage's text; width 0: lines are not wrapped. */
struct dj_terminal dj_triage_paper(struct dj_text *text,
                                   const struct dj_terminal_style *style);

/* Appends `words` on lines that start with `first`, then `rest`, and finishes them.
 * dj_triage_say_plainly() appends a sentence without such a start. */
void dj_triage_say(struct dj_terminal *out, const char *first, const char *rest,
                   struct dj_text *words);
void dj_triage_say_plainly(struct dj_terminal *out, const char *sentence);

#endif
