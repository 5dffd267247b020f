/* Which fence of a device a thread waits for in the kernel. Of this room only. */
#ifndef DEJANK_TRIAGE_FENCES_H
#define DEJANK_TRIAGE_FENCES_H

#include "triage/index.h"

/* "DRIVER/TIMELINE" of the fence that the thread waits for while it sleeps, by
 * dma_fence_wait_start and dma_fence_wait_end; NULL: it waits for none. */
const char *dj_triage_fence_of(const struct dj_triage_index *index,
                               const struct dj_triage_thread *thread,
                               const struct dj_trace_state *sleep);

#endif
