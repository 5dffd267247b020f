/* Evidence as bytes in the store: compressed, named by its hash, stored once. */
#ifndef DEJANK_STORE_BLOB_H
#define DEJANK_STORE_BLOB_H

#include "store/sha256.h"
#include "store/sql/statement.h"

/* A piece of evidence, ready to be inserted. Initialise it with zeros. */
struct dj_blob {
    char sha256[DJ_SHA256_HEX_BYTES];
    const char *encoding; /* "zstd", or "raw" if compression does not make it smaller */
    const void *data;     /* encoded: `packed`, or the original bytes */
    void *packed;         /* owned */
    size_t data_size, size;
};

/* Hashes and compresses `bytes`. Needs no transaction. The caller calls dj_blob_finish(),
 * and keeps `bytes` alive until then. */
void dj_blob_pack(struct dj_blob *blob, const void *bytes, size_t size);
void dj_blob_finish(struct dj_blob *blob);

/* Inserts the blob unless the store has it already. Stores its key in *key. */
int dj_blob_insert(struct dj_store *store, const struct dj_blob *blob, int64_t *key,
                   struct dj_error *err);

/* Appends the original bytes. Returns DJ_E_INVALID if their hash is wrong. */
int dj_blob_read(struct dj_store *store, int64_t key, struct dj_text *bytes,
                 struct dj_error *err);

#endif
