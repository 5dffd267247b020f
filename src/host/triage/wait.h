/* What a sleeping thread waited for. Of this room only. */
#ifndef DEJANK_TRIAGE_WAIT_H
#define DEJANK_TRIAGE_WAIT_H

#include "triage/path.h"

/* Appends the pieces of a part of a sleep: `state` is its place in index->states. */
void dj_triage_wait(struct dj_triage_path *path, const struct dj_triage_thread *thread,
                    size_t state, int64_t from_ns, int64_t to_ns);

/* Appends a piece that passed until a call was answered, whatever state the thread was
 * in.
 */
void dj_triage_called(struct dj_triage_path *path, const struct dj_triage_thread *thread,
                      const struct dj_triage_call *call, struct dj_triage_piece piece);

#endif
