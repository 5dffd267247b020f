/* What a database must do for sql.h: SQLite and PostgreSQL are the two. Only the files of
 * the two engines, opening and merging see this. */
#ifndef DEJANK_STORE_ENGINE_H
#define DEJANK_STORE_ENGINE_H

#include "store/sql.h"

enum dj_sql_kind { DJ_SQL_NULL, DJ_SQL_INT, DJ_SQL_DOUBLE, DJ_SQL_TEXT, DJ_SQL_BYTES };

/* A parameter, or a column of a row. A number that is NaN is NULL. */
struct dj_sql_value {
    enum dj_sql_kind kind;
    enum dj_sql_kind meant; /* of a NULL: what it is else; NULL: nobody knows */
    int64_t number;
    double real;
    const void *bytes; /* a text's, too, with a NUL behind them */
    size_t size;
};

/* Where an engine's statements begin. */
struct dj_statement {
    struct dj_history *history;
};

/* What is found where a store is opened. */
struct dj_sql_content {
    bool ours; /* it says that it is a store of dejank */
    int64_t version;
    int64_t others; /* tables of whatever kind, where it is not ours */
};

typedef void dj_sql_tell(void *data, const char *sentence);

struct dj_sql_engine {
    size_t at_once;       /* batches that it is best asked for together, by their keys */
    const char *not_ours; /* what it is then: "it is an SQLite file, but no store …" */
    const char *empty;    /* and where there is nothing at all; NULL: as not_ours */

    /* Opens the place for statements, which history->path shows; what is in it nobody has
     * looked at, and nothing is changed. Then, once it is known to be ours, all else
     * (NULL: nothing). */
    int (*open)(struct dj_history *history, const char *place, struct dj_error *err);
    int (*set_up)(struct dj_history *history, struct dj_error *err);

    int (*prepare)(struct dj_history *history, const char *sql,
                   struct dj_statement **statement, struct dj_error *err);
    int (*bind)(struct dj_statement *statement, int index, /* from 1 */
                const struct dj_sql_value *value, struct dj_error *err);
    /* `doing` says what fails if it does: "read it". */
    int (*step)(struct dj_statement *statement, const char *doing, struct dj_error *err);
    /* Before the first step: rows come one by one, however many and large, and until it
     * is finished no other statement runs. NULL: it is so anyway. */
    void (*stream)(struct dj_statement *statement);
    int (*width)(struct dj_statement *row); /* columns */
    const char *(*name)(struct dj_statement *row, int column);
    void (*column)(struct dj_statement *row, int column, struct dj_sql_value *value);
    /* To be stepped through anew, with other parameters. */
    void (*again)(struct dj_statement *statement);
    void (*finish)(struct dj_statement *statement);
    int64_t (*changed)(struct dj_statement *statement);

    /* Statements one after the other, without parameters or rows. */
    int (*script)(struct dj_history *history, const char *sql, const char *doing,
                  struct dj_error *err);

    int (*begin)(struct dj_history *history, bool writing, struct dj_error *err);
    int (*end)(struct dj_history *history, int code, struct dj_error *err);
    /* Whether the connection is gone, and a new one worth trying; and a new one. NULL:
     * there is none to lose. */
    bool (*lost)(const struct dj_history *history);
    int (*connect)(struct dj_history *history, struct dj_error *err);

    int (*look)(struct dj_history *history, struct dj_sql_content *content,
                struct dj_error *err);
    /* That the schema now is of DJ_SCHEMA_VERSION. */
    int (*mark)(struct dj_history *history, struct dj_error *err);
    /* Whether its tables are those of the model, a store of SQLite in memory without
     * rows. Else dj_schema_differs(). */
    int (*compare_schema)(struct dj_history *history, struct dj_history *model,
                          struct dj_error *err);
    /* Whether the database itself is whole, and every reference leads somewhere. */
    int (*check_rows)(struct dj_history *history, dj_sql_tell *tell, void *data,
                      struct dj_error *err);
    /* An empty table src.NAME, of the columns that NAME has. */
    int (*stage)(struct dj_history *history, const char *name, struct dj_error *err);
    void (*compact)(struct dj_history *history); /* after much was deleted; NULL: none */
    /* After much was put in: counts what it plans statements by. NULL: it needs none. */
    void (*survey)(struct dj_history *history);
    void (*close)(struct dj_history *history);
};

extern const struct dj_sql_engine dj_sqlite_engine;
extern const struct dj_sql_engine dj_postgres_engine;

/* Whether a store's tables are those of that version: then what is read is of the kinds
 * that we expect, and no trigger does what nobody asked for. Else DJ_E_INVALID. */
int dj_schema_check(struct dj_history *history, int64_t version, struct dj_error *err);
/* DJ_E_INVALID: `what` is not as in our tables. */
int dj_schema_differs(const struct dj_history *history, const char *what,
                      struct dj_error *err);

#endif
