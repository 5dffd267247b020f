/* A view of text: bytes that belong to someone else and that no NUL ends. */
#ifndef DEJANK_BASE_STR_H
#define DEJANK_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* All zero is an empty one. */
struct dj_str {
    const char *at;
    size_t length; /* bytes */
};

/* The text of a C string, without its NUL. */
static inline struct dj_str dj_str_of(const char *string)
{
    return (struct dj_str){string, strlen(string)};
}

/* The text from one place in memory up to another. */
static inline struct dj_str dj_str_between(const char *from, const char *to)
{
    return (struct dj_str){from, (size_t)(to - from)};
}

/* The text without its first `count` bytes, of which it has so many. */
static inline struct dj_str dj_str_from(struct dj_str str, size_t count)
{
    return (struct dj_str){str.at + count, str.length - count};
}

/* Whether the text is exactly `word`. */
static inline bool dj_str_is(struct dj_str str, const char *word)
{
    size_t length = strlen(word);
    return length == str.length && (length == 0 || memcmp(str.at, word, length) == 0);
}

static inline bool dj_str_begins(struct dj_str str, const char *word)
{
    size_t length = strlen(word);
    return str.length >= length && (length == 0 || memcmp(str.at, word, length) == 0);
}

static inline bool dj_str_ends(struct dj_str str, const char *word)
{
    size_t length = strlen(word);
    return str.length >= length &&
           (length == 0 || memcmp(str.at + str.length - length, word, length) == 0);
}

/* The same bytes, or the same letters of ASCII whatever their case. */
bool dj_str_equal(struct dj_str one, struct dj_str other);
bool dj_str_is_caseless(struct dj_str str, const char *word);

/* The text without blanks, tabs and carriage returns around it. */
struct dj_str dj_str_trim(struct dj_str str);

/* Splits the next line, trimmed and without its line feed, off *rest. False at the end,
 * and *line is as it was. */
bool dj_str_next_line(struct dj_str *rest, struct dj_str *line);

/* Sets *rest to the text after the first `word`. False: `word` does not occur. */
bool dj_str_after(struct dj_str str, const char *word, struct dj_str *rest);

/* The text before the first of the bytes in `stops`, or all of it, trimmed. */
struct dj_str dj_str_until(struct dj_str str, const char *stops);

/* The decimal number that the text begins with, after blanks. False: there is none, or it
 * has more than 18 digits. */
bool dj_str_int(struct dj_str str, int64_t *value);

/* The same with a fraction, of at most 40 characters. The decimal point is '.' in every
 * locale. False: there is no digit. */
bool dj_str_double(struct dj_str str, double *value);

#endif
