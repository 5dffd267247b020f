/*
 * The store's statements: one at a time, values as parameters, errors as dj_error. What
 * database they run in is below (engine.h).
 *
 * They are written in what SQLite and PostgreSQL both take, but for the few words that
 * dialect.h exchanges; what both know and mean otherwise stays out: negative LIMIT, IS of
 * two values, the double quotes, a subquery of FROM without a name, columns of a grouped
 * SELECT that are neither grouped nor aggregated.
 */
#ifndef DEJANK_STORE_SQL_H
#define DEJANK_STORE_SQL_H

#include "store/store.h"

struct dj_sql_engine;
struct dj_statement; /* with its parameters set; between steps a row of it */

struct dj_history {
    const struct dj_sql_engine *engine;
    void *link; /* the engine's own; NULL: not open */
    char *path; /* for people: of a URL without its password */
    enum dj_history_mode mode;
    int64_t version; /* of its schema: an older one is only read */
    bool immutable;  /* a file read without locks, in a place that cannot be written */
    struct dj_text *plans; /* where statements are explained; NULL: nowhere */
};

/*
 * A prepared statement with its parameters set, one letter each, in their order:
 *   i int64_t    d double, NaN is NULL    t const char *, NULL is NULL
 *   k int64_t key, 0 is NULL              b const void * and size_t: bytes
 *   p const int64_t *, NULL is NULL       s const char *, NULL is no parameter at all
 *   D const double * and size_t: so many parameters of kind d
 * Texts and bytes must live as long as the statement. On success the caller finishes it.
 */
int dj_sql_prepare(struct dj_history *history, struct dj_statement **statement,
                   struct dj_error *err, const char *sql, const char *kinds, ...);
void dj_sql_finish(struct dj_statement *statement); /* NULL is fine */

/* Before the first step: rows are not gathered but come one by one, however many; until
 * the statement is finished no other one runs. NULL is fine. */
void dj_sql_stream(struct dj_statement *statement);

/* The condition of a loop over the rows. True: the next row is there, and *code is 0; the
 * loop ends after this row if it sets another code. False: there are no more rows, or
 * *code is an error or the loop's own code; the statement is finished. */
bool dj_sql_next_row(struct dj_statement *row, int *code, struct dj_error *err);

/* Appends " AND " and a condition to a statement that has a WHERE, if it is wanted: only
 * what is asked for is in the statement, so that each has the index that fits it. */
void dj_sql_narrow(struct dj_text *sql, bool is_wanted, const char *condition);

/* A column of the row. Texts and bytes are valid until the next step. */
int64_t dj_sql_int64(struct dj_statement *row, int column);    /* NULL: 0 */
double dj_sql_double(struct dj_statement *row, int column);    /* NULL: NaN */
const char *dj_sql_text(struct dj_statement *row, int column); /* NULL: NULL */
const char *dj_sql_word(struct dj_statement *row, int column); /* NULL: "", which only a
                                                                  damaged store has */
const void *dj_sql_bytes(struct dj_statement *row, int column, size_t *size);

/* A statement that gives no rows. How many it changed goes into *changed, NULL is fine.
 */
#define dj_sql_run(history, err, ...) dj_sql_change((history), NULL, (err), __VA_ARGS__)
int dj_sql_change(struct dj_history *history, int64_t *changed, struct dj_error *err,
                  const char *sql, const char *kinds, ...);
/* Several without parameters, up to the first that fails. */
int dj_sql_run_all(struct dj_history *history, const char *const *statements,
                   size_t count, struct dj_error *err);

/* The first column of the first row; 0 in *value where there is none, or NULL. That of
 * "INSERT … RETURNING id" is the new row's key. */
int dj_sql_int(struct dj_history *history, int64_t *value, struct dj_error *err,
               const char *sql, const char *kinds, ...);

/* The key after *key by such a statement: "SELECT min(id) FROM … WHERE id > ?". 1: it is
 * in *key; 0: there is none. Other statements may run between two calls. */
int dj_sql_next(struct dj_history *history, int64_t *key, const char *sql,
                struct dj_error *err);

/* ---- transactions ---- */

/* All that is read until dj_sql_end() is of one moment. To write it waits for other
 * writers, so that nothing read in it is stale. */
int dj_sql_begin(struct dj_history *history, bool to_write, struct dj_error *err);
/* Commits where code is 0; else rolls back. Returns code, or why it could not. */
int dj_sql_end(struct dj_history *history, int code, struct dj_error *err);

/*
 * Something written in one transaction. Where a connection is lost on the way, it is made
 * anew, and all of `write` done once more: it starts afresh each time. As the answer to
 * a commit may be what was lost, `find` is asked before, in the new transaction (in which
 * the one before is over): it sets *found where all has been written, and with it what
 * `write` would have told. NULL: writing it twice is once.
 */
struct dj_sql_work {
    int (*write)(struct dj_history *history, void *data, struct dj_error *err);
    int (*find)(struct dj_history *history, void *data, bool *found,
                struct dj_error *err);
    void *data;
};
int dj_sql_write(struct dj_history *history, const struct dj_sql_work *work,
                 struct dj_error *err);

/* After so many rows (runs, points) were written: from DJ_SQL_MANY on the database counts
 * what it plans by. */
enum { DJ_SQL_MANY = 500 };
void dj_sql_written(struct dj_history *history, int64_t rows);

/* The host's wall clock, for columns that say when something was written. */
int64_t dj_sql_now_unix_ms(void);

#endif
