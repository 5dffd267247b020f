/* What frames.c is made of. */
#ifndef DEJANK_TRIAGE_FRAMES_PARTS_H
#define DEJANK_TRIAGE_FRAMES_PARTS_H

#include "triage/frames.h"

enum { DJ_SIXTIETH_NS = 16666667 };

/* How long a frame that starts then may take: --budget, else the display's refresh period
 * then. */
int64_t dj_triage_frames_budget_at(const struct dj_triage_frames *frames, int64_t at_ns);

/* Those of FrameTimeline, if there are any, with the deadlines that it tells, or
 * budget_ns where it is not 0. */
void dj_triage_frames_told(const struct dj_triage_index *index, int64_t budget_ns,
                           struct dj_triage_frames *frames);

/* The thread in whose DrawFrame a frame ended, else the process's main thread. */
uint32_t dj_triage_thread_of_end(const struct dj_triage_index *index, int32_t pid,
                                 int64_t start_ns, int64_t end_ns);

/* Frames that are told by their process alone (their thread is its first one) get the
 * thread that ended them: who completes a frame runs as it does. */
void dj_triage_frames_find_threads(const struct dj_triage_index *index,
                                   struct dj_triage_frames *frames);

#endif
