/* The batches of one `dejank import`: each file is a run, all of one package and device
 * are a batch. */
#ifndef DEJANK_IMPORT_RUN_BATCHES_H
#define DEJANK_IMPORT_RUN_BATCHES_H

#include "import/run_file.h"
#include "store/store.h"

enum { DJ_IMPORT_BATCHES = 256 };

/* Names of the batches; NULL: not given. */
struct dj_import_names {
    const char *label, *build, *commit; /* of the build */
    const char *device;
    const char *name; /* of the batch */
};

struct dj_import_batch {
    char *package, *device; /* what distinguishes it from the others; owned */
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    int64_t runs;
};

/* Zero it, and fill the first two; finish it. */
struct dj_import_batches {
    const struct dj_import_names *names;
    struct dj_store *history; /* open; the caller's */
    struct dj_import_batch batch[DJ_IMPORT_BATCHES];
    size_t count;
};

/* Stores a file as the next run of its batch, and creates the batch if needed. Returns
 * the batch, or NULL with the reason in err. */
const struct dj_import_batch *dj_import_store_run(struct dj_import_batches *batches,
                                                  const struct dj_import_file *file,
                                                  struct dj_error *err);
void dj_import_batches_finish(struct dj_import_batches *batches);

#endif
