/* The row of a batch, for those that write it together with other rows. Private to
 * history. */
#ifndef DEJANK_STORE_BATCH_H
#define DEJANK_STORE_BATCH_H

#include "store/sql.h"

/* The key of the project of that name, which is put in. Within the caller's transaction.
 */
int dj_describe_project(struct dj_history *history, const char *name, int64_t *key,
                        struct dj_error *err);

/* DJ_E_USAGE if the batch lacks what every batch has. Before the transaction. */
int dj_batch_check(const struct dj_history_batch *batch, struct dj_error *err);

/* Inserts the batch with this id. Its key goes into *key. Within the caller's
 * transaction. */
int dj_batch_insert(struct dj_history *history, const struct dj_history_batch *batch,
                    const char *id, int64_t *key, struct dj_error *err);

#endif
