/* What framestats' findings and the traces say of the same frames. */
#ifndef DEJANK_REPORT_TIE_H
#define DEJANK_REPORT_TIE_H

#include "report/terminal.h"
#include "triage/tie.h"

/* Members "rows" and "findings" of an object that is open (docs/format/triage.md). */
void dj_report_tie_members(struct dj_text *text, const struct dj_triage_result *result,
                           const struct dj_tie *tie);

/* A sentence on one finding. */
void dj_report_tie_sentence(struct dj_text *text, const struct dj_triage_result *result,
                            const struct dj_tied_finding *finding);

/* A title and a line for each finding; nothing where no rows were tied. Lines as those of
 * dj_report_triage_text(). */
void dj_report_tie_text(struct dj_text *text, const struct dj_triage_result *result,
                        const struct dj_tie *tie, const struct dj_terminal_style *style);

#endif
