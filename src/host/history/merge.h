/* Batches from one store into another. */
#ifndef DEJANK_HISTORY_MERGE_H
#define DEJANK_HISTORY_MERGE_H

#include "history/sql.h"
#include "history/upkeep.h"

/* Puts batches of `from` (keys there; count 0: all) into `into`, in one transaction. */
int dj_merge(struct dj_history *into, struct dj_history *from, const int64_t *batches,
             size_t count, struct dj_history_moved *moved, struct dj_error *err);

#endif
