/* Escapes text from outside for HTML. */
#ifndef DEJANK_REPORT_ESCAPE_HTML_H
#define DEJANK_REPORT_ESCAPE_HTML_H

#include "base/text.h"

/* Appends `string` with & < > " ' as character references. Other characters are treated
 * as in dj_text_append_escaped(). */
void dj_html_escape(struct dj_text *text, const char *string);

/* Escapes `words` like dj_html_escape() and appends the result. Frees `words`. */
void dj_html_escape_and_finish(struct dj_text *text, struct dj_text *words);

#endif
