/* UTF-8, one character after the other. */
#ifndef DEJANK_BASE_UTF8_H
#define DEJANK_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dj_utf8 {
    size_t bytes; /* that it takes, > 0 */
    int32_t code; /* code point; −1: no UTF-8 begins here, and `bytes` is 1 */
};

/* The character at `bytes` (length > 0, no NUL needed). Overlong forms, surrogates and
 * values past U+10FFFF are no UTF-8. */
struct dj_utf8 dj_utf8_at(const char *bytes, size_t length);

enum { DJ_UTF8_MOST = 4 }; /* bytes of one character */

/* Writes a code point below 0x110000, and returns how many bytes it has. */
size_t dj_utf8_write(char *into, uint32_t code);

/* Control characters, those of C1 (U+0080 … U+009F) too: they steer terminals as ESC
 * sequences do. */
bool dj_utf8_is_control(int32_t code);

/* Marks that turn the direction of writing, or break a line without being a control
 * character: with them a name can look like another. */
bool dj_utf8_reorders(int32_t code);

#endif
