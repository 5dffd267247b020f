/* What would go with a cause that is thought away, beside its own time. Of this room
 * only. */
#ifndef DEJANK_TRIAGE_ALONG_H
#define DEJANK_TRIAGE_ALONG_H

#include "triage/collect.h"

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

#endif
