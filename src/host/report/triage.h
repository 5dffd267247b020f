/* What triage found, for programs and for people. */
#ifndef DEJANK_REPORT_TRIAGE_H
#define DEJANK_REPORT_TRIAGE_H

#include "report/terminal.h"
#include "triage/triage.h"

/* Schema dejank.triage/1, docs/format/triage.md. */
void dj_report_triage_json(struct dj_text *text, const struct dj_triage_result *result);

/* A sentence for each top cause, a table of all, the worst frames as bars, limits. */
void dj_report_triage_text(struct dj_text *text, const struct dj_triage_result *result,
                           const struct dj_terminal_style *style);

#endif
