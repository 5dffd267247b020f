/* Opens a store only if it exists. */
#ifndef DEJANK_STORE_OPEN_EXISTING_H
#define DEJANK_STORE_OPEN_EXISTING_H

#include "store/store.h"

/* Opens a store to be read. One that nobody named and that is not there yet is empty:
 * *history is NULL then, and the result 0. */
int dj_store_open_existing(const char *path, struct dj_history **history,
                           struct dj_error *err);

#endif
