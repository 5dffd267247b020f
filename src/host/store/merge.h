/* Batches from one store into another. */
#ifndef DEJANK_STORE_MERGE_H
#define DEJANK_STORE_MERGE_H

#include "store/sql.h"
#include "store/upkeep.h"

/* Puts batches of `from` (keys there; count 0: all) into `into`, in one transaction. */
int dj_merge(struct dj_history *into, struct dj_history *from, const int64_t *batches,
             size_t count, struct dj_history_moved *moved, struct dj_error *err);

/* ---- the other store as `src` of this one ---- */

/* Makes room for `src`, before a transaction: SQLite attaches a file as it is. */
int dj_source_open(struct dj_history *into, const struct dj_history *from,
                   struct dj_error *err);

/* In the transaction: fills it where it must be copied, with batches (keys in `from`;
 * count 0: all) and what is theirs. */
int dj_source_fill(struct dj_history *into, struct dj_history *from,
                   const int64_t *batches, size_t count, struct dj_error *err);

void dj_source_close(struct dj_history *into);

/* Makes temp.moving of a store and puts those keys in; count 0: all of that table. */
int dj_source_choose(struct dj_history *history, const char *table,
                     const int64_t *batches, size_t count, struct dj_error *err);

#endif
