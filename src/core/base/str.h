/* A view of text. Another object owns the bytes, and there is no final NUL. */
#ifndef DEJANK_BASE_STR_H
#define DEJANK_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A view that is all zero is empty. */
struct dj_str {
    const char *at;
    size_t length; /* Length in bytes. */
};

/* Returns the text of a C string, without its NUL. */
static inline struct dj_str dj_str_of(const char *string)
{
    return (struct dj_str){string, strlen(string)};
}

/* Returns the text between two positions in memory. */
static inline struct dj_str dj_str_between(const char *from, const char *to)
{
    return (struct dj_str){from, (size_t)(to - from)};
}

/* Returns the text without its first `count` bytes (at most its length). */
static inline struct dj_str dj_str_from(struct dj_str str, size_t count)
{
    return count == 0 ? str : (struct dj_str){str.at + count, str.length - count};
}

/* Returns whether the text is exactly `word`. */
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

/* dj_str_equal() compares byte by byte. dj_str_is_caseless() ignores the case of ASCII
 * letters. */
bool dj_str_equal(struct dj_str one, struct dj_str other);
bool dj_str_is_caseless(struct dj_str str, const char *word);

/* Returns whether a byte continues a character of UTF-8. */
static inline bool dj_str_continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Returns the number of characters (code points) of UTF-8. A terminal shows most of them
 * in one column. */
size_t dj_str_count_characters(struct dj_str str);

/* Returns the text without spaces, tabs and carriage returns at its start and end. */
struct dj_str dj_str_trim(struct dj_str str);

/* Removes the first line from *rest, and sets *line to the line, trimmed and without its
 * line feed. Returns false if *rest is empty, and leaves *line unchanged. */
bool dj_str_next_line(struct dj_str *rest, struct dj_str *line);

/* Sets *rest to the text after the first `word`. Returns false if `word` does not
 * occur. */
bool dj_str_after(struct dj_str str, const char *word, struct dj_str *rest);

/* Returns the text before the first byte that is in `stops`, or the whole text if there
 * is none. The result is trimmed. */
struct dj_str dj_str_until(struct dj_str str, const char *stops);

/* Parses the decimal number at the beginning of the text. Ignores leading spaces, tabs
 * and carriage returns, and any text after the number. Returns false if there is no
 * number or if it has more than 18 digits. */
bool dj_str_int(struct dj_str str, int64_t *value);

/* Like dj_str_int(), but for a number with an optional fraction. Reads at most 40
 * characters. The decimal point is '.' in every locale. Returns false if there is no
 * digit. */
bool dj_str_double(struct dj_str str, double *value);

#endif
