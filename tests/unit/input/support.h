/* Makes inputs for the tests, and writes everything that is read from one as a text that
 * can be compared. */
#ifndef DEJANK_TESTS_INTAKE_SUPPORT_H
#define DEJANK_TESTS_INTAKE_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Reads an input whose bytes arrive `piece` at a time (0: at once):
 *
 *   <NAME>bytes<NAME>bytes…      for each part; the file itself is called "-",
 *   <KIND:NAME>bytes             for one that is no text
 *   {MESSAGE}                    for an error
 *   +N                           at the end, if N entries were skipped */
char *taken_from(const char *bytes, size_t length, size_t piece);

/* Fails the test unless the result is `expected`, at once and in small pieces. */
void expect_taken(const struct dj_text *input, const char *expected);

/* Fails the test unless each shorter input gives a beginning of the bytes, and then one
 * error with a byte offset. `least` bytes of input show its kind. The whole is "<->" and
 * the plain text. */
void expect_every_cut(const struct dj_text *input, const char *plain, size_t least);

/* Lines of numbers with repetitions: neither random nor one byte. */
void put_lines(struct dj_text *text, size_t count);

enum archive {
    DEFLATED = 1 << 0,  /* otherwise stored */
    DESCRIBED = 1 << 1, /* lengths after the data */
    ZIP64 = 1 << 2,     /* of 8 bytes */
    UNMARKED = 1 << 3,  /* descriptors without their mark */
    ENCRYPTED = 1 << 4, /* as its header says */
    WRONG_CRC = 1 << 5,
    BROKEN = 1 << 6, /* a byte in the middle of the deflated data */
};

/* Appends an entry, and the directory that ends an archive (without its entries, because
 * a reader from front to back does not use it). */
void zip_entry(struct dj_text *zip, const char *name, const char *bytes, size_t length,
               unsigned how);
void zip_end(struct dj_text *zip);

void gzip_member(struct dj_text *text, const char *bytes, size_t length);
void zstd_frame(struct dj_text *text, const char *bytes, size_t length);
void xz_stream(struct dj_text *text, const char *bytes, size_t length);

#endif
