/*
 * Gestures as text: "tap @ text=Inbox; fling up x5 @ scrollable" (grammar:
 * docs/gestures.md). They are parsed once. Each becomes timed touch points (touch.h) when
 * its place on the screen is known.
 */
#ifndef DEJANK_DRIVE_GESTURE_LIST_H
#define DEJANK_DRIVE_GESTURE_LIST_H

#include "drive/gesture/point.h"
#include "drive/selector.h"

enum {
    DJ_GESTURES_MAX = 1000,    /* in one list */
    DJ_GESTURE_TEXT_MAX = 1000 /* bytes typed by one `text` */
};

enum dj_gesture_kind {
    DJ_GESTURE_TAP,
    DJ_GESTURE_LONG_TAP,
    DJ_GESTURE_SWIPE,
    DJ_GESTURE_FLING,
    DJ_GESTURE_DRAG,
    DJ_GESTURE_PINCH,
    DJ_GESTURE_SCROLL_TO,
    DJ_GESTURE_KEY,
    DJ_GESTURE_TEXT,
    DJ_GESTURE_ROTATE,
    DJ_GESTURE_WAIT,
    DJ_GESTURE_WAIT_FOR,
    DJ_GESTURE_KINDS
};

/* The direction of the finger. Lists scroll in the opposite direction. */
enum dj_direction {
    DJ_DIRECTION_NONE,
    DJ_DIRECTION_UP,
    DJ_DIRECTION_DOWN,
    DJ_DIRECTION_LEFT,
    DJ_DIRECTION_RIGHT,
    DJ_DIRECTION_IN, /* of a pinch: the fingers move together */
    DJ_DIRECTION_OUT
};

struct dj_gesture {
    enum dj_gesture_kind kind;
    enum dj_direction direction;
    struct dj_gesture_point points[2];
    int point_count;
    int64_t duration_ns; /* −1: the default of the kind */
    int64_t pause_ns;    /* after each repetition; −1: the default of the kind */
    double speed_px_s;   /* speed of the finger at the end of a fling; 0: not given */
    double percent;      /* part of the target that a pinch spans; 0: not given */
    int times;           /* ≥ 1 */
    int rotation;        /* quarter turns, 0…3 */
    char *word;          /* of key and text; owned; NULL for others */
    struct dj_selector *target; /* NULL: the screen */
    struct dj_selector *sought; /* of scroll-to and wait-for; NULL for others */
};

/* Zero it. Finish it also after an error. */
struct dj_gesture_list {
    struct dj_gesture *items;
    size_t count;
};

/* Parses a list, separated by ";" or newlines. "#" begins a comment. An empty list is an
 * error. DJ_E_USAGE: the message has line and column (characters, from 1), and
 * err->offset is the byte. */
int dj_gesture_parse_list(const char *text, size_t length,
                          struct dj_gesture_list *gestures, struct dj_error *err);

void dj_gesture_finish_list(struct dj_gesture_list *gestures);

/* Returns the name, such as "fling". */
const char *dj_gesture_name(enum dj_gesture_kind kind);

#endif
