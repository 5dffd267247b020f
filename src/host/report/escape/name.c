#include "report/escape/name.h"

#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "memory/memory.h"

/* Ranges of characters that occupy no column (combining marks, joiners) or two columns
 * (East Asian wide characters, emoji). */
static const struct {
    int32_t first, last;
    int columns;
} widths[] = {
    {0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0},
    {0x064b, 0x065f, 0},   {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},
    {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},   {0x2e80, 0x303e, 2},
    {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
    {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},
    {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2},
    {0x20000, 0x3fffd, 2},
};

struct dj_character dj_name_read_character(const char *bytes, size_t length)
{
    struct dj_utf8 one = dj_utf8_at(bytes, length);
    struct dj_character character = {.bytes = one.bytes, .code = one.code, .columns = 1};
    for (size_t i = 0; one.code >= widths[0].first && i < COUNT_OF(widths); i++) {
        if (one.code >= widths[i].first && one.code <= widths[i].last) {
            character.columns = widths[i].columns;
        }
    }
    return character;
}

size_t dj_name_count_columns(const char *string)
{
    size_t columns = 0;
    size_t length = strlen(string);
    for (size_t i = 0; i < length;) {
        struct dj_character one = dj_name_read_character(string + i, length - i);
        columns += (size_t)one.columns;
        i += one.bytes;
    }
    return columns;
}

void dj_name_shorten(struct dj_text *text, size_t columns)
{
    struct dj_text shorter = {0};
    size_t used = 0;
    if (dj_name_count_columns(dj_xtext(text)) <= columns) {
        return;
    }
    for (size_t i = 0; i < text->length;) {
        struct dj_character one =
            dj_name_read_character(text->data + i, text->length - i);
        used += (size_t)one.columns;
        if (used + 1 > columns) {
            break;
        }
        dj_text_append(&shorter, text->data + i, one.bytes);
        i += one.bytes;
    }
    dj_text_add(&shorter, "…");
    dj_text_finish(text);
    *text = shorter;
}

void dj_name_escape(struct dj_text *text, const char *string, bool ascii)
{
    size_t length = strlen(string);
    for (size_t i = 0; i < length;) {
        struct dj_utf8 one = dj_utf8_at(string + i, length - i);
        bool control = one.code < 0 || dj_utf8_is_control(one.code);
        if (control && one.code < 0x80) {
            dj_text_format(text, "\\x%02X", (unsigned)(unsigned char)string[i]);
        } else if (control || dj_utf8_reorders(one.code) || (ascii && one.code >= 0x80)) {
            dj_text_format(text, one.code > 0xffff ? "\\U%08X" : "\\u%04X",
                           (unsigned)one.code);
        } else {
            dj_text_append(text, string + i, one.bytes);
        }
        i += one.bytes;
    }
}

void dj_name_format(struct dj_text *text, const char *format, ...)
{
    va_list names;
    va_start(names, format);
    for (const char *at = format; *at != '\0';) {
        size_t plain = strcspn(at, "%");
        dj_text_append(text, at, plain);
        at += plain;
        if (*at == '%') {
            dj_text_append_escaped_name(text, va_arg(names, const char *));
            at += 2;
        }
    }
    va_end(names);
}

void dj_name_write_slug(struct dj_text *text, const char *slug)
{
    for (; *slug != '\0'; slug++) {
        dj_text_append(text, *slug == '-' ? " " : slug, 1);
    }
}
