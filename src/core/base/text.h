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
    bool failed;    /* out of memory, or the maximum was reached */
    bool full;      /* the maximum was reached */
};

void dj_text_finish(struct dj_text *text); /* frees; leaves an empty text */
void dj_text_clear(struct dj_text *text);  /* keeps the memory, clears the failure */
void dj_text_append(struct dj_text *text, const char *bytes, size_t length);
/* Appends `length` uninitialized bytes, which the caller writes at once. Returns NULL
 * if there is no space. */
char *dj_text_reserve(struct dj_text *text, size_t length);

void dj_text_add(struct dj_text *text, const char *string);
void dj_text_append_int(struct dj_text *text,
                        int64_t value); /* decimal, without locale */
void dj_text_format(struct dj_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Like "%*.3f" with fewer than 24 columns, but faster: for tables with thousands of
 * rows. */
void dj_text_append_thousandths(struct dj_text *text, int width, double value);

/* Returns these bytes as a C string, which the caller frees, or NULL without memory. */
char *dj_text_copy(const char *bytes, size_t length);

/* Returns the text as a C string, "" if empty; valid until the next append. */
const char *dj_text_get(const struct dj_text *text);

/* Returns its bytes; valid until the next append. */
struct dj_str dj_text_str(const struct dj_text *text);

/* Appends bytes from outside in a form that is safe on a terminal: control characters
 * (except \n and \t), characters that change the writing direction, and bytes that are
 * not UTF-8 become \xNN, byte by byte. */
void dj_text_append_escaped(struct dj_text *text, const char *bytes, size_t length);

/* The same for a string that must stay in one line and cell: escapes \n and \t, too. */
void dj_text_append_escaped_name(struct dj_text *text, const char *name);

/* The same between two other strings; appends nothing if the name is NULL or "". */
void dj_text_append_name(struct dj_text *text, const char *before, const char *name,
                         const char *after);
/* Like dj_text_append_name(), but "" is a name. */
void dj_text_append_any_name(struct dj_text *text, const char *before, const char *name,
                             const char *after);

/* Returns the text before element `index` of an enumeration of `count`: "a, b or c". */
const char *dj_text_append_separator(size_t index, size_t count);

/* Appends a UTC time in strftime() format; nothing for a year out of range. */
void dj_text_append_utc(struct dj_text *text, const char *format, int64_t unix_s);

/* Copies the trimmed text, escaped like dj_text_append_escaped(), to a C string of at
 * most `capacity` bytes (> 0), and truncates it if it is longer. */
void dj_text_copy_escaped(struct dj_str str, char *to, size_t capacity);

#endif
