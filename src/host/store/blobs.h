/* Evidence as bytes in the store: compressed, named by its hash, there once. */
#ifndef DEJANK_STORE_BLOBS_H
#define DEJANK_STORE_BLOBS_H

#include "store/sha256.h"
#include "store/sql.h"

/* A piece ready to be put in. Zero it. */
struct dj_blob {
    char sha256[DJ_SHA256_HEX];
    const char *encoding; /* "zstd", or "raw" where that is no larger */
    const void *data;     /* in that encoding: `packed`, or the bytes as they are */
    void *packed;         /* owned */
    size_t data_size, size;
};

/* Hashes and compresses; needs no transaction. */
void dj_blob_pack(struct dj_blob *blob, const void *bytes, size_t size);
void dj_blob_finish(struct dj_blob *blob);

/* Puts it in where it is not there. */
int dj_blob_put(struct dj_history *history, const struct dj_blob *blob, int64_t *key,
                struct dj_error *err);

/* Appends the bytes as they came, and checks their hash: DJ_E_INVALID. */
int dj_blob_read(struct dj_history *history, int64_t key, struct dj_text *bytes,
                 struct dj_error *err);

#endif
