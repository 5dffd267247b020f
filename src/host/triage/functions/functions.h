/* Finds the functions that took the extra time of work. The samples of each frame are
 * those of the threads of its critical path, during work on this path. So waits and the
 * work of other threads do not count. */
#ifndef DEJANK_TRIAGE_FUNCTIONS_FUNCTIONS_H
#define DEJANK_TRIAGE_FUNCTIONS_FUNCTIONS_H

#include "triage/collection.h"

/* The samples of a trace, by thread. */
struct dj_triage_sampled {
    const struct dj_trace *trace;
    uint32_t *places; /* Indexes in trace->samples, sorted by thread, then time. Owned. */
    size_t count;
    int64_t interval_ns; /* Time of a sample that does not state its own. */
    struct dj_calls_copy copy;
};

/* Builds the index of the samples that a timer made. */
void dj_triage_sampled_build(struct dj_triage *triage, const struct dj_trace *trace,
                             struct dj_triage_sampled *sampled);
void dj_triage_sampled_finish(struct dj_triage_sampled *sampled);

/* Adds the samples of the frame that was collected last. */
void dj_triage_functions_collect(struct dj_triage *triage,
                                 const struct dj_triage_index *index,
                                 struct dj_triage_sampled *sampled,
                                 const struct dj_triage_piece *pieces, size_t count);

/* Returns the functions of a cause, or NULL if there are no samples of it. `janky` lists
 * the janky frames to which the cause contributed. If `cause` is UINT32_MAX, all causes
 * count. The caller frees the result with dj_triage_functions_destroy(). */
struct dj_triage_functions *dj_triage_functions_find(const struct dj_triage *triage,
                                                     uint32_t cause,
                                                     const uint32_t *janky,
                                                     size_t janky_count);
/* Returns the functions of the work of all complete janky frames. */
struct dj_triage_functions *dj_triage_functions_find_all(const struct dj_triage *triage);
void dj_triage_functions_destroy(struct dj_triage_functions *functions);

#endif
