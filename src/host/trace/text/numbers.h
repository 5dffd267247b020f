/* Parses numbers and words in the text of traces. */
#ifndef DEJANK_TRACE_TEXT_NUMBERS_H
#define DEJANK_TRACE_TEXT_NUMBERS_H

#include <string.h>

#include "base/str.h"

/* Parses a whole number that fills all of `words`; "0x…" is hexadecimal. Returns false if
 * it is no number or does not fit. Then *number is unchanged. */
bool dj_number_parse_int(struct dj_str words, int64_t *number);

/* Parses the id of a thread or process, from 1. Returns false as above. */
bool dj_number_parse_id(struct dj_str words, int32_t *id);

/* Parses a hexadecimal number, with or without "0x". Returns false as above. */
bool dj_number_parse_hex(struct dj_str words, int64_t *number);

/* Parses a number with or without a fraction, and multiplies it by `unit` (at most 10⁹).
 * For example "2003.472557" times 10⁹ is exact nanoseconds. Truncates what is below a
 * whole unit. Returns false as above. */
bool dj_number_parse_decimal(struct dj_str words, int64_t unit, int64_t *number);

/* The same, also with a sign, and with the exponents of JSON: "1.6e+15". */
bool dj_number_parse_float(struct dj_str words, int64_t unit, int64_t *number);

/* Returns the value of a digit of any base up to 16; 99: not a digit. */
int dj_number_parse_digit(char c);

/* ---- small parsers that each line of text calls ---- */

/* White space of JSON. */
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

/* Sets *rest to the text after `begin`. Returns false if the line does not start with
 * `begin`. */
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

/* Returns the text between two places, without the spaces around it. */
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

/* Returns the start of the digits that end at `end`; NULL if there are none. */
static inline const char *dj_line_find_digits_before(const char *begin, const char *end)
{
    const char *at = end;
    while (at > begin && dj_gfxinfo_is_digit(at[-1])) {
        at--;
    }
    return at < end ? at : NULL;
}

#endif
