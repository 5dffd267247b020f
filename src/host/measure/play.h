/* Runs a batch on all devices at the same time, with one thread per device. */
#ifndef DEJANK_MEASURE_PLAY_H
#define DEJANK_MEASURE_PLAY_H

#include "measure/play_event.h"

/* Runs the plan on all its devices and stores the runs. Blocks until all devices have
 * finished. Returns an error if the store cannot be written or no device could be
 * started. Returns 0 if only some runs failed. *result contains the number of failed
 * runs. */
int dj_measure_play(const struct dj_batch_plan *plan, struct dj_store *store,
                    const struct dj_play_context *world, struct dj_play_result *result,
                    struct dj_error *err);

#endif
