/* Where the reading of gestures is, and what comes next there. Private to gesture*.c. */
#ifndef DEJANK_DRIVE_GESTURE_READER_H
#define DEJANK_DRIVE_GESTURE_READER_H

#include "drive/gesture_words.h"
#include "drive/selector.h"

struct dj_gesture_reader {
    const char *text;
    size_t length, at;
    struct dj_error *err;
};

/* DJ_E_USAGE, with the line and column of byte `at`. */
int dj_gesture_fail(const struct dj_gesture_reader *reader, size_t at, const char *what);

/* A gesture's end: ; or a newline or a comment. */
bool dj_gesture_ends(const struct dj_gesture_reader *reader);

/* Goes behind blanks, or behind all that may stand between two gestures. */
void dj_gesture_skip_blanks(struct dj_gesture_reader *reader);
void dj_gesture_skip_between(struct dj_gesture_reader *reader);

/* The next word of the gesture, empty at its end; taken off. */
struct dj_str dj_gesture_next_word(struct dj_gesture_reader *reader);

/* The selector from here to the gesture's end, or to its @. Quotes hide both. The caller
 * destroys it. DJ_E_USAGE with its own column, or DJ_E_NO_MEMORY. */
int dj_gesture_next_selector(struct dj_gesture_reader *reader,
                             struct dj_selector **selector);

#endif
