/* What other threads of a process did meanwhile that tells of a wait. Of this room only.
 */
#ifndef DEJANK_TRIAGE_BESIDE_H
#define DEJANK_TRIAGE_BESIDE_H

#include "triage/index.h"

/* It collects garbage then, by its sections. */
bool dj_triage_collects(const struct dj_triage_index *index,
                        const struct dj_triage_thread *thread, int64_t at_ns);

/* The thread of its process, another one, that collects garbage then; 0: none is seen to.
 */
uint32_t dj_triage_collector_at(const struct dj_triage_index *index,
                                const struct dj_triage_thread *thread, int64_t at_ns);

/* The section in which another thread of its process waits for a fence then ("waiting for
 * GPU completion 17"); DJ_NO_SLICE: none does. */
int32_t dj_triage_fence_beside(const struct dj_triage_index *index,
                               const struct dj_triage_thread *thread, int64_t at_ns);

#endif
