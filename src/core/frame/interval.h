/* The frame interval for judging a window's rows: given, found in the rows, or
 * assumed. */
#ifndef DEJANK_FRAME_INTERVAL_H
#define DEJANK_FRAME_INTERVAL_H

#include "frame/frame.h"

/* 60 Hz as in hwui: a second divided by 60, rounded down. */
enum { DJ_ASSUMED_INTERVAL_NS = 16666666 };

struct dj_interval {
    int64_t ns;   /* > 0 */
    bool assumed; /* the display's interval was unknown */
};

/* Returns the interval `told` if it is given (told.ns > 0; it may already be an
 * assumed one). Otherwise returns the median of the rows' FrameIntervals, the lower
 * one of an even number: the rate of most rows wins, and a varying rate gives its
 * center. Ignores intervals of 0 and below. Otherwise returns DJ_ASSUMED_INTERVAL_NS,
 * assumed. `scratch` has space for `count` numbers. */
struct dj_interval dj_frame_choose_interval(struct dj_interval told,
                                            const struct dj_frame *frames, size_t count,
                                            int64_t *scratch);

#endif
