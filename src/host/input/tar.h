/*
 * Reads tar archives from front to back, also from a pipe: ustar, the older form, and the
 * long names of GNU and pax. Links, folders and devices are skipped. Only the stored
 * bytes of a sparse file are read.
 */
#ifndef DEJANK_INPUT_TAR_H
#define DEJANK_INPUT_TAR_H

#include "input/stream.h"

enum { DJ_TAR_BLOCK = 512 };

struct dj_tar;

/* Whether these bytes are the header of an entry. It needs DJ_TAR_BLOCK bytes. */
bool dj_tar_is_header(const char *bytes, size_t length);

/* Reads an archive from `below`. */
struct dj_tar *dj_tar_create(struct dj_stream *below);
void dj_tar_destroy(struct dj_tar *tar); /* NULL is allowed */

/* Opens the next file and skips the rest of the previous one. Results and errors are
 * those of dj_zip_next(). An error ends the archive. */
int dj_tar_next(struct dj_tar *tar, struct dj_stream **entry, const char **name,
                struct dj_error *err);

#endif
