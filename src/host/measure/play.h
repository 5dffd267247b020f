/* Plays a batch: all devices at the same time, each on its own thread. */
#ifndef DEJANK_MEASURE_PLAY_H
#define DEJANK_MEASURE_PLAY_H

#include "measure/play_event.h"

/* Plays the plan and stores its runs. Blocks until all devices have finished. Returns 0
 * also if runs failed: see *result. Returns an error if the store cannot be written or
 * nothing could begin. */
int dj_measure_play(const struct dj_batch_plan *plan, struct dj_store *history,
                    const struct dj_play_context *world, struct dj_play_result *result,
                    struct dj_error *err);

#endif
