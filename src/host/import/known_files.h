/* Finds out which files a store already contains, by the checksums of their contents. */
#ifndef DEJANK_IMPORT_KNOWN_FILES_H
#define DEJANK_IMPORT_KNOWN_FILES_H

#include "store/loaded_batch.h"
#include "store/sha256.h"

struct dj_known_file {
    char sha256[DJ_SHA256_HEX_BYTES];
    char batch[DJ_STORE_ID_BYTES];
    int64_t run; /* Number of the run in the batch. */
};

/* A list of known files. Zero the struct before use. */
struct dj_known_files {
    struct dj_known_file *file;
    size_t count;
};

/* Adds the evidence of all imported runs of the store to the list. */
int dj_import_known_files_read(struct dj_known_files *known, struct dj_store *store,
                               struct dj_error *err);

void dj_import_known_files_add(struct dj_known_files *known, const char *sha256,
                               const char *batch, int64_t run);

/* Returns the file with this checksum, or NULL. */
const struct dj_known_file *dj_import_known_files_find(const struct dj_known_files *known,
                                                       const char *sha256);

void dj_import_known_files_finish(struct dj_known_files *known);

#endif
