/* Adds notes about what traces cannot show. */
#ifndef DEJANK_TRIAGE_LIMITS_H
#define DEJANK_TRIAGE_LIMITS_H

#include "triage/collection.h"
#include "triage/frames/frames.h"

/* Adds the notes about one trace. */
void dj_triage_limits_add_trace(struct dj_triage *triage,
                                const struct dj_triage_index *index,
                                const struct dj_triage_frames *frames);

/* Adds the notes about the sums over all traces. Call it once, after the last trace. */
void dj_triage_limits_add_totals(struct dj_triage *triage);

#endif
