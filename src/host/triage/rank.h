/* Which causes come first, which are the machine's noise, which frames were worst. Of
 * this room only. */
#ifndef DEJANK_TRIAGE_RANK_H
#define DEJANK_TRIAGE_RANK_H

#include "triage/collect.h"

/* What other programs took of each frame. */
void dj_triage_sum_foreign(const struct dj_triage *triage, int64_t *foreign_ns);

/* Names, sorts and divides the weighed causes of the result, and keeps its worst frames.
 * `frames`: those without holes; `sums`: room for as many numbers as there are keys. */
void dj_triage_rank(struct dj_triage *triage, size_t frames, int64_t *sums);

#endif
