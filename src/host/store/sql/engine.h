/* The interface between statement.h and a database. SQLite and PostgreSQL implement it.
 * Apart from the engines, only the code that opens and merges stores uses this header. */
#ifndef DEJANK_STORE_SQL_ENGINE_H
#define DEJANK_STORE_SQL_ENGINE_H

#include "store/store_private.h"

enum dj_sql_kind { DJ_SQL_NULL, DJ_SQL_INT, DJ_SQL_DOUBLE, DJ_SQL_TEXT, DJ_SQL_BYTES };

/* A parameter or a column. A double that is NaN is stored as NULL. */
struct dj_sql_value {
    enum dj_sql_kind kind;
    /* For a NULL value: the kind of its column, or DJ_SQL_NULL if unknown. */
    enum dj_sql_kind meant;
    int64_t number;
    double real;
    const void *bytes; /* Bytes or a text. A text ends with a NUL. */
    size_t size;
};

/* Each engine's own statement begins with this struct. */
struct dj_statement {
    struct dj_store *store;
};

/* The content of a file or database when it is opened. */
struct dj_sql_content {
    bool ours; /* True if the file or database is marked as a dejank store. */
    int64_t version;
    /* If it is not a dejank store, the number of its tables, which belong to other
     * programs. */
    int64_t other_tables;
};

typedef void dj_sql_report_problem(void *data, const char *sentence);

struct dj_sql_engine {
    /* Number of batches that are best read by key in one query. */
    size_t batches_per_query;
    /* A statement that reads one number. The number changes when another connection
     * changes the data. */
    const char *change_counter;
    /* Error message for a file or database of another program. */
    const char *not_ours;
    /* Error message for an empty file or database, or NULL to use not_ours. */
    const char *empty;

    /* `open` opens the location and changes nothing. `open` does not check the content.
     * `set_up` does the rest after the content was checked. `set_up` may be NULL.
     * Messages show the location as store->path. */
    int (*open)(struct dj_store *store, const char *location, struct dj_error *err);
    int (*set_up)(struct dj_store *store, struct dj_error *err);

    int (*prepare)(struct dj_store *store, const char *sql,
                   struct dj_statement **statement, struct dj_error *err);
    /* Binds a parameter. The index is counted from 1. */
    int (*bind)(struct dj_statement *statement, int index,
                const struct dj_sql_value *value, struct dj_error *err);
    /* Returns 1 if there is a row, 0 after the last row, or an error. `doing` completes
     * the message "cannot …", for example with "read it". */
    int (*step)(struct dj_statement *statement, const char *doing, struct dj_error *err);
    /* Makes the rows arrive one by one, so that large results need little memory. Must be
     * called before the first step. No other statement can run until this statement is
     * finished. NULL if the engine always works this way. */
    void (*stream)(struct dj_statement *statement);
    int (*width)(struct dj_statement *row); /* Returns the number of columns. */
    const char *(*name)(struct dj_statement *row, int column);
    void (*column)(struct dj_statement *row, int column, struct dj_sql_value *value);
    /* Resets a statement, so that it can run again with other parameters. */
    void (*reset_statement)(struct dj_statement *statement);
    void (*finish)(struct dj_statement *statement);
    int64_t (*changed)(struct dj_statement *statement);

    /* Runs several statements that have no parameters and return no rows. */
    int (*run_script)(struct dj_store *store, const char *sql, const char *doing,
                      struct dj_error *err);

    int (*begin)(struct dj_store *store, bool writing, struct dj_error *err);
    int (*end)(struct dj_store *store, int code, struct dj_error *err);
    /* `lost` returns whether the connection is lost and can be restored. `connect`
     * connects again. Both are NULL if the engine needs no connection. */
    bool (*lost)(const struct dj_store *store);
    int (*connect)(struct dj_store *store, struct dj_error *err);

    int (*read_content)(struct dj_store *store, struct dj_sql_content *content,
                        struct dj_error *err);
    /* Stores DJ_SCHEMA_VERSION as the version of the schema. */
    int (*write_version)(struct dj_store *store, struct dj_error *err);
    /* Compares the tables with those of `model`, an empty SQLite store in memory. If they
     * differ, returns the error of dj_schema_differs(). */
    int (*compare_schema)(struct dj_store *store, struct dj_store *model,
                          struct dj_error *err);
    /* Checks that the database is intact and that no reference leads to a missing row.
     * Calls `report` for each problem. */
    int (*check_rows)(struct dj_store *store, dj_sql_report_problem *report, void *data,
                      struct dj_error *err);
    /* Creates an empty table src.NAME with the columns of NAME. */
    int (*create_copy_table)(struct dj_store *store, const char *name,
                             struct dj_error *err);
    /* Frees disk space after a large deletion. NULL if the engine does this itself. */
    void (*compact)(struct dj_store *store);
    /* Updates the statistics of the query planner after a large insertion. NULL if the
     * engine does this itself. */
    void (*analyze)(struct dj_store *store);
    void (*close)(struct dj_store *store);
};

extern const struct dj_sql_engine dj_sqlite_engine;
extern const struct dj_sql_engine dj_postgres_engine;

/* Returns DJ_E_INVALID if the tables do not match this version of the schema. If they
 * match, all columns have the expected types and there are no triggers. */
int dj_schema_check(struct dj_store *store, int64_t version, struct dj_error *err);
/* Returns DJ_E_INVALID with the message that `what` differs from dejank's tables. */
int dj_schema_differs(const struct dj_store *store, const char *what,
                      struct dj_error *err);

#endif
