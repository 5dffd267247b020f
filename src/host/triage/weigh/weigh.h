/* Computes how much would have been saved without each cause, in steps. */
#ifndef DEJANK_TRIAGE_WEIGH_WEIGH_H
#define DEJANK_TRIAGE_WEIGH_WEIGH_H

#include "triage/collection.h"

/* Fills triage->result. */
void dj_triage_weigh_all(struct dj_triage *triage);

/* Creates the result's causes, in the order of their first keys, and sets
 * triage->cause_of. */
void dj_triage_number_causes(struct dj_triage *triage);

/* Finds sections that always have the same wall time, however long their thread was off
 * the CPU. Such a section waits actively, or does as much work as fits in its time, so
 * other threads do not make it longer. Moves its time off the CPU, in all frames, from
 * the shares of the threads that had the CPU to the section's own share. */
void dj_triage_move_wall_time_work(struct dj_triage *triage);

/*
 * Returns how much less the thread of a janky frame would have waited for a CPU without
 * removable_ns of the share. removable_ns is the whole share, or the part above the
 * usual.
 *
 * Removing work also removes the waits for a CPU during the work. The times at which
 * other programs run stay the same, so the thread does its later work in the time that is
 * now free. The frame ends when the thread has run for as long as the rest takes, and
 * later waits for a CPU are gone. Waits outside the section are not removed, because they
 * may belong to what the thread did then.
 *
 * Removing a sleep also removes the wait for a CPU after its wake-up.
 */
struct dj_triage_cpu_wait dj_triage_compute_cpu_wait(const struct dj_triage *triage,
                                                     const struct dj_triage_cause *cause,
                                                     const struct dj_triage_share *share,
                                                     int64_t removable_ns);

/* Returns whether the thread runs during a cause of that kind. */
bool dj_triage_is_running_kind(enum dj_cause_kind kind);

/* Returns how much time other programs used in each frame. The caller frees the array. */
int64_t *dj_triage_sum_foreign(const struct dj_triage *triage);

/* Names and ranks the weighed causes of the result, separates noise of the machine, and
 * stores the worst frames. `frames` is the number of complete frames. */
void dj_triage_rank(struct dj_triage *triage, size_t frames);

#endif
