/* The words that gestures are made of. */
#ifndef DEJANK_DRIVE_GESTURE_WORDS_H
#define DEJANK_DRIVE_GESTURE_WORDS_H

#include "base/str.h"
#include "drive/gesture.h"

/* A plain decimal number ≥ 0 with just this unit behind it: "8000px/s". */
bool dj_word_number(struct dj_str word, const char *unit, double *value);

/* "250ms", "1.5s", up to an hour. */
bool dj_word_duration(struct dj_str word, int64_t *ns);

/* "100,200", "50%,80%" */
bool dj_word_point(struct dj_str word, struct dj_gesture_point *point);

/* "x5" */
bool dj_word_times(struct dj_str word, int *times);

/* "90": quarter turns. */
bool dj_word_rotation(struct dj_str word, int *turns);

/* KEYCODE_BACK, back, 4, Page_Down: what a device takes is the device's to say. */
bool dj_word_is_key(struct dj_str word);

#endif
