/* Names the time of a frame's own thread that is in no section by the frame's stages, as
 * the recorder stamped them. */
#ifndef DEJANK_TRIAGE_PATH_STAGES_H
#define DEJANK_TRIAGE_PATH_STAGES_H

#include "triage/frames/frames.h"
#include "triage/path/path.h"

/* Sets the frame's stages in pieces of its thread that have no section. Such pieces are
 * split where a stage ends. Waits stay whole, in the stage in which they began. Pieces of
 * other threads do not change, and nothing changes if the trace has no stages of this
 * frame. */
void dj_triage_stages_apply(struct dj_triage_path *path,
                            const struct dj_triage_frame *frame);

#endif
