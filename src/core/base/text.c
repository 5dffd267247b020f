#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/checked.h"
#include "base/utf8.h"

static bool reserve(struct dj_text *text, size_t more)
{
    size_t needed;
    if (text->failed || !dj_checked_add_size(text->length, more, &needed) ||
        needed == SIZE_MAX) {
        text->failed = true;
        return false;
    }
    if (text->maximum != 0 && needed > text->maximum) {
        text->failed = true;
        text->full = true;
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
    text->full = false;
    if (text->data != NULL) {
        text->data[0] = '\0';
    }
}

char *dj_text_reserve(struct dj_text *text, size_t length)
{
    if (!reserve(text, length)) {
        return NULL;
    }
    char *room = text->data + text->length;
    text->length += length;
    text->data[text->length] = '\0';
    return room;
}

void dj_text_append(struct dj_text *text, const char *bytes, size_t length)
{
    char *room = length > 0 ? dj_text_reserve(text, length) : NULL;
    if (room != NULL) {
        memcpy(room, bytes, length);
    }
}

void dj_text_add(struct dj_text *text, const char *string)
{
    dj_text_append(text, string, strlen(string));
}

void dj_text_append_int(struct dj_text *text, int64_t value)
{
    char digits[24];
    char *start = digits + sizeof(digits);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    /* Two digits per iteration halve the number of divisions, which depend on each other
     * and therefore cannot overlap. */
    for (; rest >= 100; rest /= 100) {
        *--start = (char)('0' + rest % 10);
        *--start = (char)('0' + rest % 100 / 10);
    }
    if (rest >= 10) {
        *--start = (char)('0' + rest % 10);
        rest /= 10;
    }
    *--start = (char)('0' + rest);
    if (value < 0) {
        *--start = '-';
    }
    dj_text_append(text, start, (size_t)(digits + sizeof(digits) - start));
}

/* First formats into the free space, which is usually sufficient. Grows the text and
 * formats again only if the result did not fit. */
void dj_text_format(struct dj_text *text, const char *format, ...)
{
    size_t room = text->data != NULL && !text->failed ? text->capacity - text->length : 0;
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(room > 0 ? text->data + text->length : NULL, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < room &&
        (text->maximum == 0 || text->length + (size_t)length < text->maximum)) {
        text->length += (size_t)length;
        return;
    }
    if (room > 0) {
        text->data[text->length] = '\0';
    }
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

/* The rounding error of `scaled` is below `close`. If an error of that size could change
 * the last digit, the function calls printf(), which takes ten times as long. */
void dj_text_append_thousandths(struct dj_text *text, int width, double value)
{
    static const double most = 1e9, close = 0.001;
    char digits[24];
    char *start = digits + sizeof(digits);
    double scaled = value * 1000;
    uint64_t rest = value >= 0 && value < most ? (uint64_t)scaled : 0;
    double part = scaled - (double)rest;
    if (signbit(value) || !(value < most) || fabs(part - 0.5) < close) {
        dj_text_format(text, "%*.3f", width, value);
        return;
    }
    rest += part > 0.5;
    for (int places = 0; places < 3; places++, rest /= 10) {
        *--start = (char)('0' + rest % 10);
    }
    *--start = '.';
    do {
        *--start = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    while (digits + sizeof(digits) - start < width && start > digits) {
        *--start = ' ';
    }
    dj_text_append(text, start, (size_t)(digits + sizeof(digits) - start));
}

const char *dj_text_get(const struct dj_text *text)
{
    return text->data != NULL ? text->data : "";
}

struct dj_str dj_text_str(const struct dj_text *text)
{
    return (struct dj_str){dj_text_get(text), text->length};
}

/* Returns the number of printable ASCII characters at the beginning. Nearly all text is
 * printable ASCII. */
static size_t plain_run(const char *bytes, size_t length)
{
    size_t run = 0;
    while (run < length && bytes[run] >= ' ' && bytes[run] <= '~') {
        run++;
    }
    return run;
}

void dj_text_append_escaped(struct dj_text *text, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t run = plain_run(bytes + i, length - i);
        dj_text_append(text, bytes + i, run);
        i += run;
        if (i == length) {
            return;
        }
        struct dj_utf8 one = dj_utf8_at(bytes + i, length - i);
        bool plain = one.code == '\n' || one.code == '\t' ||
                     (one.code >= 0 && !dj_utf8_is_control(one.code) &&
                      !dj_utf8_reorders(one.code));
        if (plain) {
            dj_text_append(text, bytes + i, one.bytes);
        }
        for (size_t k = 0; !plain && k < one.bytes; k++) {
            dj_text_format(text, "\\x%02x", (unsigned)(unsigned char)bytes[i + k]);
        }
        i += one.bytes;
    }
}

void dj_text_append_escaped_name(struct dj_text *text, const char *name)
{
    for (const char *at = name; *at != '\0';) {
        size_t run = strcspn(at, "\n\t");
        dj_text_append_escaped(text, at, run);
        at += run;
        if (*at != '\0') {
            dj_text_format(text, "\\x%02x", *at++);
        }
    }
}

void dj_text_append_any_name(struct dj_text *text, const char *before, const char *name,
                             const char *after)
{
    if (name != NULL) {
        dj_text_add(text, before);
        dj_text_append_escaped_name(text, name);
        dj_text_add(text, after);
    }
}

void dj_text_append_name(struct dj_text *text, const char *before, const char *name,
                         const char *after)
{
    if (name != NULL && name[0] != '\0') {
        dj_text_append_any_name(text, before, name, after);
    }
}

void dj_text_append_percent(struct dj_text *text, const char *string, const char *plain)
{
    for (; *string != '\0'; string++) {
        bool is_plain =
            (*string >= 'a' && *string <= 'z') || (*string >= 'A' && *string <= 'Z') ||
            (*string >= '0' && *string <= '9') || strchr(plain, *string) != NULL;
        dj_text_format(text, is_plain ? "%c" : "%%%02X", (unsigned char)*string);
    }
}

const char *dj_text_append_separator(size_t index, size_t count)
{
    return index == 0 ? "" : index + 1 == count ? " or " : ", ";
}

void dj_text_append_utc(struct dj_text *text, const char *format, int64_t unix_s)
{
    char words[64];
    time_t seconds = (time_t)unix_s;
    struct tm utc;
    if (gmtime_r(&seconds, &utc) != NULL) {
        dj_text_append(text, words, strftime(words, sizeof(words), format, &utc));
    }
}

char *dj_text_copy(const char *bytes, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        if (length > 0) {
            memcpy(copy, bytes, length);
        }
        copy[length] = '\0';
    }
    return copy;
}

void dj_text_copy_escaped(struct dj_str str, char *to, size_t capacity)
{
    struct dj_text safe = {0};
    str = dj_str_trim(str);
    dj_text_append_escaped(&safe, str.at, str.length);
    size_t length = safe.length < capacity ? safe.length : capacity - 1;
    memcpy(to, dj_text_get(&safe), length);
    to[length] = '\0';
    dj_text_finish(&safe);
}
