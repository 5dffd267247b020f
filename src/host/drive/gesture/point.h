/* A point to which a gesture moves a finger. */
#ifndef DEJANK_DRIVE_GESTURE_POINT_H
#define DEJANK_DRIVE_GESTURE_POINT_H

#include <stdbool.h>

/* A point in the target of a gesture, or on the screen. The coordinates are pixels from
 * the top left corner, or percent of the size. */
struct dj_gesture_point {
    double x, y;
    bool x_percent, y_percent;
};

#endif
