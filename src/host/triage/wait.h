/* What a sleeping thread waited for, and what tells of that: the thread that ended the
 * sleep, other threads of its process, fences. Of this room only. */
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

/* Notes with a piece what thread `other` did in its time, through further waits; of ipc
 * it is then held by the one that had it longest. */
void dj_triage_look_at(struct dj_triage_path *path, struct dj_triage_piece *piece,
                       enum dj_cause_kind kind, uint32_t other);

/* It slept so that no signal could wake it. */
bool dj_triage_is_blocked(const struct dj_trace_state *state);

/*
 * Whether the waker was at something of its own, which kept us waiting.
 *
 * Who was woken by us does what we asked for, even if it was kept waiting a little in
 * between. Who was at something before we fell asleep, or slept for a time of its own,
 * held what we wanted. Who slept until somebody else woke it passes on what that one did.
 */
bool dj_triage_holds(const struct dj_triage_path *path,
                     const struct dj_triage_thread *thread,
                     const struct dj_trace_state *sleep,
                     const struct dj_triage_thread *waker);

/* Whether a thread of the waiting one's process had woken a thread since the frame began,
 * itself or through others. */
bool dj_triage_is_asked(const struct dj_triage_path *path,
                        const struct dj_triage_thread *thread, int64_t until_ns,
                        const struct dj_triage_thread *asked);

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

/* "DRIVER/TIMELINE" of the fence that the thread waits for while it sleeps, by
 * dma_fence_wait_start and dma_fence_wait_end; NULL: it waits for none. */
const char *dj_triage_fence_of(const struct dj_triage_index *index,
                               const struct dj_triage_thread *thread,
                               const struct dj_trace_state *sleep);

#endif
