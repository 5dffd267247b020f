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

/* Values. */

/* Each writes a member of an object, or an element of an array if the key is NULL.
 * Keys are dejank's own words, printable ASCII without quotes, and are not escaped. */

/* A quoted string from outside. A byte that is not UTF-8 becomes the four characters
 * \xNN. NULL becomes null. */
void dj_json_add_string(struct dj_text *text, const char *key, const char *string);
/* The same for a text, which is finished afterwards. If it had failed, `text` fails. */
void dj_json_add_text(struct dj_text *text, const char *key, struct dj_text *string);
/* Like dj_json_add_string(), but "" is also unknown: null. */
void dj_json_add_name(struct dj_text *text, const char *key, const char *name);
void dj_json_add_bool(struct dj_text *text, const char *key, bool value);
void dj_json_add_null(struct dj_text *text, const char *key);

void dj_json_add_int(struct dj_text *text, const char *key, int64_t value);
/* A negative value is unknown: null. */
void dj_json_add_known(struct dj_text *text, const char *key, int64_t value);
void dj_json_add_optional(struct dj_text *text, const char *key, bool known,
                          int64_t value);

/* Rounded to three decimals, without trailing zeros; NaN and infinity: null. */
void dj_json_add_real(struct dj_text *text, const char *key, double value);
/* With the fewest digits that read back as the same double; NaN and infinity: null. */
void dj_json_add_number(struct dj_text *text, const char *key, double value);
/* Rounded to this many digits, like "%.*g"; NaN and infinity: null. */
void dj_json_add_rounded(struct dj_text *text, const char *key, int digits, double value);
/* An interval: an array of two numbers like dj_json_add_number(); null for an
 * unlimited side. */
void dj_json_add_bounds(struct dj_text *text, const char *key, double low, double high);

/* Elements. */
void dj_json_append_string(struct dj_text *text, const char *string);
void dj_json_append_int(struct dj_text *text, int64_t value);

/* Starts a value that the caller writes: `"key":`, or the comma before an element. */
void dj_json_append_key(struct dj_text *text, const char *key);
void dj_json_append_comma(struct dj_text *text);

/* Nesting. */

/* Opens a whole document: an object with the schema's name. */
void dj_json_open_document(struct dj_text *text, const char *schema);
void dj_json_open_object(struct dj_text *text, const char *key);
void dj_json_open_array(struct dj_text *text, const char *key);
/* Closes the innermost bracket and, with more characters, the ones around it: "}",
 * "]}". The end of a document includes its line end: "}\n". */
void dj_json_close(struct dj_text *text, const char *brackets);

#endif
