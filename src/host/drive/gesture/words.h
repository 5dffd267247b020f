/* Splits a list of gestures into words, and parses words. */
#ifndef DEJANK_DRIVE_GESTURE_WORDS_H
#define DEJANK_DRIVE_GESTURE_WORDS_H

#include "base/error.h"
#include "base/str.h"
#include "drive/gesture/point.h"
#include "drive/selector.h"

/* The largest number of repetitions of a gesture. */
enum { DJ_GESTURE_TIMES_MAX = 10000 };

struct dj_gesture_reader {
    const char *text;
    size_t length, at;
    struct dj_error *err;
};

/* Sets DJ_E_USAGE with the line and column of byte `at`. */
int dj_gesture_fail(const struct dj_gesture_reader *reader, size_t at, const char *what);

/* Returns whether a gesture ends here: at ";", a newline or a comment. */
bool dj_gesture_is_at_end(const struct dj_gesture_reader *reader);

/* Skips spaces, or everything that may be between two gestures. */
void dj_gesture_skip_blanks(struct dj_gesture_reader *reader);
void dj_gesture_skip_between(struct dj_gesture_reader *reader);

/* Returns the next word of the gesture, and moves after it. Empty at the end of the
 * gesture. */
struct dj_str dj_gesture_next_word(struct dj_gesture_reader *reader);

/* Parses the selector from here to the end of the gesture, or to its "@". Both may be
 * part of a quoted string. The caller destroys it. DJ_E_USAGE with its own column, or
 * DJ_E_NO_MEMORY. */
int dj_gesture_next_selector(struct dj_gesture_reader *reader,
                             struct dj_selector **selector);

/* ---- parse a word; return false if it has another form ---- */

/* A decimal number ≥ 0 followed by exactly this unit: "8000px/s". */
bool dj_word_number(struct dj_str word, const char *unit, double *value);

/* "250ms", "1.5s", up to an hour. */
bool dj_word_duration(struct dj_str word, int64_t *ns);

/* "100,200", "50%,80%" */
bool dj_word_point(struct dj_str word, struct dj_gesture_point *point);

/* "x5" */
bool dj_word_times(struct dj_str word, int *times);

/* "90": quarter turns. */
bool dj_word_rotation(struct dj_str word, int *turns);

/* KEYCODE_BACK, back, 4, Page_Down. The device decides which names are valid. */
bool dj_word_is_key(struct dj_str word);

#endif
