/* triage finds which thread, lock or CPU used the time of janky frames. It computes
 * critical paths, their causes, and how much time would have been saved without each
 * cause. Traces are added one by one, and then weighed together; a trace may be freed
 * after it was added. The module does not read trace files and prints nothing.
 * docs/format/triage.md describes the method. */
#ifndef DEJANK_TRIAGE_TRIAGE_H
#define DEJANK_TRIAGE_TRIAGE_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"
#include "triage/result.h"
#include "triage/rules.h"

struct dj_triage;

/* The strings of `rules` must outlive the result. */
struct dj_triage *dj_triage_create(const struct dj_triage_rules *rules);
void dj_triage_destroy(struct dj_triage *triage); /* NULL is allowed. */

/* Adds the frames of a trace that was read with keep_marks. `name` is the name of the
 * trace in evidence. Returns DJ_E_NO_DATA if the trace has no frames; frames of other
 * traces stay. */
int dj_triage_add(struct dj_triage *triage, const struct dj_trace *trace,
                  const char *name, struct dj_error *err);

/* Adds a trace as baseline. The times of its frames are the usual times, whether the
 * frames are late or not. */
int dj_triage_add_base(struct dj_triage *triage, const struct dj_trace *trace,
                       struct dj_error *err);

/* Computes the result from all added traces. Call it once, after the last trace. *result
 * lives as long as the struct dj_triage. Returns DJ_E_NO_DATA if no frames were added. */
int dj_triage_weigh(struct dj_triage *triage, const struct dj_triage_result **result,
                    struct dj_error *err);

#endif
