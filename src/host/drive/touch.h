/*
 * Computes touch points over time, as a touch screen reports them. Pure.
 */
#ifndef DEJANK_DRIVE_TOUCH_H
#define DEJANK_DRIVE_TOUCH_H

#include "drive/ui_tree.h"

struct dj_gesture;

/* The interval of a touch screen: 125 points per second, in whole milliseconds. */
#define DJ_TOUCH_STEP_NS INT64_C(8000000)

enum { DJ_TOUCH_EVENTS_MAX = 1000000 };

enum dj_touch_kind { DJ_TOUCH_DOWN, DJ_TOUCH_MOVE, DJ_TOUCH_UP };

struct dj_touch_event {
    int64_t at_ns; /* since the begin of the gesture */
    enum dj_touch_kind kind;
    int pointer; /* the finger: 0 or 1 */
    int x, y;
};

/* A gesture as touch points. Zero it. Finish it. */
struct dj_touch_plan {
    struct dj_touch_event *events; /* in order of time */
    size_t count;
    bool failed; /* memory ran out */
    int fingers;
    /* A summary, for injectors that cannot play single events. */
    bool scrolls; /* its only purpose is to scroll, so a wheel can do it */
    bool still;   /* the finger does not move */
    int from_x, from_y, to_x, to_y;
    int64_t duration_ns;
    double end_speed_px_s; /* speed of the finger when it is lifted; 0: it stops before */
};

void dj_touch_plan_finish(struct dj_touch_plan *plan);

/* Plans one repetition of a touch gesture (tap … pinch, and the swipe of a scroll-to)
 * within `area`. DJ_E_USAGE: a point is outside of the area, or the distance is too short
 * for the speed. */
int dj_touch_plan_gesture(const struct dj_gesture *gesture, const struct dj_ui_rect *area,
                          struct dj_touch_plan *plan, struct dj_error *err);

#endif
