/* Which files a store has already, by what is in them. */
#ifndef DEJANK_IMPORT_KNOWN_FILES_H
#define DEJANK_IMPORT_KNOWN_FILES_H

#include "store/loaded_batch.h"
#include "store/sha256.h"

struct dj_known_file {
    char sha256[DJ_SHA256_HEX_BYTES];
    char batch[DJ_STORE_ID_BYTES];
    int64_t run; /* its number */
};

/* Zero it. */
struct dj_known_files {
    struct dj_known_file *file;
    size_t count;
};

/* The evidence of all imported runs. */
int dj_import_known_files_read(struct dj_known_files *known, struct dj_store *store,
                               struct dj_error *err);

void dj_import_known_files_add(struct dj_known_files *known, const char *sha256,
                               const char *batch, int64_t run);

/* NULL: none has these bytes. */
const struct dj_known_file *dj_import_known_files_find(const struct dj_known_files *known,
                                                       const char *sha256);

void dj_import_known_files_finish(struct dj_known_files *known);

#endif
