/* UTF-8, character by character. */
#ifndef DEJANK_BASE_UTF8_H
#define DEJANK_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dj_utf8 {
    size_t bytes; /* its length, > 0 */
    int32_t code; /* code point; −1: not UTF-8, and `bytes` is 1 */
};

/* Decodes the character at `bytes` (length > 0, no NUL needed). Overlong forms,
 * surrogates and values above U+10FFFF are not UTF-8. */
struct dj_utf8 dj_utf8_at(const char *bytes, size_t length);

enum { DJ_UTF8_MOST = 4 }; /* bytes of one character */

/* Writes a code point below 0x110000. Returns its number of bytes. */
size_t dj_utf8_write(char *into, uint32_t code);

/* Control characters, including C1 (U+0080 … U+009F), which control terminals like ESC
 * sequences. */
bool dj_utf8_is_control(int32_t code);

/* Characters that change the writing direction, or break a line without being control
 * characters: with them a name can look like another. */
bool dj_utf8_reorders(int32_t code);

#endif
