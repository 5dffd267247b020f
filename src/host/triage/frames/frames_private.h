/* Functions that frames.c shares with the files that find Android's frames. */
#ifndef DEJANK_TRIAGE_FRAMES_FRAMES_PRIVATE_H
#define DEJANK_TRIAGE_FRAMES_FRAMES_PRIVATE_H

#include "triage/frames/frames.h"

enum { DJ_SIXTIETH_NS = 16666667 };

/* Returns the budget of a frame that starts at `at_ns`. It is the value of the option
 * --budget, or the display's refresh period at this time, or 1/60 s if both are unknown.
 */
int64_t dj_triage_frames_get_budget(const struct dj_triage_frames *frames, int64_t at_ns);

/* Adds the frames of FrameTimeline. If budget_ns is 0, the deadline of a frame is its
 * expected end. Otherwise it is the start of the frame plus budget_ns. */
void dj_triage_frames_add_timeline(const struct dj_triage_index *index, int64_t budget_ns,
                                   struct dj_triage_frames *frames);

/* Considers the DrawFrame slices of the process that start between start_ns and end_ns.
 * Returns the thread of the slice that ends last. Returns the main thread if there is no
 * such slice. */
uint32_t dj_triage_frames_find_end_thread(const struct dj_triage_index *index,
                                          int32_t pid, int64_t start_ns, int64_t end_ns);

/* Finds the end threads of frames for which the trace names only the process. Such frames
 * have the main thread before this call. The end thread of a process is the thread that
 * runs at the end of most of its frames. */
void dj_triage_frames_set_end_threads(const struct dj_triage_index *index,
                                      struct dj_triage_frames *frames);

#endif
