/* The result of triage as JSON and as text. */
#ifndef DEJANK_REPORT_TRIAGE_H
#define DEJANK_REPORT_TRIAGE_H

#include "report/terminal/style.h"
#include "triage/findings.h"

/* JSON with schema dejank.triage/1, docs/format/triage.md. */
void dj_report_write_triage_json(struct dj_text *text,
                                 const struct dj_triage_result *result,
                                 const struct dj_triage_findings *tie);

/* The same as members of an open object. */
void dj_report_write_triage_members(struct dj_text *text,
                                    const struct dj_triage_result *result,
                                    const struct dj_triage_findings *tie);

/* One sentence: what a cause did, and the time that would be saved without it. */
void dj_report_describe_cause(struct dj_text *text, const struct dj_triage_result *result,
                              const struct dj_triage_cause *cause);

/* A sentence for each top cause, a table of all causes, the worst frames as bars, limits.
 * No line is wider than the style's width; width 0: no maximum. */
void dj_report_write_triage_text(struct dj_text *text,
                                 const struct dj_triage_result *result,
                                 const struct dj_terminal_style *style);

/* Members "rows" and "findings" of an open object (docs/format/triage.md). */
void dj_report_write_tied_members(struct dj_text *text,
                                  const struct dj_triage_result *result,
                                  const struct dj_triage_findings *tie);

/* A sentence on one finding. */
void dj_report_describe_tied_finding(struct dj_text *text,
                                     const struct dj_triage_result *result,
                                     const struct dj_triage_finding *finding);

/* A title and a line for each finding; nothing if no rows were matched. Lines as in
 * dj_report_write_triage_text(). */
void dj_report_write_tied_text(struct dj_text *text,
                               const struct dj_triage_result *result,
                               const struct dj_triage_findings *tie,
                               const struct dj_terminal_style *style);

#endif
