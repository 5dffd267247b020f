/* Makes a batch in a store, for the tests of what `dejank show` prints. */
#ifndef DEJANK_TESTS_REPORT_MADE_BATCH_H
#define DEJANK_TESTS_REPORT_MADE_BATCH_H

#include "report/stored_batch.h"

/* A store without a name and its only batch, loaded. */
struct made_batch {
    struct dj_store *store;
    struct dj_loaded_batch loaded;
};

/* Stores a batch and its runs, and loads it. Then replaces what varies: the id is
 * "abcd1234abcd1234", the batch began at 60000 ms, by dejank 9.9. Missing texts that a
 * store needs become "com.x", "scroll", "run", "s1" and "adb". Tests may change the
 * loaded batch: without evidence, the store knows no figures. */
void make_batch(struct made_batch *made, const struct dj_store_batch *batch,
                const struct dj_store_run *runs, size_t run_count);
void finish_batch(struct made_batch *made);

#endif
