/* Which causes come first, which are the machine's noise, which frames were worst. Of
 * this room only. */
#ifndef DEJANK_TRIAGE_RANK_H
#define DEJANK_TRIAGE_RANK_H

#include "triage/collect.h"

/* What other programs took of each frame, in an array that the caller frees. */
int64_t *dj_triage_sum_foreign(const struct dj_triage *triage);

/* Names, sorts and divides the weighed causes of the result, and keeps its worst frames.
 * `frames`: those without holes. */
void dj_triage_rank(struct dj_triage *triage, size_t frames);

#endif
