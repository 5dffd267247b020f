/* Finds which thread served each synchronous binder transaction. */
#ifndef DEJANK_TRIAGE_INDEX_BINDER_H
#define DEJANK_TRIAGE_INDEX_BINDER_H

#include "triage/index/index.h"

/* Fills index->calls with the calls that were answered within the trace. */
void dj_triage_find_calls(struct dj_triage_index *index);

/* Returns the innermost call whose answer the thread waits for at that time. Returns NULL
 * if it waits for none, or if it serves another call meanwhile. *until_ns (may be NULL)
 * is the earliest time at which this changes. */
const struct dj_triage_call *dj_triage_find_call(const struct dj_triage_index *index,
                                                 const struct dj_triage_thread *thread,
                                                 int64_t at_ns, int64_t *until_ns);

#endif
