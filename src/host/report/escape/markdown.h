/* Escapes text from outside for Markdown. */
#ifndef DEJANK_REPORT_ESCAPE_MARKDOWN_H
#define DEJANK_REPORT_ESCAPE_MARKDOWN_H

#include "base/text.h"

/* Appends `string` as a code span, in which nothing is markup. Do not use this function
 * in a table, where a bar in the span would be markup. Escapes control characters as in
 * dj_name_escape(). */
void dj_markdown_write_code(struct dj_text *text, const char *string);

/* Appends `string` with a backslash before every character that could be markup. */
void dj_markdown_escape(struct dj_text *text, const char *string);

/* Escapes `words` like dj_markdown_escape() and appends the result. Frees `words`. */
void dj_markdown_escape_and_finish(struct dj_text *text, struct dj_text *words);

#endif
