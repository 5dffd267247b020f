/* Finds what a sleeping thread waited for, from the thread that ended the sleep, other
 * threads of its process, and fences. */
#ifndef DEJANK_TRIAGE_PATH_WAIT_H
#define DEJANK_TRIAGE_PATH_WAIT_H

#include "triage/path/path.h"

/* Appends the pieces of a part of a sleep. `state` is the sleep's place in
 * index->states. */
void dj_triage_wait_append(struct dj_triage_path *path,
                           const struct dj_triage_thread *thread, size_t state,
                           int64_t from_ns, int64_t to_ns);

/* Appends a piece during which a call was unanswered, whatever state the thread was
 * in. */
void dj_triage_wait_append_call(struct dj_triage_path *path,
                                const struct dj_triage_thread *thread,
                                const struct dj_triage_call *call,
                                struct dj_triage_piece piece);

/* Stores in the piece of the path what thread `other` did in that time. If `other` itself
 * waited for a further thread, that thread counts. The holder of an ipc piece becomes the
 * thread that worked on the call for the longest time. */
void dj_triage_wait_set_holder(struct dj_triage_path *path, struct dj_triage_piece *piece,
                               enum dj_cause_kind kind, uint32_t other);

/* Whether it slept so that no signal could wake it. */
bool dj_triage_is_blocked(const struct dj_trace_state *state);

/* Whether the waker was busy with its own work, which kept the waiting thread waiting.
 *
 * A thread that the waiting one had woken does what that one asked for, even if it was
 * kept waiting a little in between. A thread that was busy before the sleep began, or
 * slept for a time of its own, held what the waiting one wanted. A thread that slept
 * until another one woke it passes on what that one did. */
bool dj_triage_waker_is_holder(const struct dj_triage_path *path,
                               const struct dj_triage_thread *thread,
                               const struct dj_trace_state *sleep,
                               const struct dj_triage_thread *waker);

/* Whether a thread of the waiting one's process had woken `asked` since the frame began,
 * directly or through other threads. */
bool dj_triage_is_called(const struct dj_triage_path *path,
                         const struct dj_triage_thread *thread, int64_t until_ns,
                         const struct dj_triage_thread *asked);

/* Whether the thread's sections show that it collects garbage at that time. */
bool dj_triage_is_collecting(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns another thread of the process whose sections show that it collects garbage at
 * that time; 0 if there is none. */
uint32_t dj_triage_find_collector(const struct dj_triage_index *index,
                                  const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns the section in which another thread of the process waits for a fence at that
 * time ("waiting for GPU completion 17"); DJ_NO_SLICE if there is none. */
int32_t dj_triage_find_fence_section(const struct dj_triage_index *index,
                                     const struct dj_triage_thread *thread,
                                     int64_t at_ns);

/* Returns "DRIVER/TIMELINE" of the fence that the thread waits for during the sleep, from
 * dma_fence_wait_start and dma_fence_wait_end; NULL if there is none. */
const char *dj_triage_find_fence(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

#endif
