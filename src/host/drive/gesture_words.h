/* The words that gestures are made of. */
#ifndef DEJANK_DRIVE_GESTURE_WORDS_H
#define DEJANK_DRIVE_GESTURE_WORDS_H

#include "drive/gesture.h"

/* A word of the text, without a NUL. */
struct dj_gesture_word {
    const char *word;
    size_t length, at; /* bytes; at: where in the text */
};

bool dj_word_is(const struct dj_gesture_word *token, const char *word);

/* A plain decimal number ≥ 0 with just this unit behind it: "8000px/s". */
bool dj_word_number(const struct dj_gesture_word *token, const char *unit, double *value);

/* "250ms", "1.5s", up to an hour. */
bool dj_word_duration(const struct dj_gesture_word *token, int64_t *ns);

/* "100,200", "50%,80%" */
bool dj_word_point(const struct dj_gesture_word *token, struct dj_gesture_point *point);

/* "x5" */
bool dj_word_times(const struct dj_gesture_word *token, int *times);

/* "90": quarter turns. */
bool dj_word_rotation(const struct dj_gesture_word *token, int *turns);

/* KEYCODE_BACK, back, 4, Page_Down: what a device takes is the device's to say. */
bool dj_word_is_key(const struct dj_gesture_word *token);

#endif
