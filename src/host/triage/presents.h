/* Computes figures about the times at which the display showed the frames of each layer.
 * The source is FrameTimeline, the compositor's record of frames: a layer's frame names
 * the frame of the display that showed it. The end of the display's frame is the time at
 * which it becomes visible. */
#ifndef DEJANK_TRIAGE_PRESENTS_H
#define DEJANK_TRIAGE_PRESENTS_H

#include "triage/collection.h"

/* Adds the figures of each layer of a trace to the result, if the trace has any. */
void dj_triage_presents_add_trace(struct dj_triage *triage, const struct dj_trace *trace);

#endif
