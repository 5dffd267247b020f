/* Numbers and words in the text of traces. Of this room only. */
#ifndef DEJANK_TRACE_NUMBERS_H
#define DEJANK_TRACE_NUMBERS_H

#include "trace/event.h"

/* A whole number, of all the words; "0x…" is hexadecimal. False: it is none, or does not
 * fit, and *number is as it was. */
bool dj_number_int(struct dj_str words, int64_t *number);

/* The id of a thread or process, from 1 on. False as above. */
bool dj_number_id(struct dj_str words, int32_t *id);

/* A hexadecimal number, with or without "0x". False as above. */
bool dj_number_hex(struct dj_str words, int64_t *number);

/* A number with or without a fraction, times `unit` (at most 10⁹): "2003.472557" times
 * 10⁹ is nanoseconds, exactly. What lies below a whole unit is cut. False as above. */
bool dj_number_decimal(struct dj_str words, int64_t unit, int64_t *number);

/* The same, also with a sign, and as JSON has large ones: "1.6e+15". */
bool dj_number_float(struct dj_str words, int64_t unit, int64_t *number);

/* What a digit of any base up to 16 stands for; 99: it is none. */
int dj_digit_of(char c);

/* ---- what each line of text asks for some times ---- */

/* Of JSON. */
static inline bool dj_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline bool dj_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline struct dj_str dj_line_slice(const char *from, const char *to)
{
    return (struct dj_str){from, (size_t)(to - from)};
}

/* Sets *rest to what follows `begin`. False: the line begins otherwise. */
static inline bool dj_line_after(struct dj_str line, const char *begin,
                                 struct dj_str *rest)
{
    if (!dj_str_begins(line, begin)) {
        return false;
    }
    size_t length = strlen(begin);
    *rest = (struct dj_str){line.at + length, line.length - length};
    return true;
}

/* What stands there, without the spaces around it. */
static inline struct dj_str dj_line_between(const char *from, const char *to)
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
    return dj_line_between(words.at, words.at + words.length);
}

static inline const char *dj_digits_end(const char *at, const char *end)
{
    while (at < end && dj_is_digit(*at)) {
        at++;
    }
    return at;
}

/* Where the digits begin that end at `end`; NULL where there are none. */
static inline const char *dj_digits_before(const char *begin, const char *end)
{
    const char *at = end;
    while (at > begin && dj_is_digit(at[-1])) {
        at--;
    }
    return at < end ? at : NULL;
}

#endif
