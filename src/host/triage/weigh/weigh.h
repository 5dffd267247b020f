/* Computes how much time would have been saved without each cause. The functions below
 * are the steps. */
#ifndef DEJANK_TRIAGE_WEIGH_WEIGH_H
#define DEJANK_TRIAGE_WEIGH_WEIGH_H

#include "triage/collection.h"

/* Computes triage->result from all collected data. */
void dj_triage_weigh_all(struct dj_triage *triage);

/* Creates the causes of the result, in the order of their first keys, and sets
 * triage->cause_of. */
void dj_triage_number_causes(struct dj_triage *triage);

/* Finds sections that always have the same wall time, even if their thread has no CPU for
 * a part of it. Such a section waits actively, or does as much work as fits in a fixed
 * time. Other threads do not make the section longer. So its time without a CPU is moved,
 * in all frames, from the shares of the threads that had the CPU to the share of the
 * section. */
void dj_triage_move_wall_time_work(struct dj_triage *triage);

/*
 * Returns how much less the thread of a janky frame would have waited for a CPU without
 * `removable_ns` of the share. `removable_ns` is either the whole share or the part above
 * its usual time.
 *
 * Removing work also removes the waits for a CPU during this work. The times at which
 * other programs run do not change. So the thread does its later work in the time that is
 * now free, and the frame ends when this work is complete. Waits for a CPU after this end
 * are also removed. Waits outside of the section are not removed, because they may have
 * other reasons.
 *
 * Removing a sleep also removes the wait for a CPU after its wake-up.
 */
struct dj_triage_cpu_wait dj_triage_compute_cpu_wait(const struct dj_triage *triage,
                                                     const struct dj_triage_cause *cause,
                                                     const struct dj_triage_share *share,
                                                     int64_t removable_ns);

/* Returns true if a thread runs during a cause of this kind. */
bool dj_triage_is_running_kind(enum dj_cause_kind kind);

/* Returns an array with the time that other programs used in each frame. The caller frees
 * it. */
int64_t *dj_triage_sum_foreign(const struct dj_triage *triage);

/* Completes the causes of the result after they were weighed: names them, sorts them,
 * separates noise of the machine, and stores the worst frames. `frames` is the number of
 * complete frames. */
void dj_triage_rank(struct dj_triage *triage, size_t frames);

#endif
