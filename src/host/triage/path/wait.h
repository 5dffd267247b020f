/* Finds what a sleeping thread waited for. Uses the thread that ended the sleep, other
 * threads of the process, and fences. */
#ifndef DEJANK_TRIAGE_PATH_WAIT_H
#define DEJANK_TRIAGE_PATH_WAIT_H

#include "triage/path/path.h"

/* Appends pieces for a part of a sleep, from from_ns to to_ns. `state` is the index of
 * the sleep in index->states. */
void dj_triage_wait_append(struct dj_triage_path *path,
                           const struct dj_triage_thread *thread, size_t state,
                           int64_t from_ns, int64_t to_ns);

/* Appends `piece` as a wait for the reply to a call. The thread may have been in any
 * state. */
void dj_triage_wait_append_call(struct dj_triage_path *path,
                                const struct dj_triage_thread *thread,
                                const struct dj_triage_call *call,
                                struct dj_triage_piece piece);

/* Sets the holder of a piece and piece->activity: what the thread `other` did during the
 * piece. If `other` itself waited for a further thread, uses what the further thread did.
 * For DJ_CAUSE_IPC, the holder is the thread that worked on the call for the longest
 * time. */
void dj_triage_wait_set_holder(struct dj_triage_path *path, struct dj_triage_piece *piece,
                               enum dj_cause_kind kind, uint32_t other);

/* Returns true if the state is an uninterruptible sleep. */
bool dj_triage_is_blocked(const struct dj_trace_state *state);

/*
 * Returns true if the waiting thread waited for the waker's own work. The waker is the
 * thread that ended the sleep.
 *
 * Returns false if the waiting thread had woken the waker, because the waker then works
 * for the waiting thread. Otherwise returns true if the waker was busy before the sleep
 * began, or slept because of a timer or a disk of its own. Returns false if a thread of
 * another process has woken the waker, because the waker then only forwards a result of
 * that thread.
 */
bool dj_triage_waker_is_holder(const struct dj_triage_path *path,
                               const struct dj_triage_thread *thread,
                               const struct dj_trace_state *sleep,
                               const struct dj_triage_thread *waker);

/* Returns true if a thread of the waiting thread's process has woken `called` after the
 * frame began. The wake-up may be indirect, through other threads. */
bool dj_triage_is_called(const struct dj_triage_path *path,
                         const struct dj_triage_thread *thread, int64_t until_ns,
                         const struct dj_triage_thread *called);

/* Returns true if the sections of the thread show that it collects garbage at `at_ns`. */
bool dj_triage_is_collecting(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns the id of another thread of the process that is inside a section of garbage
 * collection at `at_ns`. A section is a named slice of time of a thread. Returns 0 if
 * there is no such thread. */
uint32_t dj_triage_find_collector(const struct dj_triage_index *index,
                                  const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns the section in which another thread of the process waits for a fence at
 * `at_ns`, for example "waiting for GPU completion 17". Returns DJ_NO_SLICE if there is
 * none. */
int32_t dj_triage_find_fence_section(const struct dj_triage_index *index,
                                     const struct dj_triage_thread *thread,
                                     int64_t at_ns);

/* Returns the name "DRIVER/TIMELINE" of the fence for which the thread waits during the
 * sleep, or NULL if there is none. Uses the events dma_fence_wait_start and
 * dma_fence_wait_end. */
const char *dj_triage_find_fence(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

#endif
