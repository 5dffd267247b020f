/* Functions that frames.c shares with the files that find Android's frames. */
#ifndef DEJANK_TRIAGE_FRAMES_FRAMES_PRIVATE_H
#define DEJANK_TRIAGE_FRAMES_FRAMES_PRIVATE_H

#include "triage/frames/frames.h"

enum { DJ_SIXTIETH_NS = 16666667 };

/* Returns the budget of a frame that starts at at_ns: the --budget option, the display's
 * refresh period at that time, or 1/60 s. */
int64_t dj_triage_frames_get_budget(const struct dj_triage_frames *frames, int64_t at_ns);

/* Adds the frames that FrameTimeline reports. Their deadlines are the expected ends, or
 * start + budget_ns if budget_ns is not 0. */
void dj_triage_frames_add_timeline(const struct dj_triage_index *index, int64_t budget_ns,
                                   struct dj_triage_frames *frames);

/* Returns the process's thread whose DrawFrame slice, started between start_ns and
 * end_ns, ended last. Returns the main thread if there is no such slice. */
uint32_t dj_triage_frames_find_end_thread(const struct dj_triage_index *index,
                                          int32_t pid, int64_t start_ns, int64_t end_ns);

/* Sets the end thread of frames for which the trace only names the process. Until then
 * they have the main thread. The end thread is the one that runs when the process's
 * frames end. */
void dj_triage_frames_set_end_threads(const struct dj_triage_index *index,
                                      struct dj_triage_frames *frames);

#endif
