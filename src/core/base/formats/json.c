#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static void append_character(struct dj_text *text, const char *bytes, struct dj_utf8 one)
{
    if (one.code < 0) {
        dj_text_format(text, "\\\\x%02X", (unsigned)(unsigned char)bytes[0]);
    } else if (one.code == '"' || one.code == '\\') {
        dj_text_format(text, "\\%c", (char)one.code);
    } else if (one.code == '<' || one.code == '>' || one.code == '&' ||
               dj_utf8_is_control(one.code) || dj_utf8_reorders(one.code)) {
        dj_text_format(text, "\\u%04x", (unsigned)one.code);
    } else {
        dj_text_append(text, bytes, one.bytes);
    }
}

/* A '#' marks a byte that JSON contains unchanged: printable ASCII characters, except
 * those that append_character() escapes. */
static const char plain_bytes[256] =
    "                                " /* Control characters. */
    "## ### ##################### # #"
    "############################ ###"
    "############################### ";

static size_t plain_length(const char *string)
{
    size_t length = 0;
    /* The final NUL has no '#'. */
    while (plain_bytes[(unsigned char)string[length]] == '#') {
        length++;
    }
    return length;
}

/* Returns whether a comma must separate the next value from the existing text. */
static bool needs_comma(const struct dj_text *text)
{
    char last = text->length > 0 ? text->data[text->length - 1] : '{';
    return last != '{' && last != '[' && last != ':' && last != ',';
}

/* Appends a string that needs no escapes, in quotes. Writes the comma, the quotes and the
 * colon of a key in one step, because most of the output is keys. */
static void append_plain(struct dj_text *text, const char *string, size_t length,
                         bool key)
{
    bool comma = needs_comma(text);
    char *at = dj_text_reserve(text, comma + length + 2 + key);
    if (at == NULL) {
        return;
    }
    if (comma) {
        *at++ = ',';
    }
    *at++ = '"';
    memcpy(at, string, length);
    at[length] = '"';
    if (key) {
        at[length + 1] = ':';
    }
}

static void append_escaped(struct dj_text *text, const char *string)
{
    size_t length = strlen(string);
    dj_json_append_comma(text);
    dj_text_append(text, "\"", 1);
    for (size_t i = 0; i < length;) {
        size_t plain = plain_length(string + i);
        dj_text_append(text, string + i, plain);
        i += plain;
        if (i < length) {
            struct dj_utf8 one = dj_utf8_at(string + i, length - i);
            append_character(text, string + i, one);
            i += one.bytes;
        }
    }
    dj_text_append(text, "\"", 1);
}

void dj_json_append_comma(struct dj_text *text)
{
    if (needs_comma(text)) {
        dj_text_append(text, ",", 1);
    }
}

void dj_json_append_key(struct dj_text *text, const char *key)
{
    append_plain(text, key, strlen(key), true);
}

/* Appends the key of a member, or the comma before an element of an array. */
static void begin_value(struct dj_text *text, const char *key)
{
    if (key != NULL) {
        dj_json_append_key(text, key);
    } else {
        dj_json_append_comma(text);
    }
}

void dj_json_add_null(struct dj_text *text, const char *key)
{
    begin_value(text, key);
    dj_text_add(text, "null");
}

void dj_json_add_bool(struct dj_text *text, const char *key, bool value)
{
    begin_value(text, key);
    dj_text_add(text, value ? "true" : "false");
}

void dj_json_append_string(struct dj_text *text, const char *string)
{
    size_t plain = string != NULL ? plain_length(string) : 0;
    if (string == NULL) {
        dj_json_add_null(text, NULL);
    } else if (string[plain] == '\0') {
        append_plain(text, string, plain, false);
    } else {
        append_escaped(text, string);
    }
}

void dj_json_add_string(struct dj_text *text, const char *key, const char *string)
{
    begin_value(text, key);
    dj_json_append_string(text, string);
}

void dj_json_add_text(struct dj_text *text, const char *key, struct dj_text *string)
{
    dj_json_add_string(text, key, dj_text_get(string));
    text->failed = text->failed || string->failed;
    dj_text_finish(string);
}

void dj_json_add_name(struct dj_text *text, const char *key, const char *name)
{
    dj_json_add_string(text, key, name != NULL && name[0] != '\0' ? name : NULL);
}

void dj_json_append_int(struct dj_text *text, int64_t value)
{
    dj_json_add_int(text, NULL, value);
}

void dj_json_add_int(struct dj_text *text, const char *key, int64_t value)
{
    begin_value(text, key);
    dj_text_append_int(text, value);
}

void dj_json_add_optional(struct dj_text *text, const char *key, bool known,
                          int64_t value)
{
    if (known) {
        dj_json_add_int(text, key, value);
    } else {
        dj_json_add_null(text, key);
    }
}

void dj_json_add_known(struct dj_text *text, const char *key, int64_t value)
{
    dj_json_add_optional(text, key, value >= 0, value);
}

/* Appends a point and three digits, without trailing zeros. */
static void append_fraction(struct dj_text *text, unsigned thousandths)
{
    char digits[4] = {'.', (char)('0' + thousandths / 100),
                      (char)('0' + thousandths / 10 % 10),
                      (char)('0' + thousandths % 10)};
    size_t length = sizeof(digits);
    while (digits[length - 1] == '0') {
        length--;
    }
    dj_text_append(text, digits, length);
}

/* Formats the number without printf(), because printf() would take most of the time of
 * writing JSON. The difference `size - whole` has no rounding error. */
static void append_real(struct dj_text *text, double value)
{
    double size = fabs(value);
    int64_t whole = (int64_t)size;
    unsigned thousandths = (unsigned)((size - (double)whole) * 1000 + 0.5);
    whole += thousandths == 1000;
    thousandths = thousandths == 1000 ? 0 : thousandths;
    if (value < 0 && (whole != 0 || thousandths != 0)) {
        dj_text_append(text, "-", 1);
    }
    dj_text_append_int(text, whole);
    if (thousandths != 0) {
        append_fraction(text, thousandths);
    }
}

void dj_json_add_real(struct dj_text *text, const char *key, double value)
{
    if (fabs(value) < 1e18) {
        begin_value(text, key);
        append_real(text, value);
    } else {
        dj_json_add_rounded(text, key, 17, value);
    }
}

void dj_json_add_rounded(struct dj_text *text, const char *key, int digits, double value)
{
    if (isfinite(value)) {
        begin_value(text, key);
        dj_text_format(text, "%.*g", digits, value);
    } else {
        dj_json_add_null(text, key);
    }
}

void dj_json_add_number(struct dj_text *text, const char *key, double value)
{
    char digits[32] = "null";
    for (int precision = 15; isfinite(value) && precision <= 17; precision++) {
        snprintf(digits, sizeof(digits), "%.*g", precision, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    begin_value(text, key);
    dj_text_add(text, digits);
}

void dj_json_add_bounds(struct dj_text *text, const char *key, double low, double high)
{
    dj_json_open_array(text, key);
    dj_json_add_number(text, NULL, low);
    dj_json_add_number(text, NULL, high);
    dj_json_close(text, "]");
}

void dj_json_open_object(struct dj_text *text, const char *key)
{
    begin_value(text, key);
    dj_text_append(text, "{", 1);
}

void dj_json_open_document(struct dj_text *text, const char *schema)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", schema);
}

void dj_json_open_array(struct dj_text *text, const char *key)
{
    begin_value(text, key);
    dj_text_append(text, "[", 1);
}

void dj_json_close(struct dj_text *text, const char *brackets)
{
    dj_text_add(text, brackets);
}
