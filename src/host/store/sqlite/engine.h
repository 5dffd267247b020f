/* Functions that the files of the SQLite engine share. */
#ifndef DEJANK_STORE_SQLITE_ENGINE_H
#define DEJANK_STORE_SQLITE_ENGINE_H

#include <sqlite3.h>

#include "store/sql/statement.h"

/* Sets err to SQLite's message about its last error on this store, and returns the
 * matching code. `doing` completes the message "cannot …". */
int dj_sqlite_fail(const struct dj_store *store, int result, const char *doing,
                   struct dj_error *err);

/* Appends the path of a file as a URI "file:…". The caller may append parameters. */
void dj_sqlite_append_uri(struct dj_text *uri, const char *path);

int dj_sqlite_open(struct dj_store *store, const char *path, struct dj_error *err);
/* Writes the bytes of the store's file to `fd`. If this fails, returns DJ_E_OUTPUT with a
 * message about `path`. There must be no open transaction. */
int dj_sqlite_copy(const struct dj_store *store, int fd, const char *path,
                   struct dj_error *err);

int dj_sqlite_set_up(struct dj_store *store, struct dj_error *err);

/* Checks that tables and indexes have exactly the expected SQL text and that there are no
 * triggers. */
int dj_sqlite_compare_schema(struct dj_store *store, struct dj_store *model,
                             struct dj_error *err);

#endif
