/* A place for a finger, as a gesture names it. */
#ifndef DEJANK_DRIVE_GESTURE_POINT_H
#define DEJANK_DRIVE_GESTURE_POINT_H

#include <stdbool.h>

/* A place within the target, or on the screen: pixels from its top left corner, or
 * percent of its size. */
struct dj_gesture_point {
    double x, y;
    bool x_percent, y_percent;
};

#endif
