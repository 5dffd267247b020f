/* Parts of triage's answer for people. Of this room only. */
#ifndef DEJANK_REPORT_TRIAGE_PARTS_H
#define DEJANK_REPORT_TRIAGE_PARTS_H

#include "report/terminal_page.h"
#include "report/triage.h"

/* The worst frames as bars, with a legend. */
void dj_report_triage_frames(struct dj_terminal *out,
                             const struct dj_triage_result *result);

/* When a cause was longest, in which sections, and who ended it: a line's words. */
void dj_report_triage_evidence(struct dj_text *text,
                               const struct dj_triage_evidence *evidence);

/* What is written on; width 0: lines are not broken. */
struct dj_terminal dj_triage_paper(struct dj_text *text,
                                   const struct dj_terminal_style *style);

/* Words on lines that start with `first`, then `rest`. Finishes them. */
void dj_triage_say(struct dj_terminal *out, const char *first, const char *rest,
                   struct dj_text *words);
void dj_triage_say_plainly(struct dj_terminal *out, const char *sentence);

#endif
