/* Computes how much would have been saved without each cause, in steps. */
#ifndef DEJANK_TRIAGE_WEIGH_WEIGH_H
#define DEJANK_TRIAGE_WEIGH_WEIGH_H

#include "triage/collection.h"

/* Fills triage->result. */
void dj_triage_weigh_all(struct dj_triage *triage);

/* Creates the result's causes, in the order of their first keys, and sets
 * triage->cause_of. */
void dj_triage_number_causes(struct dj_triage *triage);

/* A section that always has the same wall time, however long its thread was off the CPU,
 * is not made longer by other threads: it waits busily, or does as much as fits. This
 * moves its time off the CPU, in all frames, from the shares of the threads that had the
 * CPU to the section's own share. */
void dj_triage_move_wall_time_work(struct dj_triage *triage);

/* Returns how long a janky frame's thread would not have been ready without a CPU if
 * removable_ns of a share of the cause were gone. removable_ns is all of the share, or
 * its part above the usual.
 *
 * Removing work also removes the waits for a CPU during it. Other programs keep their
 * times, and the thread does its later work in the time that is now free. So the frame
 * ends when the thread has run for as long as the rest takes, and waits for a CPU after
 * that do not matter. Waits outside of the section are not removed, because they may
 * belong to what the thread did then.
 *
 * Removing a wait also removes the wait for a CPU that its end began. */
struct dj_triage_cpu_wait dj_triage_compute_cpu_wait(const struct dj_triage *triage,
                                                     const struct dj_triage_cause *cause,
                                                     const struct dj_triage_share *share,
                                                     int64_t removable_ns);

/* Whether the thread runs during a cause of that kind. */
bool dj_triage_is_running_kind(enum dj_cause_kind kind);

/* Returns how much time other programs took from each frame. The caller frees the
 * array. */
int64_t *dj_triage_sum_foreign(const struct dj_triage *triage);

/* Names, ranks and divides the weighed causes of the result, and stores its worst frames.
 * `frames`: number of complete frames. */
void dj_triage_rank(struct dj_triage *triage, size_t frames);

#endif
