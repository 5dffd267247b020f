/* Finds the functions in which work took extra time, and the functions in which threads
 * waited. The samples of a frame are those of the threads on its critical path during
 * work on this path. Waits and work of other threads do not count. A wait has one stack,
 * which was sampled when its thread left the CPU. */
#ifndef DEJANK_TRIAGE_FUNCTIONS_FUNCTIONS_H
#define DEJANK_TRIAGE_FUNCTIONS_FUNCTIONS_H

#include "triage/collection.h"

/* Indexes in trace->samples, sorted by thread, then time. */
struct dj_triage_places {
    uint32_t *all; /* The array of indexes. Owned by this struct. */
    size_t count;
};

/* The samples of a trace, grouped by thread. */
struct dj_triage_sampled {
    const struct dj_trace *trace;
    /* Samples that a timer triggered while a thread ran. */
    struct dj_triage_places work;
    /* Samples of threads at the moment when they left the CPU. */
    struct dj_triage_places waits;
    /* Time that a sample represents if the sample itself does not state it. */
    int64_t interval_ns;
    struct dj_calls_copy copy;
};

void dj_triage_sampled_build(struct dj_triage *triage, const struct dj_trace *trace,
                             struct dj_triage_sampled *sampled);
void dj_triage_sampled_finish(struct dj_triage_sampled *sampled);

/* Returns the index in places->all of the first sample of the thread at from_ns or later.
 */
size_t dj_triage_sampled_find(const struct dj_triage_sampled *sampled,
                              const struct dj_triage_places *places, uint32_t tid,
                              int64_t from_ns);

/* Adds the samples of the frame that was added to `triage` last. */
void dj_triage_functions_collect(struct dj_triage *triage,
                                 const struct dj_triage_index *index,
                                 struct dj_triage_sampled *sampled,
                                 const struct dj_triage_piece *pieces, size_t count);

/* Adds the waits of the frame that was added to `triage` last, with their stacks. Does
 * nothing if the trace has no stacks of waits. */
void dj_triage_waits_collect(struct dj_triage *triage,
                             const struct dj_triage_index *index,
                             struct dj_triage_sampled *sampled,
                             const struct dj_triage_piece *pieces, size_t count);

/* Returns the functions of a cause, or NULL if the cause has no samples. `janky` lists
 * the janky frames to which the cause contributed. If `cause` is UINT32_MAX, includes the
 * work of all causes. The caller frees the result with dj_triage_functions_destroy(). */
struct dj_triage_functions *dj_triage_functions_find(const struct dj_triage *triage,
                                                     uint32_t cause,
                                                     const uint32_t *janky,
                                                     size_t janky_count);
/* Returns the functions of the work of all complete janky frames. */
struct dj_triage_functions *dj_triage_functions_find_all(const struct dj_triage *triage);
void dj_triage_functions_destroy(struct dj_triage_functions *functions);

/* Returns the functions that waited, or NULL if the traces have no stacks of such waits.
 * `janky` lists the janky frames to which the cause contributed. The caller frees the
 * result. */
struct dj_triage_waiters *dj_triage_waits_find(const struct dj_triage *triage,
                                               uint32_t cause, const uint32_t *janky,
                                               size_t janky_count);

#endif
