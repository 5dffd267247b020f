/* Decodes and encodes single UTF-8 characters. */
#ifndef DEJANK_BASE_UTF8_H
#define DEJANK_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dj_utf8 {
    size_t bytes; /* Length in bytes, at least 1. */
    /* Code point, or −1 if the byte is not UTF-8. In that case, `bytes` is 1. */
    int32_t code;
};

/* Decodes the character at the start of `bytes`. `length` is at least 1, and no NUL is
 * needed. Overlong forms, surrogates and values above U+10FFFF are not UTF-8. */
struct dj_utf8 dj_utf8_at(const char *bytes, size_t length);

enum { DJ_UTF8_MOST = 4 }; /* Maximum length of a character in bytes. */

/* Writes a code point below 0x110000 in UTF-8. Returns the number of bytes written. */
size_t dj_utf8_write(char *into, uint32_t code);

/* Returns whether the code point is a control character. C1 control characters (U+0080 to
 * U+009F) are included, because terminals obey them like ESC sequences. */
bool dj_utf8_is_control(int32_t code);

/* Returns whether the code point changes the writing direction, or breaks a line without
 * being a control character. Such characters can make one name look like another. */
bool dj_utf8_reorders(int32_t code);

#endif
