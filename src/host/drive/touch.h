/*
 * Converts gestures to touch points over time, as a touch screen reports them. Pure.
 */
#ifndef DEJANK_DRIVE_TOUCH_H
#define DEJANK_DRIVE_TOUCH_H

#include "drive/ui_tree.h"

struct dj_gesture;

/* The interval between two points: 8 ms, because touch screens report about 125 points
 * per second, and injectors need whole milliseconds. */
#define DJ_TOUCH_STEP_NS INT64_C(8000000)

enum { DJ_TOUCH_EVENTS_MAX = 1000000 };

enum dj_touch_kind { DJ_TOUCH_DOWN, DJ_TOUCH_MOVE, DJ_TOUCH_UP };

struct dj_touch_event {
    int64_t at_ns; /* Time since the start of the gesture. */
    enum dj_touch_kind kind;
    int pointer; /* Index of the finger, 0 or 1. */
    int x, y;
};

/* A gesture as touch points. Zero the struct before use. Finish it after use. */
struct dj_touch_plan {
    struct dj_touch_event *events; /* The events in order of time. */
    size_t count;
    bool failed; /* True if memory ran out or there are too many events. */
    int fingers;
    /* The following fields summarise the gesture for injectors that cannot play single
     * events. */
    /* True if the gesture only scrolls, so that the wheel of a mouse can replace it. */
    bool scrolls;
    bool still; /* True if the finger does not move. */
    int from_x, from_y, to_x, to_y;
    int64_t duration_ns;
    /* Speed of the finger when it is lifted, or 0 if the finger stops before it is
     * lifted. */
    double end_speed_px_s;
};

void dj_touch_plan_finish(struct dj_touch_plan *plan);

/* Plans one repetition of a gesture inside `area`. The kind of the gesture must be in the
 * range from DJ_GESTURE_TAP to DJ_GESTURE_SCROLL_TO. For DJ_GESTURE_SCROLL_TO, plans a
 * single swipe. Returns DJ_E_USAGE if a point is outside of the area, or if the distance
 * is too short for the speed of a fling. */
int dj_touch_plan_gesture(const struct dj_gesture *gesture, const struct dj_ui_rect *area,
                          struct dj_touch_plan *plan, struct dj_error *err);

#endif
