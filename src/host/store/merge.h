/* Copies batches from one store into another. */
#ifndef DEJANK_STORE_MERGE_H
#define DEJANK_STORE_MERGE_H

#include "store/sql.h"
#include "store/upkeep.h"

/* Copies batches of `from` into `into` in one transaction. `batches` are keys in `from`.
 * A count of 0 copies all. */
int dj_merge(struct dj_history *into, struct dj_history *from, const int64_t *batches,
             size_t count, struct dj_history_moved *moved, struct dj_error *err);

/* ---- the other store as `src` of this one ---- */

/* Prepares the schema `src`, before the transaction. SQLite attaches the file
 * directly. */
int dj_source_open(struct dj_history *into, const struct dj_history *from,
                   struct dj_error *err);

/* Call it in the transaction. Fills `src`, where it is a copy, with the batches and
 * everything that belongs to them. `batches` are keys in `from`. A count of 0 selects
 * all. */
int dj_source_fill(struct dj_history *into, struct dj_history *from,
                   const int64_t *batches, size_t count, struct dj_error *err);

void dj_source_close(struct dj_history *into);

/* Creates the table temp.moving and inserts these keys. A count of 0 inserts the keys of
 * all rows of `table`. */
int dj_source_choose(struct dj_history *store, const char *table, const int64_t *batches,
                     size_t count, struct dj_error *err);

#endif
