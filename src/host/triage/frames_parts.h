/* What frames.c is made of. */
#ifndef DEJANK_TRIAGE_FRAMES_PARTS_H
#define DEJANK_TRIAGE_FRAMES_PARTS_H

#include "triage/frames.h"

enum { DJ_SIXTIETH_NS = 16666667 };

/* False: out of memory. */
bool dj_triage_frames_put(struct dj_triage_frames *frames,
                          const struct dj_triage_frame *frame);

/* Those of FrameTimeline, if there are any. False: out of memory. */
bool dj_triage_frames_told(const struct dj_triage_index *index, int64_t budget_ns,
                           struct dj_triage_frames *frames);

/* The thread in whose DrawFrame a frame ended, else the process's main thread. */
uint32_t dj_triage_thread_of_end(const struct dj_triage_index *index, int32_t pid,
                                 int64_t start_ns, int64_t end_ns);

/* Frames that are told by their process alone (their thread is its first one) get the
 * thread that ended them: who completes a frame runs as it does. */
void dj_triage_frames_find_threads(const struct dj_triage_index *index,
                                   struct dj_triage_frames *frames);

#endif
