/* Describes the functions that waited. */
#ifndef DEJANK_REPORT_TRIAGE_WAITS_H
#define DEJANK_REPORT_TRIAGE_WAITS_H

#include "report/document.h"
#include "triage/result.h"

/* Appends a sentence on the functions that waited. Appends nothing if no stacks of waits
 * were sampled. */
void dj_report_describe_waits(struct dj_text *text, const struct dj_triage_result *result,
                              const struct dj_triage_cause *cause);

/* Adds a table of the functions that waited. Adds nothing if there are none. */
void dj_report_add_waits(struct dj_document *document,
                         const struct dj_triage_result *result);

/* Adds the members "waits" and "wait_stacks" to an open object. Adds nothing if `waiters`
 * is NULL. */
void dj_report_write_waits(struct dj_text *text, const struct dj_calls_tree *calls,
                           const struct dj_triage_waiters *waiters);

#endif
