/*
 * triage finds out why frames were janky: which thread, lock or CPU used their time. It
 * computes the critical path of each frame, the causes on this path, and how much time
 * would have been saved without each cause.
 *
 * Traces are added one by one, and the causes of all traces are weighed together at the
 * end. A trace may be freed after it was added. The module does not read trace files and
 * prints nothing. docs/format/triage.md describes the method.
 */
#ifndef DEJANK_TRIAGE_TRIAGE_H
#define DEJANK_TRIAGE_TRIAGE_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"
#include "triage/result.h"
#include "triage/rules.h"

struct dj_triage;

/* Creates a triage without traces. The strings of `rules` must outlive the result. */
struct dj_triage *dj_triage_create(const struct dj_triage_rules *rules);
void dj_triage_destroy(struct dj_triage *triage); /* Frees the triage. NULL is allowed. */

/* Adds the frames of a trace. The trace must have been read with keep_marks, and with
 * keep_samples if functions are to be named. `name` names
 * the trace in the result. Returns DJ_E_NO_DATA if the trace has no frames. Traces that
 * were added before are not affected by an error. */
int dj_triage_add(struct dj_triage *triage, const struct dj_trace *trace,
                  const char *name, struct dj_error *err);

/* Adds a trace to the baseline. The times of its frames are treated as usual times, even
 * if its frames are late. */
int dj_triage_add_base(struct dj_triage *triage, const struct dj_trace *trace,
                       struct dj_error *err);

/* Computes the result from all added traces. Call this function once, after the last
 * trace was added. *result lives as long as `triage`. Returns DJ_E_NO_DATA if no frames
 * were added. */
int dj_triage_weigh(struct dj_triage *triage, const struct dj_triage_result **result,
                    struct dj_error *err);

#endif
