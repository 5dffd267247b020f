/*
 * Touch points in time: what fingers do, as a digitiser would report it. Pure.
 */
#ifndef DEJANK_DRIVE_TOUCH_H
#define DEJANK_DRIVE_TOUCH_H

#include "drive/ui_tree.h"

struct dj_gesture;

/* A digitiser's pace: 125 points a second, in whole milliseconds. */
#define DJ_TOUCH_STEP_NS INT64_C(8000000)

enum { DJ_TOUCH_EVENTS_MAX = 1000000 };

enum dj_touch_kind { DJ_TOUCH_DOWN, DJ_TOUCH_MOVE, DJ_TOUCH_UP };

struct dj_touch_event {
    int64_t at_ns; /* since the gesture's begin */
    enum dj_touch_kind kind;
    int pointer; /* the finger: 0 or 1 */
    int x, y;
};

/* A gesture in time. Zero it; finish it. */
struct dj_touch_plan {
    struct dj_touch_event *events; /* in order of time */
    size_t count;
    bool failed; /* memory ran out */
    int fingers;
    /* The same in short, for injectors that can do no more than that. */
    bool scrolls; /* it is to scroll what is under it, and no more: a wheel may do it */
    bool still;   /* it stays where it goes down */
    int from_x, from_y, to_x, to_y;
    int64_t duration_ns;
    double end_speed_px_s; /* at which the finger lets go; 0: it stops before */
};

void dj_touch_plan_finish(struct dj_touch_plan *plan);

/* Plans one repetition of a touch gesture (tap … pinch, and the swipe of a scroll-to)
 * within `area`. DJ_E_USAGE where it does not fit there: a point outside, or a speed that
 * so short a way does not give. */
int dj_touch_plan_gesture(const struct dj_gesture *gesture, const struct dj_rect *area,
                          struct dj_touch_plan *plan, struct dj_error *err);

#endif
