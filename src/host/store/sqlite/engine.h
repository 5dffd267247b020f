/* What the files of the SQLite engine share. */
#ifndef DEJANK_STORE_SQLITE_ENGINE_H
#define DEJANK_STORE_SQLITE_ENGINE_H

#include <sqlite3.h>

#include "store/sql/statement.h"

/* Fills err with SQLite's message about its last failure on this store and returns the
 * matching code. `doing` says what failed: "commit a run". */
int dj_sqlite_fail(const struct dj_store *store, int result, const char *doing,
                   struct dj_error *err);

/* Appends a file's path as a URI "file:…", after which parameters may follow. */
void dj_sqlite_append_uri(struct dj_text *uri, const char *path);

int dj_sqlite_open(struct dj_store *store, const char *path, struct dj_error *err);
/* Writes the bytes of the store's file to `fd`. DJ_E_OUTPUT names `path`. No transaction
 * may be open. */
int dj_sqlite_copy(const struct dj_store *store, int fd, const char *path,
                   struct dj_error *err);

int dj_sqlite_set_up(struct dj_store *store, struct dj_error *err);

/* Checks that tables and indexes match word for word and that there are no triggers. */
int dj_sqlite_compare_schema(struct dj_store *store, struct dj_store *model,
                             struct dj_error *err);

#endif
