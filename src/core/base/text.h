/*
 * Growable text: bytes that are always NUL-terminated, for building output.
 * Failure is sticky: after one failed growth every append is a no-op and `failed` stays
 * set, so a writer checks once, at the end.
 */
#ifndef DEJANK_BASE_TEXT_H
#define DEJANK_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/count_of.h"
#include "base/str.h"

/* All zero is a valid empty text without a maximum. */
struct dj_text {
    char *data;    /* NULL while nothing was appended; owned */
    size_t length; /* bytes, without the NUL */
    size_t capacity;
    size_t maximum; /* largest length allowed; 0: none */
    bool failed;    /* memory or the maximum ran out */
    bool full;      /* it was the maximum */
};

void dj_text_finish(struct dj_text *text); /* frees; leaves an empty text */
void dj_text_clear(struct dj_text *text);  /* keeps the memory, clears the failure */
void dj_text_append(struct dj_text *text, const char *bytes, size_t length);
/* Appends `length` bytes, not yet written: the caller does that at once. NULL: no room.
 */
char *dj_text_room(struct dj_text *text, size_t length);

void dj_text_string(struct dj_text *text, const char *string);
void dj_text_int(struct dj_text *text, int64_t value); /* decimal, without locale */
void dj_text_format(struct dj_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* As "%*.3f" does, of less than 24 columns; faster, for tables with thousands of rows. */
void dj_text_thousandths(struct dj_text *text, int width, double value);

/* Those bytes as a C string; the caller frees it. NULL: out of memory. */
char *dj_text_copy(const char *bytes, size_t length);

/* The text as a C string, "" when empty; valid until the next append. */
const char *dj_text_get(const struct dj_text *text);

/* Its bytes; valid until the next append. */
struct dj_str dj_text_str(const struct dj_text *text);

/* Appends bytes from outside so that a terminal is safe: control characters (but not \n
 * and \t), marks that turn the direction of writing, and bytes that are not UTF-8 become
 * \xNN, byte by byte. */
void dj_text_escaped(struct dj_text *text, const char *bytes, size_t length);

/* The same of a string that must stay in one line and cell: \n and \t, too. */
void dj_text_escaped_name(struct dj_text *text, const char *name);

/* The same between two other strings; nothing at all if the name is NULL or "". */
void dj_text_put_name(struct dj_text *text, const char *before, const char *name,
                      const char *after);
/* As dj_text_put_name(), but "" is a name. */
void dj_text_put_any_name(struct dj_text *text, const char *before, const char *name,
                          const char *after);

/* What goes before element `index` of an enumeration of `count`: "a, b or c". */
const char *dj_text_separator(size_t index, size_t count);

/* Appends what strftime() writes of a time in UTC; nothing for a year out of range. */
void dj_text_utc(struct dj_text *text, const char *format, int64_t unix_s);

/* Copies the trimmed text, escaped as dj_text_escaped() does, to a C string of at most
 * `capacity` bytes (> 0), and truncates it where it is longer. */
void dj_str_copy(struct dj_str str, char *to, size_t capacity);

#endif
