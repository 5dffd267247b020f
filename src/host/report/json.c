#include "report/json.h"

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

void dj_json_string(struct dj_text *text, const char *string)
{
    if (string == NULL) {
        dj_json_null(text);
        return;
    }
    dj_json_comma(text);
    dj_text_string(text, "\"");
    size_t length = strlen(string);
    for (size_t i = 0; i < length;) {
        struct dj_utf8 one = dj_utf8_at(string + i, length - i);
        append_character(text, string + i, one);
        i += one.bytes;
    }
    dj_text_string(text, "\"");
}

void dj_json_comma(struct dj_text *text)
{
    char last = text->length > 0 ? text->data[text->length - 1] : '{';
    if (last != '{' && last != '[' && last != ':' && last != ',') {
        dj_text_string(text, ",");
    }
}

void dj_json_key(struct dj_text *text, const char *key)
{
    dj_json_string(text, key);
    dj_text_string(text, ":");
}

void dj_json_int(struct dj_text *text, int64_t value)
{
    dj_json_comma(text);
    dj_text_int(text, value);
}

void dj_json_bool(struct dj_text *text, bool value)
{
    dj_json_comma(text);
    dj_text_string(text, value ? "true" : "false");
}

void dj_json_null(struct dj_text *text)
{
    dj_json_comma(text);
    dj_text_string(text, "null");
}
