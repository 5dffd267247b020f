/* Reads zip archives from front to back, so that they may be pipes. Supports zip64,
 * entries of unknown length (with a data descriptor), and entries that are stored or
 * compressed with deflate, zstd or xz. Does not use the directory at the end of the
 * archive. */
#ifndef DEJANK_INPUT_ZIP_H
#define DEJANK_INPUT_ZIP_H

#include "input/stream.h"

struct dj_zip;

/* Creates a reader of the archive in `below`. */
struct dj_zip *dj_zip_create(struct dj_stream *below);
void dj_zip_destroy(struct dj_zip *zip); /* Frees the reader. NULL is allowed. */

/* Opens the next entry and skips the rest of the previous one. *entry is a stream of the
 * unpacked bytes, which the caller destroys before the next call, or NULL at the end of
 * the archive. *name is valid until the next call and has at most 1023 bytes. After an
 * error, the next call continues with the next entry if the end of the damaged one is
 * known. Otherwise the archive has ended. */
int dj_zip_next(struct dj_zip *zip, struct dj_stream **entry, const char **name,
                struct dj_error *err);

#endif
