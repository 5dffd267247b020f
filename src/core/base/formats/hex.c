#include "base/hex.h"

static const char hex_digits[] = "0123456789abcdef";

void dj_hex_write(char *digits, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < length; i++) {
        digits[2 * i] = hex_digits[from[i] >> 4];
        digits[2 * i + 1] = hex_digits[from[i] & 15];
    }
    digits[2 * length] = '\0';
}

/* Returns the value of a digit, or −1. */
static int read_digit(char digit)
{
    char lower = digit >= 'A' && digit <= 'F' ? (char)(digit | 0x20) : digit;
    const char *at = memchr(hex_digits, lower, 16);
    return at != NULL ? (int)(at - hex_digits) : -1;
}

bool dj_hex_read(struct dj_str digits, void *bytes, size_t length)
{
    uint8_t *to = bytes;
    if (digits.length / 2 != length || digits.length % 2 != 0) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        int high = read_digit(digits.at[2 * i]), low = read_digit(digits.at[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        to[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
