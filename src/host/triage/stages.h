/* What a frame's own thread was at where it is in no section: the frame's stages, as the
 * recorder stamped them. Of this room only. */
#ifndef DEJANK_TRIAGE_STAGES_H
#define DEJANK_TRIAGE_STAGES_H

#include "triage/frames.h"
#include "triage/path.h"

/* Puts the frame's stages where pieces of its thread have no section, which are cut where
 * a stage ends; waits are whole, in the stage in which they began. Those of other threads
 * stay as they are, and so do all where no stages are told of just this frame. */
void dj_triage_stages_put(struct dj_triage_path *path,
                          const struct dj_triage_frame *frame);

#endif
