/* What would have been saved without each cause, and the steps to that. Of this room
 * only.
 */
#ifndef DEJANK_TRIAGE_WEIGH_H
#define DEJANK_TRIAGE_WEIGH_H

#include "triage/collect.h"

/* Fills triage->result. */
void dj_triage_weigh_all(struct dj_triage *triage);

/* ---- its steps ---- */

/* Makes the result's causes, in the order of their first keys, and says of each key which
 * one it is. */
void dj_triage_causes_number(struct dj_triage *triage);

/*
 * A section that always takes as long by the clock, however much of that its thread was
 * kept off its core, is not made longer by that: it waits busily, or does as much as
 * fits. Without those on the core it would have lasted as long. Such time is moved, in
 * all frames, from the shares of who was on the core to the section's own.
 */
void dj_triage_move_spinning(struct dj_triage *triage);

/*
 * Without removable_ns of a share of the cause, which are all of it or what is above the
 * usual: how long a janky frame's thread was ready and without a core, and would not have
 * been.
 *
 * With work goes what kept it off its core meanwhile. Who else ran there ran when they
 * did; what the thread did after that work it would have done in the time that it so had
 * free: the frame would have been over when the thread had run for as long as the rest of
 * it takes, and what kept it off after that did not matter. What did so outside of the
 * section is left out, as it may have come with what the thread did then.
 *
 * With a wait goes the wait for a core that its end began.
 */
struct dj_triage_along dj_triage_along_of(const struct dj_triage *triage,
                                          const struct dj_triage_cause *cause,
                                          const struct dj_triage_share *share,
                                          int64_t removable_ns);

/* The thread runs then. */
bool dj_triage_is_run(enum dj_cause_kind kind);

/* What other programs took of each frame, in an array that the caller frees. */
int64_t *dj_triage_sum_foreign(const struct dj_triage *triage);

/* Names, sorts and divides the weighed causes of the result, and keeps its worst frames.
 * `frames`: those without holes. */
void dj_triage_rank(struct dj_triage *triage, size_t frames);

#endif
