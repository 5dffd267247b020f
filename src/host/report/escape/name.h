/* Escapes names from outside (packages, window titles, files), so that nothing in them
 * moves a cursor, breaks a line or reverses the writing direction. */
#ifndef DEJANK_REPORT_ESCAPE_NAME_H
#define DEJANK_REPORT_ESCAPE_NAME_H

#include "base/text.h"

/* A UTF-8 character: its length in bytes, its code point and its columns on a terminal
 * (0, 1 or 2). An invalid byte has the code −1 and one column. */
struct dj_character {
    size_t bytes;
    int32_t code;
    int columns;
};

struct dj_character dj_name_read_character(const char *bytes, size_t length);

/* Returns the number of columns of a string on a terminal. */
size_t dj_name_count_columns(const char *string);

/* Shortens a text of more than `columns` columns. It then ends with "…" and has at most
 * `columns` columns, which must be at least 1. */
void dj_name_shorten(struct dj_text *text, size_t columns);

/* Appends `string`. Control characters and invalid bytes become \xNN, marks that reorder
 * text become \uNNNN. With `ascii`, all other characters beyond ASCII become \uNNNN too.
 */
void dj_name_escape(struct dj_text *text, const char *string, bool ascii);

/* Appends `format`. Each %s is a name, escaped as in dj_text_append_escaped_name(). No
 * other conversions are allowed. */
void dj_name_format(struct dj_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends one of dejank's own names, such as "app-crashed", with blanks instead of
 * dashes. Only JSON contains the name with dashes. */
void dj_name_write_slug(struct dj_text *text, const char *slug);

#endif
