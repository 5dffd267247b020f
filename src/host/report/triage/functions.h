/* Describes the functions that took the extra time of janky frames. */
#ifndef DEJANK_REPORT_TRIAGE_FUNCTIONS_H
#define DEJANK_REPORT_TRIAGE_FUNCTIONS_H

#include "report/document.h"
#include "triage/result.h"

/* Appends a sentence on the functions of a cause. Appends nothing if no stacks were
 * sampled during its work. */
void dj_report_describe_functions(struct dj_text *text,
                                  const struct dj_triage_result *result,
                                  const struct dj_triage_cause *cause);

/* Adds a table of the functions of all causes. Adds nothing if there are none. */
void dj_report_add_functions(struct dj_document *document,
                             const struct dj_triage_result *result);

/* Adds a table with the files of these functions, and how reliable the stacks are. */
void dj_report_add_function_details(struct dj_document *document,
                                    const struct dj_triage_result *result);

/* Appends a name of a file in parentheses, without its folder. Appends nothing if `path`
 * is "". */
void dj_report_describe_file(struct dj_text *text, const char *path);

/* Adds an array with the names of the functions from `last` inwards to `node`. `last` may
 * be DJ_CALLS_ROOT. */
void dj_report_write_call_path(struct dj_text *text, const char *key,
                               const struct dj_calls_tree *calls, uint32_t node,
                               uint32_t last);

/* Adds the member "functions" and "function_frames" to an open object. Adds nothing if
 * `functions` is NULL. */
void dj_report_write_functions(struct dj_text *text, const struct dj_calls_tree *calls,
                               const struct dj_triage_functions *functions);

#endif
