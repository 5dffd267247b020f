/* Adds notes about what the traces do not show. */
#ifndef DEJANK_TRIAGE_LIMITS_H
#define DEJANK_TRIAGE_LIMITS_H

#include "triage/collection.h"
#include "triage/frames/frames.h"

/* Adds the notes about one trace. */
void dj_triage_limits_add_trace(struct dj_triage *triage,
                                const struct dj_triage_index *index,
                                const struct dj_triage_frames *frames);

/* Adds the notes about numbers that are summed over all traces. Call this function once,
 * after the last trace was added. */
void dj_triage_limits_add_totals(struct dj_triage *triage);

#endif
