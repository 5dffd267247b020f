/* The batches of one `dejank import`. Each file contains one run or several. All runs of
 * one package and device form a batch. */
#ifndef DEJANK_IMPORT_RUN_BATCHES_H
#define DEJANK_IMPORT_RUN_BATCHES_H

#include "import/run_file.h"
#include "store/store.h"

enum { DJ_IMPORT_BATCHES = 256 }; /* Maximum number of batches of one import. */

/* Names that the user has given, or NULL. */
struct dj_import_names {
    const char *label, *build, *commit; /* Names of the build. */
    const char *device;
    const char *name; /* Name of the batch. */
};

struct dj_import_batch {
    /* The package and the device, which together identify the batch. Owned by this
     * struct. */
    char *package, *device;
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    int64_t runs;
};

/* The batches of one import. Zero the struct and set `names` and `history`. Finish it
 * after use. */
struct dj_import_batches {
    const struct dj_import_names *names;
    struct dj_store *history; /* The open store. Owned by the caller. */
    struct dj_import_batch batch[DJ_IMPORT_BATCHES];
    size_t count;
};

/* Stores a file as the next run of its batch. Creates the batch if needed. Returns the
 * batch, or NULL with the reason in err. */
const struct dj_import_batch *dj_import_store_run(struct dj_import_batches *batches,
                                                  const struct dj_import_file *file,
                                                  struct dj_error *err);
void dj_import_batches_finish(struct dj_import_batches *batches);

#endif
