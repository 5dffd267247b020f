/* Chooses the frame interval with which the rows of a window are judged. The interval is
 * given, found in the rows, or assumed. */
#ifndef DEJANK_FRAME_INTERVAL_H
#define DEJANK_FRAME_INTERVAL_H

#include "frame/frame.h"

/* Frame interval of hwui for 60 Hz: one second divided by 60, rounded down. */
enum { DJ_ASSUMED_INTERVAL_NS = 16666666 };

struct dj_interval {
    int64_t ns; /* Interval in ns, > 0. */
    /* Whether the interval is a guess because the display's interval is unknown. */
    bool assumed;
};

/* Returns `given` if given.ns > 0. Otherwise returns the median of all FrameInterval
 * values above 0 in the rows. If there is an even number of these values, returns the
 * lower one of the two middle values. If there is no such value, returns
 * DJ_ASSUMED_INTERVAL_NS and sets `assumed`. `scratch` must have space for `count`
 * numbers. */
struct dj_interval dj_frame_choose_interval(struct dj_interval given,
                                            const struct dj_frame *frames, size_t count,
                                            int64_t *scratch);

#endif
