/*
 * Growable text for building output. The bytes are always NUL-terminated. A failure is
 * permanent: once an append fails, `failed` is set and all later appends do nothing. So
 * the caller checks `failed` once, at the end.
 */
#ifndef DEJANK_BASE_TEXT_H
#define DEJANK_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/count_of.h"
#include "base/str.h"

/* A text that is all zero is empty and has no maximum. */
struct dj_text {
    char *data;    /* Owned by the text, or NULL if nothing was appended yet. */
    size_t length; /* Length in bytes, without the NUL. */
    size_t capacity;
    size_t maximum; /* Largest allowed length in bytes, or 0 if there is no limit. */
    bool failed;    /* There was no memory, or the maximum was reached. */
    bool full;      /* The maximum was reached. */
};

void dj_text_finish(struct dj_text *text); /* Frees the bytes and leaves an empty text. */
/* Removes the bytes, keeps the memory and clears the failure. */
void dj_text_clear(struct dj_text *text);
void dj_text_append(struct dj_text *text, const char *bytes, size_t length);
/* Appends `length` uninitialized bytes and returns their address. The caller must write
 * them before the next append. Returns NULL if the text has failed. */
char *dj_text_reserve(struct dj_text *text, size_t length);

void dj_text_add(struct dj_text *text, const char *string);
/* Appends the number in decimal. Ignores the locale. */
void dj_text_append_int(struct dj_text *text, int64_t value);
void dj_text_format(struct dj_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Like dj_text_format() with "%*.3f", but faster. The width must be below 24. */
void dj_text_append_thousandths(struct dj_text *text, int width, double value);

/* Returns a NUL-terminated copy of the bytes, or NULL if there is no memory. The caller
 * frees the copy. */
char *dj_text_copy(const char *bytes, size_t length);

/* Returns the text as a C string, or "" if the text is empty. The string is valid until
 * the next append. */
const char *dj_text_get(const struct dj_text *text);

/* Returns a view of the text. The view is valid until the next append. */
struct dj_str dj_text_str(const struct dj_text *text);

/* Appends untrusted bytes so that they are safe on a terminal. Writes \xNN for each byte
 * of a control character other than \n and \t, of a character that changes the writing
 * direction, and of text that is not UTF-8. */
void dj_text_append_escaped(struct dj_text *text, const char *bytes, size_t length);

/* Like dj_text_append_escaped(), but for a string that must stay in one line and one
 * cell: writes \xNN also for \n and \t. */
void dj_text_append_escaped_name(struct dj_text *text, const char *name);

/* Appends `before`, the name and `after`. The name is escaped like in
 * dj_text_append_escaped_name(). Appends nothing if the name is NULL or "". */
void dj_text_append_name(struct dj_text *text, const char *before, const char *name,
                         const char *after);
/* Like dj_text_append_name(), but if the name is "", still appends `before` and
 * `after`. */
void dj_text_append_any_name(struct dj_text *text, const char *before, const char *name,
                             const char *after);

/* Appends a string with %XX for each byte that is neither a letter or a digit of ASCII
 * nor in `plain`. For parts of URLs and for file names. */
void dj_text_append_percent(struct dj_text *text, const char *string, const char *plain);

/* Returns the separator to write before element `index` of a list of `count` elements:
 * "", ", " or " or ", as in "a, b or c". */
const char *dj_text_append_separator(size_t index, size_t count);

/* Appends a UTC time, formatted by strftime(). Appends nothing if strftime() does not
 * support the year of the time. */
void dj_text_append_utc(struct dj_text *text, const char *format, int64_t unix_s);

/* Copies the text, trimmed and escaped like dj_text_append_escaped(), to a C string.
 * `capacity` is the size of `to` in bytes, at least 1. Truncates a text that does not
 * fit. */
void dj_text_copy_escaped(struct dj_str str, char *to, size_t capacity);

#endif
