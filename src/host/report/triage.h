/* The result of triage as JSON and as a document. */
#ifndef DEJANK_REPORT_TRIAGE_H
#define DEJANK_REPORT_TRIAGE_H

#include "report/document.h"
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

/* Adds the verdict, the causes, the worst frames and the limits of the traces. tie NULL:
 * no framestats belong to the traces. */
void dj_report_add_triage(struct dj_document *document,
                          const struct dj_triage_result *result,
                          const struct dj_triage_findings *tie);

/* Members "rows" and "findings" of an open object (docs/format/triage.md). */
void dj_report_write_tied_members(struct dj_text *text,
                                  const struct dj_triage_result *result,
                                  const struct dj_triage_findings *tie);

/* A sentence on one finding. */
void dj_report_describe_tied_finding(struct dj_text *text,
                                     const struct dj_triage_result *result,
                                     const struct dj_triage_finding *finding);

#endif
