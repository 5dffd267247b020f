/* Notes what the traces cannot show. */
#ifndef DEJANK_TRIAGE_LIMITS_H
#define DEJANK_TRIAGE_LIMITS_H

#include "triage/collection.h"
#include "triage/frames/frames.h"

/* Notes the limits of one trace. */
void dj_triage_limits_add_trace(struct dj_triage *triage,
                                const struct dj_triage_index *index,
                                const struct dj_triage_frames *frames);

/* Notes what is counted over all traces. Call it once, after the last trace. */
void dj_triage_limits_add_totals(struct dj_triage *triage);

#endif
