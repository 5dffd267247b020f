/* Creates inputs for the tests, and converts everything that is read from an input to a
 * text that can be compared. */
#ifndef DEJANK_TESTS_INPUT_SUPPORT_H
#define DEJANK_TESTS_INPUT_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/*
 * Reads an input. Its bytes arrive `piece` at a time, or all at once if `piece` is 0. The
 * result contains:
 *
 *     <NAME>bytes<NAME>bytes…      for each part, where "-" is the name of the file
 * itself <KIND:NAME>bytes             for each part that is no text {MESSAGE} for an
 * error +N                           at the end, if N entries were skipped
 */
char *taken_from(const char *bytes, size_t length, size_t piece);

/* Fails the test unless the result is `expected`, both if the bytes arrive at once and if
 * they arrive in small pieces. */
void expect_taken(const struct dj_text *input, const char *expected);

/* Truncates the input at each byte after the first `least` bytes, which show its format.
 * Fails the test unless each truncated input gives the beginning of `plain`, and then one
 * error with a byte offset. The whole input must give "<->" and `plain`. */
void expect_every_cut(const struct dj_text *input, const char *plain, size_t least);

/* Appends lines of numbers that can be compressed, but not to almost nothing. */
void put_lines(struct dj_text *text, size_t count);

enum archive {
    DEFLATED = 1 << 0,  /* Otherwise the entry is stored. */
    DESCRIBED = 1 << 1, /* The lengths are after the data. */
    ZIP64 = 1 << 2,     /* The lengths have 8 bytes. */
    UNMARKED = 1 << 3,  /* Data descriptors have no mark. */
    ENCRYPTED = 1 << 4, /* Only the header says that the entry is encrypted. */
    WRONG_CRC = 1 << 5,
    BROKEN = 1 << 6, /* A byte in the middle of the deflated data is wrong. */
};

/* Append an entry, and the directory that ends an archive. The directory has no entries,
 * because a reader from front to back does not use them. */
void zip_entry(struct dj_text *zip, const char *name, const char *bytes, size_t length,
               unsigned how);
void zip_end(struct dj_text *zip);

void gzip_member(struct dj_text *text, const char *bytes, size_t length);
void zstd_frame(struct dj_text *text, const char *bytes, size_t length);
void xz_stream(struct dj_text *text, const char *bytes, size_t length);

#endif
