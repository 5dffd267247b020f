/* Stores evidence: compressed bytes with their hash. Equal bytes are stored once. */
#ifndef DEJANK_STORE_BLOB_H
#define DEJANK_STORE_BLOB_H

#include "store/sha256.h"
#include "store/sql/statement.h"

/* Evidence that is ready to be inserted. Zero the struct before use. */
struct dj_blob {
    char sha256[DJ_SHA256_HEX_BYTES];
    /* "zstd", or "raw" if compression does not reduce the size. */
    const char *encoding;
    const void *data; /* The encoded bytes: `packed`, or the original bytes. */
    void *packed;     /* The compressed bytes. The struct owns them. */
    size_t data_size, size;
};

/* Hashes and compresses `bytes`, outside of a transaction. `bytes` must stay valid until
 * the caller calls dj_blob_finish(). */
void dj_blob_pack(struct dj_blob *blob, const void *bytes, size_t size);
void dj_blob_finish(struct dj_blob *blob);

/* Inserts the blob unless the store already has one with the same hash. Stores the key in
 * *key. */
int dj_blob_insert(struct dj_store *store, const struct dj_blob *blob, int64_t *key,
                   struct dj_error *err);

/* Appends the original bytes. Returns DJ_E_INVALID if the bytes do not match their
 * hash. */
int dj_blob_read(struct dj_store *store, int64_t key, struct dj_text *bytes,
                 struct dj_error *err);

#endif
