/* Names time of the frame's own thread that is in no section, by the frame's stages,
 * which the recorder stamps. */
#ifndef DEJANK_TRIAGE_PATH_STAGES_H
#define DEJANK_TRIAGE_PATH_STAGES_H

#include "triage/frames/frames.h"
#include "triage/path/path.h"

/* Sets the slice of pieces of the frame's thread that have none to the frame's stage at
 * that time. Splits these pieces where a stage ends, except waits, which stay whole in
 * the stage in which they begin. Changes nothing if the trace has no stages of this
 * frame. */
void dj_triage_stages_apply(struct dj_triage_path *path,
                            const struct dj_triage_frame *frame);

#endif
