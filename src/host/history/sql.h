/* SQLite, as the files of this room use it: one statement at a time, values as
 * parameters, errors as dj_error. */
#ifndef DEJANK_HISTORY_SQL_H
#define DEJANK_HISTORY_SQL_H

#include <sqlite3.h>

#include "history/history.h"

struct dj_history {
    sqlite3 *db;
    char *path;
    enum dj_history_mode mode;
    int64_t version; /* of its schema: an older one is only read */
    bool immutable;  /* read without locks, in a place that cannot be written */
};

/* Fills err with what SQLite says of its last failure on this store, and returns the code
 * it amounts to. `doing` says what failed: "commit a run". */
int dj_sql_fail(const struct dj_history *history, int result, const char *doing,
                struct dj_error *err);

/*
 * A prepared statement with its parameters set, one letter each, in their order:
 *   i int64_t    d double, NaN is NULL    t const char *, NULL is NULL
 *   k int64_t key, 0 is NULL              b const void * and size_t: bytes
 * Texts and bytes must live as long as the statement. On success the caller finalizes it.
 */
int dj_sql_prepare(struct dj_history *history, sqlite3_stmt **statement,
                   struct dj_error *err, const char *sql, const char *kinds, ...);

/* 1: a row is there; 0: no more; else an error. */
int dj_sql_step(struct dj_history *history, sqlite3_stmt *statement,
                struct dj_error *err);

/* A statement that gives no rows. */
int dj_sql_run(struct dj_history *history, struct dj_error *err, const char *sql,
               const char *kinds, ...);

/* The first column of the first row; 0 in *value where there is none, or NULL. */
int dj_sql_int(struct dj_history *history, int64_t *value, struct dj_error *err,
               const char *sql, const char *kinds, ...);

/* BEGIN IMMEDIATE: waits for other writers, so that nothing read in it is stale. */
int dj_sql_begin(struct dj_history *history, struct dj_error *err);
/* Commits where code is 0; else rolls back. Returns code, or why it could not. */
int dj_sql_end(struct dj_history *history, int code, struct dj_error *err);

/* A file's path as SQLite takes it where parameters may follow: "file:…". */
void dj_sql_append_uri(struct dj_text *uri, const char *path);

/* A column of the row. Texts are valid until the next step. */
const char *dj_sql_text(sqlite3_stmt *statement, int column);
const char *dj_sql_word(sqlite3_stmt *statement, int column); /* NULL: "" */
double dj_sql_double(sqlite3_stmt *statement, int column);    /* NULL: NaN */

#endif
