/* What traces cannot show. Of this room only. */
#ifndef DEJANK_TRIAGE_LIMITS_H
#define DEJANK_TRIAGE_LIMITS_H

#include "triage/collect.h"

/* Of a trace that was added. */
void dj_triage_limits_note(struct dj_triage *triage, const struct dj_triage_index *index,
                           const struct dj_triage_frames *frames);

/* What is counted over all of them; once, after the last. */
void dj_triage_limits_sum(struct dj_triage *triage);

#endif
