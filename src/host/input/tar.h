/*
 * Reads tar archives from front to back, so that they may be pipes. Supports ustar, the
 * older form of tar, and the long names of GNU tar and pax. Skips links, folders and
 * devices. Of a sparse file, only the stored bytes are read.
 */
#ifndef DEJANK_INPUT_TAR_H
#define DEJANK_INPUT_TAR_H

#include "input/stream.h"

enum { DJ_TAR_BLOCK = 512 };

struct dj_tar;

/* Returns whether the bytes are the header of an entry. Returns false if `length` is less
 * than DJ_TAR_BLOCK. */
bool dj_tar_is_header(const char *bytes, size_t length);

/* Creates a reader of the archive in `below`. */
struct dj_tar *dj_tar_create(struct dj_stream *below);
void dj_tar_destroy(struct dj_tar *tar); /* Frees the reader. NULL is allowed. */

/* Opens the next file and skips the rest of the previous one. The parameters and the
 * result are those of dj_zip_next(). After an error, the archive has ended. */
int dj_tar_next(struct dj_tar *tar, struct dj_stream **entry, const char **name,
                struct dj_error *err);

#endif
