/* Adds the data of one trace to the data that triage collects from all traces. */
#ifndef DEJANK_TRIAGE_COLLECT_H
#define DEJANK_TRIAGE_COLLECT_H

#include "triage/collection.h"
#include "triage/frames/frames.h"

/* Adds the running time of each family of threads to triage->ran. */
void dj_triage_collect_runs(struct dj_triage *triage,
                            const struct dj_triage_index *index);

/* Adds a frame and the pieces of its critical path. */
void dj_triage_collect_frame(struct dj_triage *triage,
                             const struct dj_triage_index *index,
                             const struct dj_triage_frame *frame,
                             const struct dj_triage_piece *pieces, size_t count);

#endif
