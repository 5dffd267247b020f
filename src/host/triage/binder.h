/* Which thread served whose synchronous transactions. Of this room only. */
#ifndef DEJANK_TRIAGE_BINDER_H
#define DEJANK_TRIAGE_BINDER_H

#include "triage/index.h"

/* Fills the index's calls: those that were answered within the trace. */
void dj_triage_calls_find(struct dj_triage_index *index);

/* The call for whose answer the thread waits at an instant, the innermost one; NULL: for
 * none, or it serves another one meanwhile. *until_ns (may be NULL) is when that changes
 * at the earliest. */
const struct dj_triage_call *dj_triage_call_at(const struct dj_triage_index *index,
                                               const struct dj_triage_thread *thread,
                                               int64_t at_ns, int64_t *until_ns);

#endif
