/*
 * Parses gestures from text, such as "tap @ text=Inbox; fling up x5 @ scrollable".
 * docs/gestures.md has the grammar. When the place of a gesture on the screen is known,
 * touch.h converts the gesture to touch points.
 */
#ifndef DEJANK_DRIVE_GESTURE_LIST_H
#define DEJANK_DRIVE_GESTURE_LIST_H

#include "drive/gesture/point.h"
#include "drive/selector.h"

enum {
    DJ_GESTURES_MAX = 1000, /* Maximum number of gestures in one list. */
    /* Maximum number of bytes that one `text` gesture types. */
    DJ_GESTURE_TEXT_MAX = 1000
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

/* The direction in which the finger moves. The content of a list moves with the finger,
 * so "up" shows what is further down. */
enum dj_direction {
    DJ_DIRECTION_NONE,
    DJ_DIRECTION_UP,
    DJ_DIRECTION_DOWN,
    DJ_DIRECTION_LEFT,
    DJ_DIRECTION_RIGHT,
    DJ_DIRECTION_IN, /* The fingers of a pinch move towards each other. */
    DJ_DIRECTION_OUT
};

/* One gesture of a list, with all its repetitions. */
struct dj_gesture {
    enum dj_gesture_kind kind;
    enum dj_direction direction;
    struct dj_gesture_point points[2];
    int point_count;
    int64_t duration_ns; /* Duration of the gesture, or −1 for the default of the kind. */
    /* Pause after each repetition, or −1 for the default of the kind. */
    int64_t pause_ns;
    /* Speed of the finger at the end of a fling, or 0 for the default. */
    double speed_px_s;
    /* Part of the target over which the fingers of a pinch move, or 0 for the default. */
    double percent;
    int times;    /* Number of repetitions, at least 1. */
    int rotation; /* Number of quarter turns from the natural orientation, 0 to 3. */
    char *word;   /* The argument of `key` or `text`, or NULL. Owned by this struct. */
    /* The view on which the gesture acts. NULL for the whole screen, or on a desktop for
     * the largest window. */
    struct dj_selector *target;
    /* The view that `scroll-to` or `wait-for` looks for, or NULL. */
    struct dj_selector *sought;
};

/* A list of gestures. Zero the struct before use. Finish it after use, also after an
 * error. */
struct dj_gesture_list {
    struct dj_gesture *items;
    size_t count;
};

/* Parses a list of gestures, which are separated by ";" or newlines. "#" begins a
 * comment. Returns DJ_E_USAGE for invalid text and for an empty list. The message has
 * line and column, both from 1. Columns count characters. err->offset is the offset in
 * bytes. */
int dj_gesture_parse_list(const char *text, size_t length,
                          struct dj_gesture_list *gestures, struct dj_error *err);

void dj_gesture_finish_list(struct dj_gesture_list *gestures);

/* Returns the name of the kind, such as "fling". */
const char *dj_gesture_name(enum dj_gesture_kind kind);

#endif
