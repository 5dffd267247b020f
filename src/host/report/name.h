/* Names from outside (packages, window titles, files) on one line: nothing in them moves
 * a cursor, breaks a line or turns the direction of writing. */
#ifndef DEJANK_REPORT_NAME_H
#define DEJANK_REPORT_NAME_H

#include "base/text.h"

/* One character of UTF-8 at `bytes` (length > 0): its bytes, code point and columns on a
 * terminal (0, 1, 2). What is no UTF-8 is one byte with code −1 and one column. */
struct dj_character {
    size_t bytes;
    int32_t code;
    int columns;
};

struct dj_character dj_character_at(const char *bytes, size_t length);

/* Columns of a string on a terminal. */
size_t dj_name_columns(const char *string);

/* Appends `string` with control characters and bytes that are no UTF-8 as \xNN, marks
 * that reorder text as \uNNNN; all but ASCII as \uNNNN too where `ascii` is set. */
void dj_name_append(struct dj_text *text, const char *string, bool ascii);

/* Appends `format`, in which each %s is a name, escaped as dj_text_escaped_name() does;
 * it has no other conversions. */
void dj_name_format(struct dj_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
