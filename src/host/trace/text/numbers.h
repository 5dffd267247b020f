/* Parses numbers and words of traces in text formats. */
#ifndef DEJANK_TRACE_TEXT_NUMBERS_H
#define DEJANK_TRACE_TEXT_NUMBERS_H

#include <string.h>

#include "base/str.h"

/* Parses an integer. A number that starts with "0x" is hexadecimal. If `words` contains
 * anything else, or if the number does not fit, returns false and does not change
 * *number. */
bool dj_number_parse_int(struct dj_str words, int64_t *number);

/* Parses the id of a thread or process. An id is at least 1. After an error, returns
 * false and does not change *id. */
bool dj_number_parse_id(struct dj_str words, int32_t *id);

/* Parses a hexadecimal number, with or without "0x". After an error, returns false and
 * does not change *number. */
bool dj_number_parse_hex(struct dj_str words, int64_t *number);

/* Parses a number with or without decimals, multiplies it by `unit` (at most 10⁹) and
 * truncates the product. For example, "2003.472557" with the unit 10⁹ gives the exact
 * number of nanoseconds. After an error, returns false and does not change *number. */
bool dj_number_parse_decimal(struct dj_str words, int64_t unit, int64_t *number);

/* Parses a number as dj_number_parse_decimal() does, but also accepts a sign and an
 * exponent, for example "1.6e+15". JSON contains such numbers. */
bool dj_number_parse_float(struct dj_str words, int64_t unit, int64_t *number);

/* Returns the value of a hexadecimal digit, or 99 if the character is no such digit. */
int dj_number_parse_digit(char c);

/* Returns true for white space as JSON defines it. */
static inline bool dj_number_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline bool dj_gfxinfo_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline struct dj_str dj_line_slice(const char *from, const char *to)
{
    return (struct dj_str){from, (size_t)(to - from)};
}

/* Sets *rest to the text after the prefix `begin`. Returns false if the line does not
 * start with `begin`. */
static inline bool dj_line_skip_prefix(struct dj_str line, const char *begin,
                                       struct dj_str *rest)
{
    if (!dj_str_begins(line, begin)) {
        return false;
    }
    size_t length = strlen(begin);
    *rest = (struct dj_str){line.at + length, line.length - length};
    return true;
}

/* Returns the text between two pointers without leading and trailing spaces. */
static inline struct dj_str dj_line_trim_between(const char *from, const char *to)
{
    while (from < to && *from == ' ') {
        from++;
    }
    while (to > from && to[-1] == ' ') {
        to--;
    }
    return dj_line_slice(from, to);
}

static inline struct dj_str dj_line_trim(struct dj_str words)
{
    return dj_line_trim_between(words.at, words.at + words.length);
}

static inline const char *dj_line_find_digits_end(const char *at, const char *end)
{
    while (at < end && dj_gfxinfo_is_digit(*at)) {
        at++;
    }
    return at;
}

/* Returns the start of the digits that end at `end`, or NULL if there are none. */
static inline const char *dj_line_find_digits_before(const char *begin, const char *end)
{
    const char *at = end;
    while (at > begin && dj_gfxinfo_is_digit(at[-1])) {
        at--;
    }
    return at < end ? at : NULL;
}

#endif
