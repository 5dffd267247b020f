/*
 * Writes JSON into growable text. What it writes is also safe in an HTML script element
 * and on a terminal: '<', '>', '&', control characters, the line separators of JavaScript
 * and marks that turn the direction of writing are written as \uNNNN.
 *
 * Every value, key, '{' and '[' writes the comma before it where one is due: the last
 * byte of the text decides that, so there is no state to keep and none to clean up. A
 * failed text (text.h) takes nothing more; its writer checks once, at the end.
 */
#ifndef DEJANK_BASE_JSON_H
#define DEJANK_BASE_JSON_H

#include "base/text.h"

/* ---- values ---- */

/* A quoted string from outside. A byte that is not UTF-8 becomes the four characters
 * \xNN. NULL becomes null. */
void dj_json_string(struct dj_text *text, const char *string);
void dj_json_int(struct dj_text *text, int64_t value);
void dj_json_bool(struct dj_text *text, bool value);
void dj_json_null(struct dj_text *text);

/* The comma alone, for a value that the caller writes. */
void dj_json_comma(struct dj_text *text);

/* ---- members: key and value ---- */

/* `"key":`. Keys are words of dejank, printable ASCII without quotes: they are not
 * escaped. */
void dj_json_key(struct dj_text *text, const char *key);

void dj_json_put_int(struct dj_text *text, const char *key, int64_t value);
/* A negative value is unknown: null. */
void dj_json_put_known(struct dj_text *text, const char *key, int64_t value);
void dj_json_put_string(struct dj_text *text, const char *key, const char *string);
void dj_json_put_bool(struct dj_text *text, const char *key, bool value);

/* In the following, a key of NULL writes an element of an array. */

/* Rounded to three decimals, without zeros at the end; NaN, infinity: null. */
void dj_json_put_real(struct dj_text *text, const char *key, double value);
/* In as few digits as read back to the same double; NaN, infinity: null. */
void dj_json_put_number(struct dj_text *text, const char *key, double value);
/* An interval: an array of two such numbers; null for a side without an end. */
void dj_json_put_bounds(struct dj_text *text, const char *key, double low, double high);

/* ---- nesting ---- */

void dj_json_open_object(struct dj_text *text, const char *key);
void dj_json_open_array(struct dj_text *text, const char *key);
/* Closes what was opened last and, with more brackets, what is around it: "}", "]}". */
void dj_json_close(struct dj_text *text, const char *brackets);

#endif
