#include "trace/text/numbers.h"

#include <stdlib.h>
#include <string.h>

int dj_number_parse_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

/* Parses a number that consists of digits. Returns false if the text is empty, if it
 * contains other characters, or if the number is too large. */
static bool read_digits(const char *at, size_t length, int base, uint64_t *number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = dj_number_parse_digit(at[i]);
        if (digit >= base || __builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)digit, &sum)) {
            return false;
        }
    }
    *number = sum;
    return length > 0;
}

bool dj_number_parse_int(struct dj_str words, int64_t *number)
{
    uint64_t digits;
    bool negative = words.length > 0 && words.at[0] == '-';
    size_t sign = negative ? 1 : 0;
    if (words.length > 2 && memcmp(words.at, "0x", 2) == 0) {
        return dj_number_parse_hex(words, number);
    }
    if (words.length == 0 ||
        !read_digits(words.at + sign, words.length - sign, 10, &digits) ||
        digits > (uint64_t)INT64_MAX + (negative ? 1 : 0)) {
        return false;
    }
    *number = negative ? (int64_t)(0 - digits) : (int64_t)digits;
    return true;
}

bool dj_number_parse_id(struct dj_str words, int32_t *id)
{
    int64_t number;
    if (!dj_number_parse_int(words, &number) || number <= 0 || number > INT32_MAX) {
        return false;
    }
    *id = (int32_t)number;
    return true;
}

bool dj_number_parse_hex(struct dj_str words, int64_t *number)
{
    uint64_t digits;
    size_t prefix = words.length > 2 && memcmp(words.at, "0x", 2) == 0 ? 2 : 0;
    if (!read_digits(words.at + prefix, words.length - prefix, 16, &digits)) {
        return false;
    }
    *number = (int64_t)digits;
    return true;
}

bool dj_number_parse_decimal(struct dj_str words, int64_t unit, int64_t *number)
{
    const char *point = words.length > 0 ? memchr(words.at, '.', words.length) : NULL;
    size_t whole_length = point == NULL ? words.length : (size_t)(point - words.at);
    uint64_t whole;
    int64_t sum;
    if (!read_digits(words.at, whole_length, 10, &whole) || whole > INT64_MAX ||
        __builtin_mul_overflow((int64_t)whole, unit, &sum)) {
        return false;
    }
    for (size_t i = whole_length + 1; point != NULL && i < words.length; i++) {
        int digit = dj_number_parse_digit(words.at[i]);
        unit /= 10;
        if (digit > 9 || __builtin_add_overflow(sum, digit * unit, &sum)) {
            return false;
        }
    }
    *number = sum;
    return true;
}

/* Parses a number with an exponent. The precision of a double is sufficient, because
 * programs that write such a number have converted it from a double. */
static bool read_power(struct dj_str words, int64_t unit, int64_t *number)
{
    enum { LONGEST = 64 };
    char text[LONGEST];
    char *end;
    if (words.length >= sizeof(text) || memchr(words.at, 'x', words.length) != NULL) {
        return false;
    }
    memcpy(text, words.at, words.length);
    text[words.length] = '\0';
    double value = strtod(text, &end) * (double)unit;
    if (*end != '\0' || end == text || !(value > -9.2e18 && value < 9.2e18)) {
        return false;
    }
    *number = (int64_t)value;
    return true;
}

bool dj_number_parse_float(struct dj_str words, int64_t unit, int64_t *number)
{
    bool negative = words.length > 0 && words.at[0] == '-';
    struct dj_str digits = {words.at + (negative ? 1 : 0),
                            words.length - (negative ? 1 : 0)};
    if (words.length == 0) {
        return false;
    }
    if (!dj_number_parse_decimal(digits, unit, number)) {
        return read_power(words, unit, number);
    }
    *number = negative ? -*number : *number;
    return true;
}
