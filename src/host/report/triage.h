/* Writes the result of triage as JSON and as a document. In all functions, `tie` has the
 * findings from the framestats that belong to the traces. It is NULL if there are no
 * framestats. */
#ifndef DEJANK_REPORT_TRIAGE_H
#define DEJANK_REPORT_TRIAGE_H

#include "report/document.h"
#include "triage/findings.h"

/* Appends JSON with schema dejank.triage/1 (docs/format/triage.md). */
void dj_report_write_triage_json(struct dj_text *text,
                                 const struct dj_triage_result *result,
                                 const struct dj_triage_findings *tie);

/* Appends the members of that JSON to an open object. */
void dj_report_write_triage_members(struct dj_text *text,
                                    const struct dj_triage_result *result,
                                    const struct dj_triage_findings *tie);

/* Appends a sentence with the effect of a cause, and the time that would be saved without
 * the cause. */
void dj_report_describe_cause(struct dj_text *text, const struct dj_triage_result *result,
                              const struct dj_triage_cause *cause);

/* Adds the verdict, the causes, the worst frames and the limits of the traces. */
void dj_report_add_triage(struct dj_document *document,
                          const struct dj_triage_result *result,
                          const struct dj_triage_findings *tie);

/* Returns whether dj_report_export_calls() writes files with this name: .folded and
 * .speedscope.json. */
bool dj_report_is_call_export(const char *path);

/*
 * Writes the mean time of each call stack per janky and per smooth frame, for flame
 * graphs of other tools. NAME.folded becomes two files, NAME.janky.folded and
 * NAME.smooth.folded, with a stack and its microseconds in each line.
 * NAME.speedscope.json has both as profiles. Returns DJ_E_NO_DATA if the traces have no
 * stacks.
 */
int dj_report_export_calls(const char *path, const struct dj_triage_result *result,
                           struct dj_error *err);

/* Appends the members "rows" and "findings" to an open object (docs/format/triage.md). */
void dj_report_write_tied_members(struct dj_text *text,
                                  const struct dj_triage_result *result,
                                  const struct dj_triage_findings *tie);

/* Appends a sentence on one finding from framestats. */
void dj_report_describe_tied_finding(struct dj_text *text,
                                     const struct dj_triage_result *result,
                                     const struct dj_triage_finding *finding);

#endif
