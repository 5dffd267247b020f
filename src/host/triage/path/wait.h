/* Finds what a sleeping thread waited for, from the thread that ended the sleep, other
 * threads of its process, and fences. */
#ifndef DEJANK_TRIAGE_PATH_WAIT_H
#define DEJANK_TRIAGE_PATH_WAIT_H

#include "triage/path/path.h"

/* Appends the pieces of the part of a sleep from from_ns to to_ns. `state` is the sleep's
 * index in index->states. */
void dj_triage_wait_append(struct dj_triage_path *path,
                           const struct dj_triage_thread *thread, size_t state,
                           int64_t from_ns, int64_t to_ns);

/* Appends a piece in which the thread waited for the reply to a call, in whatever state
 * it was. */
void dj_triage_wait_append_call(struct dj_triage_path *path,
                                const struct dj_triage_thread *thread,
                                const struct dj_triage_call *call,
                                struct dj_triage_piece piece);

/* Stores in the piece what thread `other` did in that time, and sets the piece's holder.
 * If `other` itself waited for a further thread, that thread's activity counts. For
 * DJ_CAUSE_IPC, the holder is the thread that worked on the call for the longest time. */
void dj_triage_wait_set_holder(struct dj_triage_path *path, struct dj_triage_piece *piece,
                               enum dj_cause_kind kind, uint32_t other);

/* Returns whether the state is an uninterruptible sleep. */
bool dj_triage_is_blocked(const struct dj_trace_state *state);

/*
 * Returns whether the waker kept the waiting thread waiting by work of its own.
 *
 * The result is false if the waiting thread had woken the waker, because the waker then
 * works for the waiting thread. It is true if the waker was busy before the sleep began,
 * or slept because of a timer or a disk of its own. It is false if the waker slept until
 * a thread of another process woke it, because it then only passes that thread's result
 * on.
 */
bool dj_triage_waker_is_holder(const struct dj_triage_path *path,
                               const struct dj_triage_thread *thread,
                               const struct dj_trace_state *sleep,
                               const struct dj_triage_thread *waker);

/* Returns whether a thread of the waiting thread's process had woken `asked` since the
 * frame began, directly or through other threads. */
bool dj_triage_is_called(const struct dj_triage_path *path,
                         const struct dj_triage_thread *thread, int64_t until_ns,
                         const struct dj_triage_thread *called);

/* Returns whether the thread's sections show that it collects garbage at at_ns. */
bool dj_triage_is_collecting(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns another thread of the process whose sections show that it collects garbage at
 * at_ns, or 0 if there is none. */
uint32_t dj_triage_find_collector(const struct dj_triage_index *index,
                                  const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns the section in which another thread of the process waits for a fence at at_ns
 * (for example "waiting for GPU completion 17"), or DJ_NO_SLICE if there is none. */
int32_t dj_triage_find_fence_section(const struct dj_triage_index *index,
                                     const struct dj_triage_thread *thread,
                                     int64_t at_ns);

/* Returns "DRIVER/TIMELINE" of the fence that the thread waits for during the sleep,
 * from the events dma_fence_wait_start and dma_fence_wait_end. Returns NULL if there
 * is none. */
const char *dj_triage_find_fence(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

#endif
