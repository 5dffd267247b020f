/* Finds which thread served each synchronous binder transaction (call). */
#ifndef DEJANK_TRIAGE_INDEX_BINDER_H
#define DEJANK_TRIAGE_INDEX_BINDER_H

#include "triage/index/index.h"

/* Fills index->calls with all calls whose reply is in the trace. */
void dj_triage_find_calls(struct dj_triage_index *index);

/* Returns the innermost call for whose reply the thread waits at `at_ns`. Returns NULL if
 * the thread waits for no reply, or serves a call of another thread. If `until_ns` is not
 * NULL, sets *until_ns to the earliest time at which the result may change. */
const struct dj_triage_call *dj_triage_find_call(const struct dj_triage_index *index,
                                                 const struct dj_triage_thread *thread,
                                                 int64_t at_ns, int64_t *until_ns);

#endif
