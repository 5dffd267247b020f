/*
 * Gestures as words: "tap @ text=Inbox; fling up x5 @ scrollable". docs/gestures.md has
 * the grammar. Parsed once; each becomes timed touch points (touch.h) where it is known
 * where on the screen it is to be.
 */
#ifndef DEJANK_DRIVE_GESTURE_H
#define DEJANK_DRIVE_GESTURE_H

#include "drive/gesture_point.h"
#include "drive/selector.h"

enum {
    DJ_GESTURES_MAX = 1000,    /* of one list */
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

/* Where the finger goes; lists scroll the other way. */
enum dj_direction {
    DJ_DIRECTION_NONE,
    DJ_DIRECTION_UP,
    DJ_DIRECTION_DOWN,
    DJ_DIRECTION_LEFT,
    DJ_DIRECTION_RIGHT,
    DJ_DIRECTION_IN, /* of a pinch: fingers come together */
    DJ_DIRECTION_OUT
};

struct dj_gesture {
    enum dj_gesture_kind kind;
    enum dj_direction direction;
    struct dj_gesture_point points[2];
    int point_count;
    int64_t duration_ns;        /* −1: the kind's own */
    int64_t pause_ns;           /* behind each repetition; −1: the kind's own */
    double speed_px_s;          /* at which a fling lets go; 0: not said */
    double percent;             /* of the target that a pinch spans; 0: not said */
    int times;                  /* ≥ 1 */
    int rotation;               /* quarter turns, 0…3 */
    char *word;                 /* of key and text; owned, else NULL */
    struct dj_selector *target; /* NULL: the screen */
    struct dj_selector *sought; /* of scroll-to and wait-for */
};

/* Zero it; finish it also after an error. */
struct dj_gestures {
    struct dj_gesture *items;
    size_t count;
};

/* Reads a list, separated by ; or newlines; # begins a comment. DJ_E_USAGE: the message
 * has line and column (characters, from 1), err->offset the byte. An empty list is an
 * error. */
int dj_gestures_parse(const char *text, size_t length, struct dj_gestures *gestures,
                      struct dj_error *err);

void dj_gestures_finish(struct dj_gestures *gestures);

/* "fling" */
const char *dj_gesture_name(enum dj_gesture_kind kind);

#endif
