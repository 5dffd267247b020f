/* Names the time of a frame's thread that is in no section. The name is the stage of the
 * frame at this time, for example "Draw". The recorder records the stages. */
#ifndef DEJANK_TRIAGE_PATH_STAGES_H
#define DEJANK_TRIAGE_PATH_STAGES_H

#include "triage/frames/frames.h"
#include "triage/path/path.h"

/* Sets the slice of pieces of the frame's thread that have no slice. The slice is the
 * frame's stage at that time. Splits a piece in which the stage changes. A wait is not
 * split: its stage is the one in which the wait begins. Does nothing if the trace has no
 * stages of this frame. */
void dj_triage_stages_apply(struct dj_triage_path *path,
                            const struct dj_triage_frame *frame);

#endif
