/* The frame interval a window's rows are judged by: told, found in the rows, or assumed.
 */
#ifndef DEJANK_FRAME_INTERVAL_H
#define DEJANK_FRAME_INTERVAL_H

#include "frame/frame.h"

/* 60 Hz as hwui has it: a second cut into 60, rounded down. */
enum { DJ_ASSUMED_INTERVAL_NS = 16666666 };

struct dj_interval {
    int64_t ns;   /* > 0 */
    bool assumed; /* nobody knew the display's */
};

/*
 * The interval of `told` where somebody told one (told.ns > 0; it may have been assumed
 * there already). Else the FrameInterval that most of the rows have, the earlier where
 * two are as many; intervals of 0 and below do not count, nor do those first met after
 * eight others. Else DJ_ASSUMED_INTERVAL_NS, and assumed.
 */
struct dj_interval dj_interval_of(struct dj_interval told, const struct dj_frame *frames,
                                  size_t count);

#endif
