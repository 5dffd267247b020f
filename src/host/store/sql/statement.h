/*
 * Runs SQL statements on a store. Values are passed as parameters, errors are returned as
 * struct dj_error. engine.h hides which database runs the statements.
 *
 * Statements use the SQL that SQLite and PostgreSQL share. translate.h replaces the few
 * words that differ. The following SQL must not be used, because its meaning differs
 * between the two: a negative LIMIT, IS between two values, double quotes, a subquery in
 * FROM without a name, and columns of a grouped SELECT that are neither grouped nor
 * aggregated.
 */
#ifndef DEJANK_STORE_SQL_STATEMENT_H
#define DEJANK_STORE_SQL_STATEMENT_H

#include "store/store_private.h"

struct dj_statement; /* A statement with its parameters and its current row. */

/*
 * Prepares a statement and binds its parameters. `kinds` has one letter per parameter:
 *   i int64_t    d double, NaN is NULL    t const char *, NULL is NULL
 *   k int64_t key, 0 is NULL              b const void * and size_t: bytes
 *   p const int64_t *, NULL is NULL       s const char *, NULL is no parameter at all
 *   D const double * and size_t: that many parameters of kind d
 * Texts and bytes must stay valid until the statement is finished. On success the caller
 * finishes the statement.
 */
int dj_sql_prepare(struct dj_store *store, struct dj_statement **statement,
                   struct dj_error *err, const char *sql, const char *kinds, ...);
/* Frees the statement. NULL is allowed. */
void dj_sql_finish(struct dj_statement *statement);

/* Makes the rows arrive one by one, so that large results need little memory. Must be
 * called before the first step. No other statement can run until this statement is
 * finished. The statement may be NULL. */
void dj_sql_stream(struct dj_statement *statement);

/* Moves to the next row. This function is used as the condition of a loop over the rows.
 * The body of the loop may set *code to end the loop. Returns true if there is a row and
 * *code is 0. Otherwise finishes the statement and returns false. *code is then 0 after
 * the last row, or an error, or the code of the loop's body. */
bool dj_sql_next_row(struct dj_statement *row, int *code, struct dj_error *err);

/* If is_wanted is true, appends " AND " and the condition to a statement that has a
 * WHERE. Conditions that are not needed are omitted, so that the database can use the
 * best index. */
void dj_sql_narrow(struct dj_text *sql, bool is_wanted, const char *condition);

/* Return a column of the current row. Texts and bytes are valid until the next step. For
 * an SQL NULL, the functions return 0, NaN and NULL. dj_sql_word() returns "", because
 * only a damaged store has a NULL in such a column. */
int64_t dj_sql_int64(struct dj_statement *row, int column);
double dj_sql_double(struct dj_statement *row, int column);
const char *dj_sql_text(struct dj_statement *row, int column);
const char *dj_sql_word(struct dj_statement *row, int column);
const void *dj_sql_bytes(struct dj_statement *row, int column, size_t *size);

/* Reads DJ_METRIC_COUNT columns in the order of DJ_METRIC_COLUMNS, beginning with the
 * column `first`. */
void dj_sql_metrics(struct dj_statement *row, int first, struct dj_metrics *metrics);

/* Runs a statement that returns no rows. Stores the number of changed rows in *changed,
 * which may be NULL. */
#define dj_sql_run(store, err, ...) dj_sql_change((store), NULL, (err), __VA_ARGS__)
int dj_sql_change(struct dj_store *store, int64_t *changed, struct dj_error *err,
                  const char *sql, const char *kinds, ...);
/* Runs several statements without parameters. Stops after the first that fails. */
int dj_sql_run_all(struct dj_store *store, const char *const *statements, size_t count,
                   struct dj_error *err);

/* Stores the first column of the first row in *value. Stores 0 if there is no row or the
 * column is NULL. For "INSERT … RETURNING id", *value is the key of the new row. */
int dj_sql_int(struct dj_store *store, int64_t *value, struct dj_error *err,
               const char *sql, const char *kinds, ...);

/* Finds the key after *key with a statement such as "SELECT min(id) FROM … WHERE id > ?".
 * Returns 1 and stores the key in *key, or returns 0 if there is none, or an error. Other
 * statements may run between two calls. */
int dj_sql_next(struct dj_store *store, int64_t *key, const char *sql,
                struct dj_error *err);

/* Begins a transaction. Everything read until dj_sql_end() belongs to one state of the
 * store. If `to_write` is true, waits until other writers have finished, so that no data
 * read in the transaction is outdated. */
int dj_sql_begin(struct dj_store *store, bool to_write, struct dj_error *err);
/* Commits if `code` is 0, else rolls back. Returns `code`, or the error of the commit. */
int dj_sql_end(struct dj_store *store, int code, struct dj_error *err);

/* Work that is done in one transaction. If the connection is lost, dejank reconnects and
 * repeats the transaction. The commit may have succeeded although its answer was lost. So
 * the new transaction calls `find` first. If everything was written, `find` sets *found
 * and the results that `write` would have set. `find` is NULL if writing twice has the
 * same effect as writing once. */
struct dj_sql_work {
    int (*write)(struct dj_store *store, void *data, struct dj_error *err);
    int (*find)(struct dj_store *store, void *data, bool *found, struct dj_error *err);
    void *data;
};
int dj_sql_write(struct dj_store *store, const struct dj_sql_work *work,
                 struct dj_error *err);

/* dj_sql_count_written() must be called after a transaction, with the number of rows
 * (runs or points) that it wrote. From DJ_SQL_MANY_ROWS rows on, the database updates the
 * statistics of its query planner. */
enum { DJ_SQL_MANY_ROWS = 500 };
void dj_sql_count_written(struct dj_store *store, int64_t rows);

/* Returns the wall-clock time of the host, for columns that record a time. */
int64_t dj_sql_now_unix_ms(void);

#endif
