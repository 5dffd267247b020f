/* Draws charts of call stacks: the functions in which janky frames spent more time than
 * smooth frames, and the stacks of single frames over time. Callers are above their
 * callees. */
#ifndef DEJANK_REPORT_TRIAGE_FLAME_H
#define DEJANK_REPORT_TRIAGE_FLAME_H

#include "report/document.h"
#include "triage/result.h"

/* Adds a differential flame graph of all work of janky frames. Adds nothing if no stacks
 * were sampled. */
void dj_report_add_flame_graph(struct dj_document *document,
                               const struct dj_triage_result *result);

/* Adds a chart for each of the worst frames that has samples. `describe` appends the name
 * of a frame. */
void dj_report_add_frame_stacks(struct dj_document *document,
                                const struct dj_triage_result *result,
                                void (*describe)(struct dj_text *words,
                                                 const struct dj_triage_result *result,
                                                 size_t index));

#endif
