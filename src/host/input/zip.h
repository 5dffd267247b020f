/* Reads zip archives from front to back, also from a pipe: stored and deflated entries,
 * of known or unknown length (with a data descriptor), zip64; zstd and xz inside. The
 * directory at the end is not needed. */
#ifndef DEJANK_INPUT_ZIP_H
#define DEJANK_INPUT_ZIP_H

#include "input/stream.h"

struct dj_zip;

/* Reads an archive from `below`. */
struct dj_zip *dj_zip_create(struct dj_stream *below);
void dj_zip_destroy(struct dj_zip *zip); /* NULL is allowed */

/* Opens the next entry and skips the rest of the previous one. *entry reads its bytes;
 * the caller destroys it before the next call; NULL at the end. *name is valid until the
 * next call and truncated after 1023 bytes. After an error the next call continues after
 * the entry if its end is known, otherwise the archive has ended. */
int dj_zip_next(struct dj_zip *zip, struct dj_stream **entry, const char **name,
                struct dj_error *err);

#endif
