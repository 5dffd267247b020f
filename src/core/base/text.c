#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

static bool reserve(struct dj_text *text, size_t more)
{
    size_t needed;
    if (text->failed || !dj_add_size(text->length, more, &needed) ||
        (text->maximum != 0 && needed > text->maximum) || needed == SIZE_MAX) {
        text->failed = true;
        return false;
    }
    if (needed < text->capacity) {
        return true;
    }
    size_t capacity = text->capacity < 128 ? 256 : text->capacity;
    while (capacity <= needed) {
        capacity = capacity > SIZE_MAX / 2 ? needed + 1 : capacity * 2;
    }
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void dj_text_finish(struct dj_text *text)
{
    free(text->data);
    *text = (struct dj_text){.maximum = text->maximum};
}

void dj_text_clear(struct dj_text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->data != NULL) {
        text->data[0] = '\0';
    }
}

void dj_text_append(struct dj_text *text, const char *bytes, size_t length)
{
    if (length == 0 || !reserve(text, length)) {
        return;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void dj_text_string(struct dj_text *text, const char *string)
{
    dj_text_append(text, string, strlen(string));
}

void dj_text_int(struct dj_text *text, int64_t value)
{
    char digits[24];
    char *start = digits + sizeof(digits);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--start = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        *--start = '-';
    }
    dj_text_append(text, start, (size_t)(digits + sizeof(digits) - start));
}

void dj_text_format(struct dj_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->failed = true;
        return;
    }
    if (!reserve(text, (size_t)length + 1)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

const char *dj_text_get(const struct dj_text *text)
{
    return text->data != NULL ? text->data : "";
}

/* Length of the valid UTF-8 sequence at bytes, or 0. Overlong forms, surrogates and
 * values past U+10FFFF are invalid. */
static size_t utf8_length(const unsigned char *bytes, size_t length)
{
    static const struct {
        unsigned char first, last, second_first, second_last;
        size_t length;
    } forms[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3},
        {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
        {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (bytes[0] < forms[i].first || bytes[0] > forms[i].last) {
            continue;
        }
        if (forms[i].length > length || bytes[1] < forms[i].second_first ||
            bytes[1] > forms[i].second_last) {
            return 0;
        }
        for (size_t k = 2; k < forms[i].length; k++) {
            if ((bytes[k] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return forms[i].length;
    }
    return 0;
}

/* C1 control characters (U+0080…U+009F) steer terminals as ESC sequences do. */
static bool is_c1(const unsigned char *bytes, size_t length)
{
    return length == 2 && bytes[0] == 0xC2 && bytes[1] < 0xA0;
}

void dj_text_escaped(struct dj_text *text, const char *bytes, size_t length)
{
    const unsigned char *at = (const unsigned char *)bytes;
    size_t i = 0;
    while (i < length) {
        unsigned char c = at[i];
        if ((c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t') {
            dj_text_append(text, bytes + i, 1);
            i++;
            continue;
        }
        size_t run = c >= 0x80 ? utf8_length(at + i, length - i) : 0;
        if (run != 0 && !is_c1(at + i, run)) {
            dj_text_append(text, bytes + i, run);
            i += run;
        } else {
            dj_text_format(text, "\\x%02x", c);
            i++;
        }
    }
}
