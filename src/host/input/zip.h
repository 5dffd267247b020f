/*
 * Zip archives from front to back, also from a pipe: stored and deflated entries, of
 * known or unknown length (with a data descriptor behind), zip64; zstd and xz inside.
 * The directory at the end is not needed.
 */
#ifndef DEJANK_INPUT_ZIP_H
#define DEJANK_INPUT_ZIP_H

#include "input/stream.h"

struct dj_zip;

/* Reads an archive from `below`. */
struct dj_zip *dj_zip_create(struct dj_stream *below);
void dj_zip_destroy(struct dj_zip *zip); /* NULL is fine */

/*
 * Goes on to the next entry, over what is left of the one before. *entry gives its bytes
 * and belongs to the caller, who destroys it before the next call; NULL at the end. *name
 * is valid until the next call, cut after 1023 bytes. After an error the next call goes
 * on behind the entry where its end is known, else it says that this is the end.
 */
int dj_zip_next(struct dj_zip *zip, struct dj_stream **entry, const char **name,
                struct dj_error *err);

#endif
