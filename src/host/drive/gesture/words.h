/* Splits the text of gestures into words, and parses these words. */
#ifndef DEJANK_DRIVE_GESTURE_WORDS_H
#define DEJANK_DRIVE_GESTURE_WORDS_H

#include "base/error.h"
#include "base/str.h"
#include "drive/gesture/point.h"
#include "drive/selector.h"

/* Maximum number of repetitions of a gesture. */
enum { DJ_GESTURE_TIMES_MAX = 10000 };

struct dj_gesture_reader {
    const char *text;
    size_t length, at;
    struct dj_error *err;
};

/* Sets DJ_E_USAGE with the line and column of byte `at`. `what` is the rest of the
 * message. */
int dj_gesture_fail(const struct dj_gesture_reader *reader, size_t at, const char *what);

/* Returns whether the gesture ends here: at ";", a newline, a comment, or the end of the
 * text. */
bool dj_gesture_is_at_end(const struct dj_gesture_reader *reader);

/* Skips spaces inside a gesture. */
void dj_gesture_skip_blanks(struct dj_gesture_reader *reader);

/* Skips everything that may be between two gestures. */
void dj_gesture_skip_between(struct dj_gesture_reader *reader);

/* Returns the next word of the gesture and moves after it. The word is empty at the end
 * of the gesture. */
struct dj_str dj_gesture_next_word(struct dj_gesture_reader *reader);

/* Parses the selector that begins here. The selector ends at the end of the gesture, or
 * at an "@" outside of quotes. The caller destroys the selector. Returns DJ_E_USAGE with
 * the column in the whole text, or DJ_E_NO_MEMORY. */
int dj_gesture_next_selector(struct dj_gesture_reader *reader,
                             struct dj_selector **selector);

/* The next functions parse a word. They return false if the word has another form. */

/* Parses a decimal number that is at least 0 and ends with `unit`, such as "8000px/s". */
bool dj_word_number(struct dj_str word, const char *unit, double *value);

/* Parses a duration of at most an hour, such as "250ms" or "1.5s". */
bool dj_word_duration(struct dj_str word, int64_t *ns);

/* Parses a point, such as "100,200" or "50%,80%". */
bool dj_word_point(struct dj_str word, struct dj_gesture_point *point);

/* Parses a number of repetitions, such as "x5". */
bool dj_word_times(struct dj_str word, int *times);

/* Parses "0", "90", "180" or "270". *turns is the number of quarter turns. */
bool dj_word_rotation(struct dj_str word, int *turns);

/* Returns whether the word has the form of a key name: "KEYCODE_BACK", "back", "4" or
 * "Page_Down". The device decides which names are valid. */
bool dj_word_is_key(struct dj_str word);

#endif
