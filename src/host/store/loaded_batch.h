/* Loads a batch with all its runs into memory, for lists, reports and comparisons. */
#ifndef DEJANK_STORE_LOADED_BATCH_H
#define DEJANK_STORE_LOADED_BATCH_H

#include "memory/strings.h"
#include "stats/center.h"
#include "store/browse.h"

/* Copies a row. `strings` owns the texts of the copy. */
struct dj_batch_row dj_store_copy_batch_row(struct dj_strings *strings,
                                            const struct dj_batch_row *row);

/* A batch in memory. Zero the struct before use. */
struct dj_loaded_batch {
    struct dj_batch_row batch;
    struct dj_fact *facts; /* Facts about the device. */
    size_t fact_count;
    struct dj_run_row *runs; /* Runs, in the order of measurement. */
    size_t run_count;
    struct dj_strings strings; /* Owns all texts of this struct. */
};

/* Loads the batch with this key. Returns DJ_E_NO_DATA if there is no such batch. Call
 * dj_store_loaded_batch_finish() in every case. */
int dj_store_load_batch(struct dj_store *store, int64_t batch,
                        struct dj_loaded_batch *loaded, struct dj_error *err);
void dj_store_loaded_batch_finish(struct dj_loaded_batch *loaded);

/* Computes the centre of a metric over the valid runs. */
void dj_store_compute_center(const struct dj_run_row *runs, size_t count,
                             enum dj_metric metric, struct dj_center *center);

/* Returns the name of the batch's build for people: its label, else its version, else its
 * commit, else NULL. */
const char *dj_store_build_name(const struct dj_batch_row *batch);

#endif
