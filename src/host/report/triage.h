/* What triage found, for programs and for people. */
#ifndef DEJANK_REPORT_TRIAGE_H
#define DEJANK_REPORT_TRIAGE_H

#include "report/terminal.h"
#include "triage/tie.h"

/* Schema dejank.triage/1, docs/format/triage.md. */
void dj_report_triage_json(struct dj_text *text, const struct dj_triage_result *result,
                           const struct dj_tie *tie);

/* The same as members of an object that is open. */
void dj_report_triage_members(struct dj_text *text, const struct dj_triage_result *result,
                              const struct dj_tie *tie);

/* What a cause of the result did, and what would have been saved without it. */
void dj_report_triage_sentence(struct dj_text *text,
                               const struct dj_triage_result *result,
                               const struct dj_triage_cause *cause);

/* A sentence for each top cause, a table of all, the worst frames as bars, limits. No
 * line is wider than the style's width, unless that is 0. */
void dj_report_triage_text(struct dj_text *text, const struct dj_triage_result *result,
                           const struct dj_terminal_style *style);

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
