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
 * there already). Else the median of the rows' FrameIntervals, the lower one of an even
 * number: a rate that a display had for most of the rows wins, and where a display
 * wobbles, so that hardly two are alike, what it wobbles about. Intervals of 0 and below
 * do not count. Else DJ_ASSUMED_INTERVAL_NS, and assumed. scratch holds `count` numbers.
 */
struct dj_interval dj_interval_of(struct dj_interval told, const struct dj_frame *frames,
                                  size_t count, int64_t *scratch);

#endif
