/* What the tests of intake share: inputs made here, and everything an intake gives of one
 * as a text that can be compared. */
#ifndef DEJANK_TESTS_INTAKE_SUPPORT_H
#define DEJANK_TESTS_INTAKE_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/*
 * What an intake gives, of bytes that arrive `piece` at a time (0: at once):
 *
 *   <NAME>bytes<NAME>bytes…      for each part; the file itself is called "-",
 *   <KIND:NAME>bytes             for one that is no text
 *   {MESSAGE}                    where an error comes
 *   +N                           at the end, where N entries were passed over
 */
char *taken_from(const char *bytes, size_t length, size_t piece);

/* Fails the test unless that is `expected`, at once and in small pieces. */
void expect_taken(const struct dj_text *input, const char *expected);

/*
 * Fails the test unless of every shorter input a beginning of the bytes comes, and then
 * one error that names a byte; `least` bytes of input are needed to tell what it is. The
 * whole is "<->" and the plain text.
 */
void expect_every_cut(const struct dj_text *input, const char *plain, size_t least);

/* Lines of numbers, some of them often: not random, and no one byte. */
void put_lines(struct dj_text *text, size_t count);

/* ---- archives ---- */

enum archive {
    DEFLATED = 1 << 0,  /* else stored */
    DESCRIBED = 1 << 1, /* lengths behind the data */
    ZIP64 = 1 << 2,     /* of 8 bytes */
    UNMARKED = 1 << 3,  /* descriptors without their mark */
    ENCRYPTED = 1 << 4, /* says its header */
    WRONG_CRC = 1 << 5,
    BROKEN = 1 << 6, /* a byte in the middle of the deflated data */
};

/* Appends an entry, and the directory that ends an archive (of no use to a reader from
 * front to back, so without its entries). */
void zip_entry(struct dj_text *zip, const char *name, const char *bytes, size_t length,
               unsigned how);
void zip_end(struct dj_text *zip);

void gzip_member(struct dj_text *text, const char *bytes, size_t length);
void zstd_frame(struct dj_text *text, const char *bytes, size_t length);
void xz_stream(struct dj_text *text, const char *bytes, size_t length);

#endif
