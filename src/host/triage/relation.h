/* What a thread has to do with the sleep that it ended. Of this room only. */
#ifndef DEJANK_TRIAGE_RELATION_H
#define DEJANK_TRIAGE_RELATION_H

#include "triage/path.h"

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

#endif
