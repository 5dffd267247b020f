/* Writing JSON that may stand inside an HTML script element or go to a terminal: '<',
 * '>', '&', the line separators of JavaScript and marks that turn the direction of
 * writing are written as \uNNNN, so nothing in a name can end the element or move a
 * cursor. */
#ifndef DEJANK_REPORT_JSON_H
#define DEJANK_REPORT_JSON_H

#include "base/text.h"

/* Each value writes the comma before it, unless an object or array has just been opened
 * or its key stands there. */

/* A quoted string; control characters as \u00NN, bytes that are not UTF-8 as \xNN in the
 * text. NULL: null. */
void dj_json_string(struct dj_text *text, const char *string);

/* `"key":` */
void dj_json_key(struct dj_text *text, const char *key);

/* That comma alone, before '{' and '['. */
void dj_json_comma(struct dj_text *text);

void dj_json_int(struct dj_text *text, int64_t value);
void dj_json_bool(struct dj_text *text, bool value);
void dj_json_null(struct dj_text *text);

#endif
