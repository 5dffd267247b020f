/*
 * Writes JSON into growable text. The output is also safe in an HTML script element and
 * on a terminal. For this reason, some characters are written as \uNNNN: '<', '>', '&',
 * control characters, JavaScript's line separators, and characters that change the
 * writing direction.
 *
 * Functions that write a value, a key, '{' or '[' first write a comma if the last byte of
 * the text requires one. So there is no state to initialize or to free. After a failure
 * (see text.h), all functions do nothing, so the caller checks `failed` once, at the end.
 */
#ifndef DEJANK_BASE_JSON_H
#define DEJANK_BASE_JSON_H

#include "base/text.h"

/* The dj_json_add_*() functions write a member of an object, or an element of an array if
 * the key is NULL. Keys are not escaped: they must be printable ASCII without quotes. */

/* Writes an untrusted string, or null if it is NULL. A byte that is not UTF-8 becomes the
 * four characters \xNN. */
void dj_json_add_string(struct dj_text *text, const char *key, const char *string);
/* Writes `string` like dj_json_add_string() and frees it with dj_text_finish(). If
 * `string` had failed, `text` fails, too. */
void dj_json_add_text(struct dj_text *text, const char *key, struct dj_text *string);
/* Like dj_json_add_string(), but writes null for "", too. */
void dj_json_add_name(struct dj_text *text, const char *key, const char *name);
void dj_json_add_bool(struct dj_text *text, const char *key, bool value);
void dj_json_add_null(struct dj_text *text, const char *key);

void dj_json_add_int(struct dj_text *text, const char *key, int64_t value);
/* Writes null if the value is negative. */
void dj_json_add_known(struct dj_text *text, const char *key, int64_t value);
void dj_json_add_optional(struct dj_text *text, const char *key, bool known,
                          int64_t value);

/* Writes the value rounded to three decimals, without trailing zeros. NaN and infinity
 * become null. */
void dj_json_add_real(struct dj_text *text, const char *key, double value);
/* Writes the shortest number that is read as the same double. NaN and infinity become
 * null. */
void dj_json_add_number(struct dj_text *text, const char *key, double value);
/* Writes the value with `digits` significant digits, like "%.*g". NaN and infinity become
 * null. */
void dj_json_add_rounded(struct dj_text *text, const char *key, int digits, double value);
/* Writes an interval as an array of two numbers. An infinite bound becomes null. */
void dj_json_add_bounds(struct dj_text *text, const char *key, double low, double high);

/* Appends a string as an element of an array. */
void dj_json_append_string(struct dj_text *text, const char *string);

/* Appends an integer as an element of an array. */
void dj_json_append_int(struct dj_text *text, int64_t value);

/* Starts a value that the caller writes: appends `"key":`, or the comma before an
 * element. */
void dj_json_append_key(struct dj_text *text, const char *key);
void dj_json_append_comma(struct dj_text *text);

/* Opens the object that contains a whole document, and writes the name of its schema. */
void dj_json_open_document(struct dj_text *text, const char *schema);
void dj_json_open_object(struct dj_text *text, const char *key);
void dj_json_open_array(struct dj_text *text, const char *key);
/* Appends closing brackets, such as "}" or "]}". At the end of a document, `brackets`
 * includes the line feed: "}\n". */
void dj_json_close(struct dj_text *text, const char *brackets);

#endif
