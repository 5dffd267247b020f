/* Inserts batches. Used by code that inserts a batch together with other rows in one
 * transaction. */
#ifndef DEJANK_STORE_BATCH_H
#define DEJANK_STORE_BATCH_H

#include "store/sql/statement.h"

/* Stores the key of the project with this name in *key. Inserts the project if it does
 * not exist. Must be called in a transaction. */
int dj_batch_find_or_insert_project(struct dj_store *store, const char *name,
                                    int64_t *key, struct dj_error *err);

/* Returns DJ_E_USAGE if a required member of the batch is missing or invalid. Must be
 * called before the transaction begins. */
int dj_batch_check(const struct dj_store_batch *batch, struct dj_error *err);

/* Inserts a batch with this id and stores its key in *key. Must be called in a
 * transaction. */
int dj_batch_insert(struct dj_store *store, const struct dj_store_batch *batch,
                    const char *id, int64_t *key, struct dj_error *err);

#endif
