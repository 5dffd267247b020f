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

/* `"key":`; keys are words of our own, of plain characters: they are not escaped. */
void dj_json_key(struct dj_text *text, const char *key);

/* That comma alone, before '{' and '['. */
void dj_json_comma(struct dj_text *text);

void dj_json_int(struct dj_text *text, int64_t value);
void dj_json_bool(struct dj_text *text, bool value);
void dj_json_null(struct dj_text *text);

/* The same with a key before them; objects, arrays and reals may have none (NULL). */
void dj_json_put_int(struct dj_text *text, const char *key, int64_t value);
void dj_json_put_known(struct dj_text *text, const char *key,
                       int64_t value); /* negative: null */
void dj_json_put_string(struct dj_text *text, const char *key, const char *string);
void dj_json_put_bool(struct dj_text *text, const char *key, bool value);
void dj_json_put_real(struct dj_text *text, const char *key,
                      double value); /* up to three decimals; NaN, infinity: null */
/* In as few digits as read back to the same double; NaN, infinity: null. */
void dj_json_put_number(struct dj_text *text, const char *key, double value);
/* An interval as an array of two such numbers; without an end on a side it has null
 * there. */
void dj_json_put_bounds(struct dj_text *text, const char *key, double low, double high);
void dj_json_open_object(struct dj_text *text, const char *key);
void dj_json_open_array(struct dj_text *text, const char *key);

/* What was opened last, and further ones around it: "}", "]}". */
void dj_json_close(struct dj_text *text, const char *brackets);

#endif
