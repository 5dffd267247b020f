#include "report/name.h"

#include <string.h>

/* Ranges that take no column (combining marks, joiners) or two (East Asian wide, emoji).
 */
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

static int columns_of(int32_t code)
{
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        if (code >= widths[i].first && code <= widths[i].last) {
            return widths[i].columns;
        }
    }
    return 1;
}

/* Shortest form only, no surrogates, nothing past U+10FFFF. */
static int32_t decode(const unsigned char *bytes, size_t length, size_t *used)
{
    static const struct {
        unsigned char mask, lead;
        int32_t least;
    } forms[] = {
        {0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t more = 0; more < sizeof(forms) / sizeof(forms[0]); more++) {
        if ((bytes[0] & forms[more].mask) != forms[more].lead) {
            continue;
        }
        if (more >= length) {
            return -1;
        }
        int32_t code = bytes[0] & (unsigned char)~forms[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((bytes[i] & 0xc0) != 0x80) {
                return -1;
            }
            code = code * 64 + (bytes[i] & 0x3f);
        }
        *used = more + 1;
        bool valid = code >= forms[more].least && code <= 0x10ffff &&
                     !(code >= 0xd800 && code <= 0xdfff);
        return valid ? code : -1;
    }
    return -1;
}

struct dj_character dj_character_at(const char *bytes, size_t length)
{
    size_t used = 1;
    int32_t code = decode((const unsigned char *)bytes, length, &used);
    if (code < 0) {
        return (struct dj_character){.bytes = 1, .code = -1, .columns = 1};
    }
    return (struct dj_character){
        .bytes = used, .code = code, .columns = columns_of(code)};
}

size_t dj_name_columns(const char *string)
{
    size_t columns = 0;
    size_t length = strlen(string);
    for (size_t i = 0; i < length;) {
        struct dj_character one = dj_character_at(string + i, length - i);
        columns += (size_t)one.columns;
        i += one.bytes;
    }
    return columns;
}

static bool reorders(int32_t code)
{
    return code == 0x061c || code == 0x200e || code == 0x200f || code == 0x2028 ||
           code == 0x2029 || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

void dj_name_append(struct dj_text *text, const char *string, bool ascii)
{
    size_t length = strlen(string);
    for (size_t i = 0; i < length;) {
        struct dj_character one = dj_character_at(string + i, length - i);
        bool control = one.code < 0x20 || (one.code >= 0x7f && one.code < 0xa0);
        if (control && one.code < 0x80) {
            dj_text_format(text, "\\x%02X", (unsigned)(unsigned char)string[i]);
        } else if (control || reorders(one.code) || (ascii && one.code >= 0x80)) {
            dj_text_format(text, one.code > 0xffff ? "\\U%08X" : "\\u%04X",
                           (unsigned)one.code);
        } else {
            dj_text_append(text, string + i, one.bytes);
        }
        i += one.bytes;
    }
}
