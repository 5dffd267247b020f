/* Copies batches from one store to another. */
#ifndef DEJANK_STORE_UPKEEP_MERGE_H
#define DEJANK_STORE_UPKEEP_MERGE_H

#include "store/sql/statement.h"
#include "store/upkeep.h"

/* Copies batches of `from` to `into` in one transaction. `batches` are keys in `from`. If
 * `count` is 0, copies all batches. */
int dj_merge_batches(struct dj_store *into, struct dj_store *from, const int64_t *batches,
                     size_t count, struct dj_store_copy_counts *moved,
                     struct dj_error *err);

/* Prepares the schema `src` before the transaction. If both stores are SQLite files,
 * `src` is the attached file of `from`. */
int dj_merge_source_open(struct dj_store *into, const struct dj_store *from,
                         struct dj_error *err);

/* Copies the batches and everything that belongs to them to `src`, unless `src` is the
 * attached file. Must be called in the transaction. `batches` are keys in `from`. If
 * `count` is 0, copies all batches. */
int dj_merge_source_fill(struct dj_store *into, struct dj_store *from,
                         const int64_t *batches, size_t count, struct dj_error *err);

void dj_merge_source_close(struct dj_store *into);

/* Creates the table temp.moving and inserts these keys. If `count` is 0, inserts the keys
 * of all rows of `table`. */
int dj_merge_source_choose(struct dj_store *store, const char *table,
                           const int64_t *batches, size_t count, struct dj_error *err);

#endif
