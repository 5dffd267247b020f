/*
 * Statements of the store: one at a time, values as parameters, errors as struct
 * dj_error. engine.h hides which database runs them.
 *
 * Statements use the SQL that SQLite and PostgreSQL share, except for the few words that
 * dialect.h exchanges. They avoid SQL with a different meaning in each: negative LIMIT,
 * IS between two values, double quotes, a subquery in FROM without a name, and columns of
 * a grouped SELECT that are neither grouped nor aggregated.
 */
#ifndef DEJANK_STORE_SQL_STATEMENT_H
#define DEJANK_STORE_SQL_STATEMENT_H

#include "store/store_private.h"

struct dj_statement; /* a statement with its parameters; between steps, its current row */

/*
 * Prepares a statement and sets its parameters, one letter each, in their order:
 *   i int64_t    d double, NaN is NULL    t const char *, NULL is NULL
 *   k int64_t key, 0 is NULL              b const void * and size_t: bytes
 *   p const int64_t *, NULL is NULL       s const char *, NULL is no parameter at all
 *   D const double * and size_t: that many parameters of kind d
 * Texts and bytes must live as long as the statement. On success the caller finishes it.
 */
int dj_sql_prepare(struct dj_store *store, struct dj_statement **statement,
                   struct dj_error *err, const char *sql, const char *kinds, ...);
void dj_sql_finish(struct dj_statement *statement); /* NULL is allowed */

/* Call it before the first step. Rows then arrive one by one, however many. No other
 * statement runs until this one is finished. NULL is allowed. */
void dj_sql_stream(struct dj_statement *statement);

/* The condition of a loop over the rows. Returns true if there is a next row and *code is
 * 0. The loop ends after this row if its body sets another code. Returns false after the
 * last row, or if *code is an error or the body's own code. The statement is then
 * finished. */
bool dj_sql_next_row(struct dj_statement *row, int *code, struct dj_error *err);

/* Appends " AND " and the condition to a statement that has a WHERE, if it is wanted. A
 * statement contains only the conditions that it needs, so each statement uses the index
 * that fits it. */
void dj_sql_narrow(struct dj_text *sql, bool is_wanted, const char *condition);

/* Return a column of the row. Texts and bytes are valid until the next step. */
int64_t dj_sql_int64(struct dj_statement *row, int column);    /* NULL: 0 */
double dj_sql_double(struct dj_statement *row, int column);    /* NULL: NaN */
const char *dj_sql_text(struct dj_statement *row, int column); /* NULL: NULL */
const char *dj_sql_word(struct dj_statement *row,
                        int column); /* NULL: "", which only a damaged store has */
const void *dj_sql_bytes(struct dj_statement *row, int column, size_t *size);

/* Reads DJ_METRIC_COUNT columns, starting at `first`, in the order of
 * DJ_METRIC_COLUMNS. */
void dj_sql_metrics(struct dj_statement *row, int first, struct dj_metrics *metrics);

/* Runs a statement that returns no rows. Stores the number of changed rows in *changed,
 * which may be NULL. */
#define dj_sql_run(store, err, ...) dj_sql_change((store), NULL, (err), __VA_ARGS__)
int dj_sql_change(struct dj_store *store, int64_t *changed, struct dj_error *err,
                  const char *sql, const char *kinds, ...);
/* Runs several statements without parameters, up to the first that fails. */
int dj_sql_run_all(struct dj_store *store, const char *const *statements, size_t count,
                   struct dj_error *err);

/* Stores the first column of the first row in *value, or 0 if there is no row or it is
 * NULL. For "INSERT … RETURNING id" this is the key of the new row. */
int dj_sql_int(struct dj_store *store, int64_t *value, struct dj_error *err,
               const char *sql, const char *kinds, ...);

/* Finds the key after *key with a statement such as "SELECT min(id) FROM … WHERE id > ?".
 * Returns 1 with the key in *key, 0 if there is none, or an error. Other statements may
 * run between two calls. */
int dj_sql_next(struct dj_store *store, int64_t *key, const char *sql,
                struct dj_error *err);

/* ---- transactions ---- */

/* Begins a transaction. All reading until dj_sql_end() sees one state of the store. With
 * `to_write` it waits for other writers, so that no data read in it is outdated. */
int dj_sql_begin(struct dj_store *store, bool to_write, struct dj_error *err);
/* Commits if `code` is 0, else rolls back. Returns `code`, or the reason the commit
 * failed. */
int dj_sql_end(struct dj_store *store, int code, struct dj_error *err);

/*
 * Work that is written in one transaction. If the connection is lost on the way, dejank
 * reconnects and calls `write` again from its start. The lost message may have been the
 * answer to a successful commit. So `find` is called first in the new transaction, where
 * the previous one has ended. It sets *found if all is written, and then sets the results
 * that `write` would have set. NULL: writing twice has the same effect as writing once.
 */
struct dj_sql_work {
    int (*write)(struct dj_store *store, void *data, struct dj_error *err);
    int (*find)(struct dj_store *store, void *data, bool *found, struct dj_error *err);
    void *data;
};
int dj_sql_write(struct dj_store *store, const struct dj_sql_work *work,
                 struct dj_error *err);

/* Call it after a transaction that wrote this many rows (runs, points). From
 * DJ_SQL_MANY_ROWS rows on, the database updates the statistics for its query planner. */
enum { DJ_SQL_MANY_ROWS = 500 };
void dj_sql_count_written(struct dj_store *store, int64_t rows);

/* Returns the host's wall clock, for columns that record a time. */
int64_t dj_sql_now_unix_ms(void);

#endif
