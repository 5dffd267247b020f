/* Functions that frames.c and the finders of Android's frames share. */
#ifndef DEJANK_TRIAGE_FRAMES_FRAMES_PRIVATE_H
#define DEJANK_TRIAGE_FRAMES_FRAMES_PRIVATE_H

#include "triage/frames/frames.h"

enum { DJ_SIXTIETH_NS = 16666667 };

/* Returns how long a frame that starts at that time may take: --budget, or the display's
 * refresh period at that time. */
int64_t dj_triage_frames_get_budget(const struct dj_triage_frames *frames, int64_t at_ns);

/* Adds the frames of FrameTimeline, if there are any. Their deadlines are the expected
 * ends, or start + budget_ns if budget_ns is not 0. */
void dj_triage_frames_add_timeline(const struct dj_triage_index *index, int64_t budget_ns,
                                   struct dj_triage_frames *frames);

/* Returns the thread whose DrawFrame ended in the frame last, or the process's main
 * thread. */
uint32_t dj_triage_frames_find_end_thread(const struct dj_triage_index *index,
                                          int32_t pid, int64_t start_ns, int64_t end_ns);

/* Frames that only name their process get its first thread. This replaces it by the
 * thread in which the process's frames ended, which is known because it runs at their
 * ends. */
void dj_triage_frames_set_end_threads(const struct dj_triage_index *index,
                                      struct dj_triage_frames *frames);

#endif
