#include "base/utf8.h"

#include "base/count_of.h"

/* The UTF-8 forms of one to four bytes. `mask` and `lead` identify the first byte of the
 * form, and `least` is its smallest code point. */
static const struct {
    unsigned char mask, lead;
    int32_t least;
} forms[] = {
    {0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};

static bool is_character(int32_t code, int32_t least)
{
    return code >= least && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

/* Decodes a character that has `more` bytes after its first byte. Returns −1 if the bytes
 * are not valid UTF-8. */
static int32_t decode(const unsigned char *bytes, size_t more, size_t length)
{
    if (more >= length) {
        return -1;
    }
    int32_t code = bytes[0] & (unsigned char)~forms[more].mask;
    for (size_t i = 1; i <= more; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return -1;
        }
        code = code * 64 + (bytes[i] & 0x3F);
    }
    return is_character(code, forms[more].least) ? code : -1;
}

struct dj_utf8 dj_utf8_at(const char *bytes, size_t length)
{
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t more = 0; more < COUNT_OF(forms); more++) {
        if ((at[0] & forms[more].mask) == forms[more].lead) {
            int32_t code = decode(at, more, length);
            return (struct dj_utf8){.bytes = code < 0 ? 1 : more + 1, .code = code};
        }
    }
    return (struct dj_utf8){.bytes = 1, .code = -1};
}

size_t dj_utf8_write(char *into, uint32_t code)
{
    size_t more = 0; /* Number of continuation bytes, with six bits each. */
    while (more + 1 < COUNT_OF(forms) && code >= (uint32_t)forms[more + 1].least) {
        more++;
    }
    into[0] = (char)(forms[more].lead | code >> (6 * more));
    for (size_t i = 1; i <= more; i++) {
        into[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3F));
    }
    return more + 1;
}

bool dj_utf8_is_control(int32_t code)
{
    return (code >= 0 && code < 0x20) || (code >= 0x7F && code < 0xA0);
}

bool dj_utf8_reorders(int32_t code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}
