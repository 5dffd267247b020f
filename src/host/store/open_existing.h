/* Opens a store that exists. */
#ifndef DEJANK_STORE_OPEN_EXISTING_H
#define DEJANK_STORE_OPEN_EXISTING_H

#include "store/store.h"

/* Opens a store for reading. If `path` is NULL and the default store does not exist, sets
 * *history to NULL and returns 0. */
int dj_store_open_existing(const char *path, struct dj_store **history,
                           struct dj_error *err);

#endif
