/* Writes the row of a batch, also together with other rows in one transaction. */
#ifndef DEJANK_STORE_BATCH_H
#define DEJANK_STORE_BATCH_H

#include "store/sql/statement.h"

/* Returns the key of the project with this name in *key. Inserts the project if it is
 * missing. Call it in a transaction. */
int dj_batch_find_or_insert_project(struct dj_store *store, const char *name,
                                    int64_t *key, struct dj_error *err);

/* Returns DJ_E_USAGE if the batch lacks a field that every batch needs. Call it before
 * the transaction. */
int dj_batch_check(const struct dj_store_batch *batch, struct dj_error *err);

/* Inserts the batch with this id and stores its key in *key. Call it in a transaction. */
int dj_batch_insert(struct dj_store *store, const struct dj_store_batch *batch,
                    const char *id, int64_t *key, struct dj_error *err);

#endif
